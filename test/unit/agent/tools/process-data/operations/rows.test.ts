import { describe, expect, it } from "vitest";
import {
  distinctRows,
  limitRows,
  selectColumns,
} from "../../../../../../src/agent/tools/process-data/operations/rows.ts";
import { applied } from "./support.ts";

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
    expect(applied(first).table.rows).toEqual([[1, "x"]]);
    expect(applied(last).table.rows).toEqual([
      ["1 ", "x"],
      [2, "y"],
    ]);
  });

  it("keeps all rows when there are fewer, and none for 0", () => {
    for (const from of ["start", "end"] as const) {
      expect(applied(limitRows(table, { op: "limit", count: 9, from })).table).toEqual(table);
      expect(applied(limitRows(table, { op: "limit", count: 0, from })).table.rows).toEqual([]);
    }
  });
});

describe("selectColumns", () => {
  it("keeps columns in the order asked for, each once", () => {
    const result = applied(selectColumns(table, { op: "select", columns: ["B", "a", "b"] }));
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
    expect(selectColumns(table, { op: "select", columns: ["c"] })).toMatchObject({
      error: { code: "unknown_column" },
    });
  });
});

describe("distinctRows", () => {
  it("keeps the first of rows that read the same", () => {
    expect(applied(distinctRows(table, { op: "distinct" })).table.rows).toEqual([
      [1, "x"],
      [2, "y"],
    ]);
    const byB = applied(distinctRows(table, { op: "distinct", columns: ["b"] }));
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
    const result = applied(distinctRows({ columns: ["x", "y"], rows }, { op: "distinct" }));
    expect(result.table.rows).toEqual(rows);
  });
});
