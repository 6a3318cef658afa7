import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  distinctRows,
  limitRows,
  selectColumns,
  sortRows,
} from "../../../../../../src/agent/tools/process-data/operations.ts";
import type { Json } from "../../../../../../src/contract/json.ts";
import { cells } from "./support.ts";

const table = {
  columns: ["a", "b"],
  rows: [
    [1, "x"],
    ["1 ", "x"],
    [2, "y"],
  ],
};

describe("limitRows", () => {
  it("keeps rows from the start or the end", () => {
    const first = limitRows(table, { op: "limit", count: 1, from: "start" });
    const last = limitRows(table, { op: "limit", count: 2, from: "end" });
    expect(first.table.rows).toEqual([[1, "x"]]);
    expect(last.table.rows).toEqual([
      ["1 ", "x"],
      [2, "y"],
    ]);
  });

  it("keeps all rows when there are fewer, and none for 0", () => {
    for (const from of ["start", "end"] as const) {
      expect(limitRows(table, { op: "limit", count: 9, from }).table).toEqual(table);
      expect(limitRows(table, { op: "limit", count: 0, from }).table.rows).toEqual([]);
    }
  });
});

describe("selectColumns", () => {
  it("keeps columns in the order asked for, each once", () => {
    const result = selectColumns(table, { op: "select", columns: ["B", "a", "b"] });
    expect(result.table).toEqual({
      columns: ["b", "a"],
      rows: [
        ["x", 1],
        ["x", "1 "],
        ["y", 2],
      ],
    });
  });

  it("refuses an unknown column", () => {
    expect(() => selectColumns(table, { op: "select", columns: ["c"] })).toThrow(
      expect.objectContaining({ code: "unknown_column" }),
    );
  });
});

describe("distinctRows", () => {
  it("keeps the first of rows that read the same", () => {
    expect(distinctRows(table, { op: "distinct" }).table.rows).toEqual([
      [1, "x"],
      [2, "y"],
    ]);
    const byB = distinctRows(table, { op: "distinct", columns: ["b"] });
    expect(byB.table.rows).toEqual([
      [1, "x"],
      [2, "y"],
    ]);
  });

  it("does not take cells for equal that only read equal when joined", () => {
    const rows = [
      ["a,b", "c"],
      ["a", "b,c"],
      ['a"', "b"],
    ];
    const result = distinctRows({ columns: ["x", "y"], rows }, { op: "distinct" });
    expect(result.table.rows).toEqual(rows);
  });
});

function sorted(values: Json[], direction: "asc" | "desc" = "asc"): Json[] {
  const table = { columns: ["v"], rows: values.map((value) => [value]) };
  return sortRows(table, { op: "sort", by: "v", direction }).table.rows.flat();
}

describe("sortRows", () => {
  test.each<[string, Json[], Json[]]>([
    ["numbers in text", ["$1,200", "$9", "$85.50"], ["$9", "$85.50", "$1,200"]],
    ["negative numbers", ["5", "-200", "−5"], ["-200", "−5", "5"]],
    [
      "dates",
      ["2024-03-12", "2023-05-01", "2024-01-03T09:00Z"],
      ["2023-05-01", "2024-01-03T09:00Z", "2024-03-12"],
    ],
    ["text without case", ["b", "A", "c", "B"], ["A", "b", "B", "c"]],
    [
      "mostly text as text",
      ["pear", "10", "apple", "fig", "9"],
      ["10", "9", "apple", "fig", "pear"],
    ],
  ])("sorts %s", (_, values, expected) => {
    expect(sorted(values)).toEqual(expected);
  });

  it("puts misfits after the numbers and empty cells last, in both directions", () => {
    const values = ["", "3", "N/A", null, "20", "1"];
    expect(sorted(values)).toEqual(["1", "3", "20", "N/A", "", null]);
    expect(sorted(values, "desc")).toEqual(["20", "3", "1", "N/A", "", null]);
  });

  it("notes misfits and mixed units", () => {
    const table = { columns: ["Price"], rows: [["$5"], ["€4"], ["ask"]] };
    expect(sortRows(table, { op: "sort", by: "price", direction: "asc" }).notes).toEqual([
      "1 of 3 values of Price are not numbers and come last.",
      'The values of Price have different units ("$", "€"), which were ignored.',
    ]);
  });

  it("refuses an unknown column", () => {
    const table = { columns: ["a"], rows: [["1"]] };
    expect(() => sortRows(table, { op: "sort", by: "b", direction: "asc" })).toThrow(
      expect.objectContaining({ code: "unknown_column" }),
    );
  });

  it("is a permutation that keeps equals in their order, however kinds mix", () => {
    const directions = fc.constantFrom("asc" as const, "desc" as const);
    fc.assert(
      fc.property(fc.array(cells), directions, (values, direction) => {
        const rows = values.map((cell, index) => [cell, index]);
        const table = { columns: ["v", "i"], rows };
        const once = sortRows(table, { op: "sort", by: "v", direction }).table;
        expect(once.rows.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual(rows);
        const twice = sortRows(once, { op: "sort", by: "v", direction }).table;
        expect(twice.rows).toEqual(once.rows);
      }),
    );
  });

  it("orders numbers as numbers", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        const texts = values.map((value) => value.toLocaleString("en-US"));
        const read = sorted(texts).map((text) => Number(String(text).replaceAll(",", "")));
        expect(read).toEqual(values.toSorted((a, b) => a - b));
      }),
    );
  });
});
