import { expect, it } from "vitest";
import { rowsOfJson } from "../../../../../../src/agent/tools/process-data/json.ts";
import { MAX_CELLS } from "../../../../../../src/agent/tools/process-data/table.ts";

it("makes a row of each object and unites their keys in order of appearance", () => {
  const { table } = rowsOfJson([
    [
      { a: 1, b: 2 },
      { c: 3, a: 4 },
    ],
  ]);
  expect(table).toEqual({
    columns: ["a", "b", "c"],
    rows: [
      [1, 2, null],
      [4, null, 3],
    ],
  });
});

it("flattens objects inside objects one level", () => {
  const { table } = rowsOfJson([[{ owner: { name: "Ann", home: { city: "Oslo" } }, none: {} }]]);
  expect(table).toEqual({
    columns: ["owner.name", "owner.home", "none"],
    rows: [["Ann", { city: "Oslo" }, {}]],
  });
});

it("puts scalars under one column", () => {
  expect(rowsOfJson([["x", 2, null]]).table).toEqual({
    columns: ["value"],
    rows: [["x"], [2], [null]],
  });
});

it("makes one row of a single value", () => {
  expect(rowsOfJson([7]).table).toEqual({ columns: ["value"], rows: [[7]] });
  expect(rowsOfJson([{ a: 1 }]).table).toEqual({ columns: ["a"], rows: [[1]] });
});

it("numbers the columns of lists in a list", () => {
  expect(rowsOfJson([[["a", 1], ["b"]]]).table).toEqual({
    columns: ["Column 1", "Column 2"],
    rows: [
      ["a", 1],
      ["b", null],
    ],
  });
});

it("keeps a flattened key apart from one that is spelt the same", () => {
  const { table } = rowsOfJson([[{ "a.b": 1 }, { a: { b: 2 } }]]);
  expect(table.rows).toEqual([[1], [2]]);
});

it("treats a key named like the prototype as any other", () => {
  const { table } = rowsOfJson([JSON.parse('[{"__proto__": 1, "constructor": 2}]')]);
  expect(table).toEqual({ columns: ["__proto__", "constructor"], rows: [[1, 2]] });
});

it("keeps within the cell limit when every object has keys of its own", () => {
  const objects = Array.from({ length: 20_000 }, (_, index) => ({ [`key ${index}`]: index }));
  const { table, cut } = rowsOfJson([objects]);
  expect(cut).toBe(true);
  expect(table.columns.length * table.rows.length).toBeLessThanOrEqual(MAX_CELLS);
});

it("says that it cut an object with more keys than a table has columns", () => {
  const wide = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`k${index}`, index]));
  const { table, cut } = rowsOfJson([wide]);
  expect(cut).toBe(true);
  expect(table.columns).toHaveLength(500);
});
