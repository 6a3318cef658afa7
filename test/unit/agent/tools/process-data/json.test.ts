import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { followPath, rowsOfJson } from "../../../../../src/agent/tools/process-data/json.ts";
import { MAX_CELLS } from "../../../../../src/agent/tools/process-data/table.ts";
import { CallFailure } from "../../../../../src/agent/tools/tool.ts";

const shop = {
  items: [
    { name: "mug", tags: ["a", "b"], price: { amount: 4 } },
    { name: "hat", tags: [] },
  ],
  "dotted.key": 1,
  empty: [],
  nothing: null,
};

describe("followPath", () => {
  test.each([
    ["", [shop]],
    ["$", [shop]],
    ["items[0].name", ["mug"]],
    [".items[1].name", ["hat"]],
    ["items.*.name", ["mug", "hat"]],
    ["items.*.tags.*", ["a", "b"]],
    ["items[0].price.*", [4]],
    ["empty.*", []],
    ["nothing", [null]],
  ])("follows %j", (path, values) => {
    expect(followPath(shop, path)).toEqual({ values, missed: 0 });
  });

  it("follows a path into a top-level list", () => {
    expect(followPath([1, [2]], "[1][0]")).toMatchObject({ values: [2] });
  });

  it("counts the elements without the field", () => {
    expect(followPath(shop, "items[*].price.amount")).toEqual({ values: [4], missed: 1 });
  });

  test.each(["__proto__", "items.length", "items[0].toString"])(
    "ignores inherited and built-in properties at %j",
    (path) => {
      expect(() => followPath(shop, path)).toThrow(
        expect.objectContaining({ code: "nothing_found" }),
      );
    },
  );

  it("finds an own key named like the prototype", () => {
    const data = JSON.parse('{"__proto__": {"a": 1}}');
    expect(followPath(data, "__proto__.a")).toMatchObject({ values: [1] });
  });

  test.each([
    ["prices", 'The data has no "prices": it is an object with "items", "dotted.key"'],
    ["items.name", '"items" has no "name": it is a list of 2; [*] stands for every element'],
    ["items[9]", '"items" has no "9": it is a list of 2'],
    ["nothing.x", '"nothing" has no "x": it is null'],
    ["items[0].name.*", '"items.0.name" has no "*": it is a string'],
  ])("lists the available keys where %j ends", (path, message) => {
    expect(() => followPath(shop, path)).toThrow(message);
  });

  it("returns an error message or a list for any path", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, path) => {
        const data = JSON.parse(JSON.stringify(value));
        try {
          expect(followPath(data, path).values).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toBeInstanceOf(CallFailure);
        }
      }),
    );
  });
});

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

it("adds no column for a null beside objects", () => {
  const { table } = rowsOfJson([
    [
      { id: 1, owner: null },
      { id: 2, owner: { name: "Ann" } },
    ],
  ]);
  expect(table).toEqual({
    columns: ["id", "owner.name"],
    rows: [
      [1, null],
      [2, "Ann"],
    ],
  });
});

it("puts scalars under one column, and makes one row of a single value", () => {
  expect(rowsOfJson([["x", null]]).table).toEqual({ columns: ["value"], rows: [["x"], [null]] });
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

it("keeps a flattened key apart from one with the same spelling", () => {
  const { table } = rowsOfJson([[{ "a.b": 1 }, { a: { b: 2 } }]]);
  expect(table.rows).toEqual([[1], [2]]);
});

it("treats a key named like the prototype like any other", () => {
  const { table } = rowsOfJson([JSON.parse('[{"__proto__": 1, "constructor": 2}]')]);
  expect(table).toEqual({ columns: ["__proto__", "constructor"], rows: [[1, 2]] });
});

it("keeps within the cell limit when every object has keys of its own", () => {
  const objects = Array.from({ length: 20_000 }, (_, index) => ({ [`key ${index}`]: index }));
  const { table, cut } = rowsOfJson([objects]);
  expect(cut).toBe(true);
  expect(table.columns.length * table.rows.length).toBeLessThanOrEqual(MAX_CELLS);
});

it("notes the cut of an object with more keys than a table has columns", () => {
  const wide = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`k${index}`, index]));
  const { table, cut } = rowsOfJson([wide]);
  expect(cut).toBe(true);
  expect(table.columns).toHaveLength(500);
});
