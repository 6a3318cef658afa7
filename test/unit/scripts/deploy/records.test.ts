import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDeployed } from "../../../../scripts/deploy/config.ts";
import { appendRecords, checkRecords, missingRecords } from "../../../../scripts/deploy/records.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";

async function configured() {
  const directory = await mkdtemp(join(tmpdir(), "prompthook-records-"));
  const path = join(directory, "wrangler.toml");
  const before = (await readFile(CONFIG, "utf8"))
    .replace('database_name = "prompthook"', 'database_name = "shop"')
    .replace('migrations_dir = "', 'migrations_dir = "../');
  await writeFile(path, before);
  return { path, directory, before };
}

test("adds the databases of execution rows that a configuration lacks, once", async () => {
  const { path, directory, before } = await configured();
  const first = missingRecords(await readDeployed(path), 2);
  await appendRecords(path, first);
  const text = await readFile(path, "utf8");
  expect(text.startsWith(before)).toBe(true);
  const config = await readDeployed(path);
  expect(config.databases.slice(1)).toEqual([
    { binding: "RECORDS_0", name: "shop-records-0", migrationsDir: "../migrations" },
    { binding: "RECORDS_1", name: "shop-records-1", migrationsDir: "../migrations" },
  ]);
  expect(missingRecords(config, 2)).toEqual([]);
  expect(missingRecords(config, null)).toEqual([]);
  expect(missingRecords(config, 3).map(({ binding }) => binding)).toEqual(["RECORDS_2"]);
  expect(() => missingRecords(config, 1)).toThrow("None can be taken away");
  await rm(directory, { recursive: true });
});

test("does not deploy without databases that have rows already", async () => {
  const { path, directory } = await configured();
  const config = await readDeployed(path);
  checkRecords(config, ["shop", "shop-records-old", "other-records-4"]);
  const existing = ["shop", "shop-records-0", "shop-records-3"];
  expect(() => checkRecords(config, existing)).toThrow("npm run deploy -- --records 4");
  const added = missingRecords(config, 4);
  checkRecords({ ...config, databases: [...config.databases, ...added] }, existing);
  await rm(directory, { recursive: true });
});
