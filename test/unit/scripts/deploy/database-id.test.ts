import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDeployed } from "../../../../scripts/deploy/config.ts";
import { withDatabaseId, writeDatabaseId } from "../../../../scripts/deploy/database-id.ts";
import { ROOT } from "../../../../scripts/local/project.ts";

const ID = "5f0e7c3a-1111-4222-8333-944445555666";
const NONE = "00000000-0000-0000-0000-000000000000";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "prompthook-toml-"));
});

afterEach(() => rm(directory, { recursive: true }));

test("changes the id of the deployed database, and not one character more", () => {
  const text = `
[[d1_databases]]
binding = "DB"
database_id = "${NONE}"   # of this machine

[env.production]
[[ env.production.d1_databases ]]
binding = "DB"
  database_id="${NONE}"   # deployed
migrations_dir = "migrations"

[[env.staging.d1_databases]]
database_id = "${NONE}"
`;
  const at = text.indexOf(`database_id="${NONE}"`);
  const expected = text.slice(0, at) + text.slice(at).replace(NONE, ID);
  expect(withDatabaseId(text, ID)).toBe(expected);
  expect(withDatabaseId(expected, ID)).toBe(expected);
});

test("keeps line ends and quotes as they are", () => {
  const text = `[[env.production.d1_databases]]\r\ndatabase_id = '${NONE}'\r\n`;
  expect(withDatabaseId(text, ID)).toBe(text.replace(NONE, ID));
});

test("writes the id into the checkout's own configuration", async () => {
  const path = join(directory, "wrangler.toml");
  await writeFile(path, await readFile(join(ROOT, "wrangler.toml"), "utf8"));
  await chmod(path, 0o640);
  await writeDatabaseId(await readDeployed(path), ID);
  expect((await readDeployed(path)).database.id).toBe(ID);
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect(await readdir(directory)).toEqual(["wrangler.toml"]);
});

test("says what to write by hand where it finds no place for it", async () => {
  const path = join(directory, "wrangler.toml");
  const text = (await readFile(join(ROOT, "wrangler.toml"), "utf8")).replace(
    /\[\[env\.production\.d1_databases\]\][^[]*/,
    "",
  );
  const inline = `d1_databases = [{ binding = "DB", database_name = "prompthook", database_id = "${NONE}" }]`;
  await writeFile(path, text.replace("[env.production]\n", `[env.production]\n${inline}\n`));
  await expect(writeDatabaseId(await readDeployed(path), ID)).rejects.toThrow(
    `Write database_id = "${ID}"`,
  );
});
