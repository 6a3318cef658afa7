import { describe, expect, it, test } from "vitest";
import {
  concatTables,
  findColumn,
  MAX_CELLS,
  MAX_COLUMNS,
  tableOfGrid,
} from "../../../../../src/agent/tools/process-data/table.ts";
import { CallFailure } from "../../../../../src/agent/tools/tool.ts";

describe("concatTables", () => {
  it("merges columns of the same normalised name, and fills the rest with null", () => {
    const first = { columns: ["Name", "Unit Price"], rows: [["mug", 1]] };
    const second = { columns: ["unit_price", "stock", "name"], rows: [[2, 9, "hat"]] };
    expect(concatTables([first, second])).toEqual({
      table: {
        columns: ["Name", "Unit Price", "stock"],
        rows: [
          ["mug", 1, null],
          ["hat", 2, 9],
        ],
      },
      cut: false,
    });
  });

  it("never merges two columns of one table", () => {
    const table = { columns: ["user_id", "userId"], rows: [[1, 2]] };
    expect(concatTables([table, table]).table).toEqual({
      columns: ["user_id", "userId"],
      rows: [
        [1, 2],
        [1, 2],
      ],
    });
  });

  it("notes rows and columns cut at the limits", () => {
    const tall = { columns: ["a"], rows: Array.from({ length: MAX_CELLS / 2 + 1 }, () => [1]) };
    const rows = concatTables([tall, tall]);
    expect(rows.cut).toBe(true);
    expect(rows.table.rows).toHaveLength(MAX_CELLS);

    const wide = (name: string) => ({
      columns: Array.from({ length: 400 }, (_, index) => `${name}${index}x`),
      rows: [],
    });
    const columns = concatTables([wide("a"), wide("b")]);
    expect(columns.cut).toBe(true);
    expect(columns.table.columns).toHaveLength(MAX_COLUMNS);
  });
});

describe("tableOfGrid", () => {
  it("bounds the number of columns and the length of their names", () => {
    const { table, cut } = tableOfGrid(["😀".repeat(100)], [Array.from({ length: 600 }, () => 1)]);
    expect(cut).toBe(true);
    expect(table.columns).toHaveLength(MAX_COLUMNS);
    expect(table.columns[0]?.isWellFormed()).toBe(true);
    expect(table.columns[0]?.length).toBeLessThanOrEqual(100);
  });
});

describe("findColumn", () => {
  const columns = ["Name", "Unit Price", "unit_cost", "Categories", "name", "Class"];

  test.each([
    ["Name", 0],
    ["name", 4],
    ["NAME", 0],
    ["unit-price", 1],
    ["Unit Cost", 2],
    ["Ｕnit\u00a0cost", 2],
  ])("finds %j at %d", (wanted, index) => {
    expect(findColumn(columns, wanted)).toBe(index);
  });

  it.each(["Unit", "Categorie", "unit prices"])("does not guess the meaning of %j", (wanted) => {
    expect(() => findColumn(columns, wanted)).toThrow(CallFailure);
  });

  it("lists the columns if it finds none", () => {
    expect(() => findColumn(["a", "b"], "price")).toThrow(
      new CallFailure('There is no column "price". Columns: "a", "b".', "unknown_column"),
    );
  });

  it("matches no column by a name of separators only", () => {
    expect(() => findColumn(["a"], "_")).toThrow(CallFailure);
    expect(findColumn(["-"], "-")).toBe(0);
  });

  it("shortens a long list of columns", () => {
    const many = Array.from({ length: 40 }, (_, index) => `c${index}`);
    expect(() => findColumn(many, "x")).toThrow("and 10 more");
  });
});
