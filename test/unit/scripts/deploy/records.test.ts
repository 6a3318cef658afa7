import { expect, test } from "vitest";
import { readDeployed } from "../../../../scripts/deploy/config.ts";
import { withRecords } from "../../../../scripts/deploy/records.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";

const CHOICES = { name: "shop", domain: null, workerName: null };
const config = await readDeployed(CONFIG, CHOICES);
const namesOf = ({ databases }: typeof config) => databases.map(({ name }) => name);

test("adds the requested number of databases for execution rows", () => {
  const two = withRecords(config, [], 2);
  expect(two.databases.slice(1)).toEqual([
    { binding: "RECORDS_0", name: "shop-records-0", id: null, migrationsDir: "migrations" },
    { binding: "RECORDS_1", name: "shop-records-1", id: null, migrationsDir: "migrations" },
  ]);
  expect(two.raw.d1_databases.map(({ database_name }) => database_name)).toEqual(namesOf(two));
  expect(namesOf(withRecords(config, [], null))).toEqual(["shop"]);
});

test("keeps existing databases of rows by default", () => {
  const existing = ["shop", "shop-records-1", "shop-records-old", "other-records-4"];
  const kept = ["shop", "shop-records-0", "shop-records-1"];
  expect(namesOf(withRecords(config, existing, null))).toEqual(kept);
  expect(namesOf(withRecords(config, existing, 3))).toEqual([...kept, "shop-records-2"]);
});

test("does not remove a database", () => {
  expect(() => withRecords(config, ["shop-records-1"], 1)).toThrow("None can be taken away");
});

test("keeps the configured name of a database", () => {
  const database = {
    binding: "RECORDS_0",
    database_name: "old-rows",
    migrations_dir: "migrations",
  };
  const own = { binding: "RECORDS_0", name: "old-rows", id: null, migrationsDir: "migrations" };
  const named = {
    ...config,
    databases: [...config.databases, own],
    raw: { ...config.raw, d1_databases: [...config.raw.d1_databases, database] },
  };
  expect(namesOf(withRecords(named, [], 2))).toEqual(["shop", "old-rows", "shop-records-1"]);
});
