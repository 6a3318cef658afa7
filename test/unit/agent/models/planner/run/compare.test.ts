import { describe, expect, it } from "vitest";
import { compareRows } from "../../../../../../src/agent/models/planner/run/compare.ts";

const before = {
  columns: ["Item", "Price", "Stock"],
  rows: [
    ["Tea", "$3.00", 4],
    ["Cake", "$4.00", 5],
    ["Milk", "$1.00", 6],
  ],
};
const after = {
  columns: ["item", "price", "Stock"],
  rows: [
    ["tea", "$3", 4],
    ["Cake", "$5.00", 5],
    ["Rye", "$2.00", 1],
  ],
};
const sides: [string, string] = ["Shop A", "Shop B"];

describe("compareRows", () => {
  it.each([
    ["added", { columns: after.columns, rows: [["Rye", "$2.00", 1]] }],
    ["removed", { columns: before.columns, rows: [["Milk", "$1.00", 6]] }],
    [
      "common",
      {
        columns: after.columns,
        rows: [
          ["tea", "$3", 4],
          ["Cake", "$5.00", 5],
        ],
      },
    ],
    [
      "changed",
      { columns: ["Item", "Price (Shop A)", "Price (Shop B)"], rows: [["Cake", "$4.00", "$5.00"]] },
    ],
  ] as const)("shows what is %s", (show, expected) => {
    expect(compareRows([before, after], { key: "Item", show, sides })).toEqual(expected);
  });

  it("puts all values of both sides next to each other", () => {
    const all = compareRows([before, after], { key: "Item", show: "all", sides });
    expect(all?.columns).toEqual([
      "Item",
      "Price (Shop A)",
      "Price (Shop B)",
      "Stock (Shop A)",
      "Stock (Shop B)",
    ]);
    expect(all?.rows).toContainEqual(["Milk", "$1.00", null, 6, null]);
  });

  it("refuses a key that is no column of both, or names several rows", () => {
    const twice = { ...after, rows: [...after.rows, ["Tea", "$9", 1]] };
    expect(compareRows([before, after], { key: "Name", show: "all", sides })).toBeNull();
    expect(compareRows([before, twice], { key: "Item", show: "all", sides })).toBeNull();
  });
});
