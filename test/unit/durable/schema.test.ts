import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { isInitialised, migrate, type SchemaStorage } from "../../../src/durable/schema.ts";

function storageOf(): SchemaStorage & { database: DatabaseSync } {
  const values = new Map<string, unknown>();
  const database = new DatabaseSync(":memory:");
  return {
    database,
    kv: { get: (key) => values.get(key), put: (key, value) => values.set(key, value) },
    sql: { exec: (query) => database.exec(query) },
  };
}

const FIRST = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)";
const SECOND = "ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'";

it("runs each step once, and then marks the object as used", () => {
  const storage = storageOf();
  expect(isInitialised(storage)).toBe(false);
  migrate(storage, [FIRST]);
  migrate(storage, [FIRST]);
  expect(isInitialised(storage)).toBe(true);
  expect(storage.database.prepare("SELECT count(*) AS n FROM notes").get()).toEqual({ n: 0 });
});

it("migrates old rows to the newest version", () => {
  const storage = storageOf();
  migrate(storage, [FIRST]);
  storage.database.exec("INSERT INTO notes (text) VALUES ('old')");
  migrate(storage, [FIRST, SECOND]);
  const rows = storage.database.prepare("SELECT text, author FROM notes").all();
  expect(rows).toEqual([{ text: "old", author: "nobody" }]);
});

it("works on the tables of newer code, which works on afterwards", () => {
  const storage = storageOf();
  migrate(storage, [FIRST, SECOND]);
  migrate(storage, [FIRST]);
  storage.database.exec("INSERT INTO notes (text) VALUES ('older')");
  migrate(storage, [FIRST, SECOND]);
  const rows = storage.database.prepare("SELECT text, author FROM notes").all();
  expect(rows).toEqual([{ text: "older", author: "nobody" }]);
});

it("refuses tables that newer code marks as incompatible", () => {
  const storage = storageOf();
  migrate(storage, [FIRST, SECOND]);
  storage.kv.put("schema_readable_by", 2);
  expect(() => migrate(storage, [FIRST])).toThrow("newer than the known one");
});
