import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { aggregateRows } from "../../../../../../src/agent/tools/process-data/operations.ts";
import { CallFailure } from "../../../../../../src/agent/tools/tool.ts";
import type { Json } from "../../../../../../src/contract/json.ts";
import type { AGGREGATES, DataOperation } from "../../../../../../src/contract/tools/data.ts";

type Aggregates = Extract<DataOperation, { op: "aggregate" }>["aggregates"];

const sales = {
  columns: ["Region", "Price"],
  rows: [
    ["North", "$10.10"],
    ["South", "$20.20"],
    ["North", "$0.20"],
    ["South", "n/a"],
    ["North", ""],
  ],
};

function figures(
  table: { columns: string[]; rows: Json[][] },
  aggregates: Aggregates,
  by: string[] = [],
) {
  return aggregateRows(table, { op: "aggregate", by, aggregates });
}

describe("aggregateRows", () => {
  test.each<[(typeof AGGREGATES)[number], Json[], Json]>([
    ["sum", ["0.1", "0.2"], 0.3],
    ["sum", ["$1,200.50", "-200", 5], 1_005.5],
    ["average", ["1", "2"], 1.5],
    ["average", ["0.1", "0.1", "0.1"], 0.1],
    ["min", ["3 kg", "-2 kg"], -2],
    ["max", ["3", "20"], 20],
    ["count", ["a", "", null, "b"], 2],
    ["min", ["2024-03-12", "2024-01-03"], "2024-01-03"],
    ["max", ["2024-03-12", "", "2023-01-01"], "2024-03-12"],
  ])("works out the %s of %j", (fn, values, expected) => {
    const table = { columns: ["v"], rows: values.map((value) => [value]) };
    expect(figures(table, [{ fn, column: "v" }]).table).toEqual({
      columns: [`${fn} of v`],
      rows: [[expected]],
    });
  });

  it("groups in order of the first row, and notes what it left out", () => {
    const result = figures(sales, [{ fn: "count" }, { fn: "sum", column: "price" }], ["region"]);
    expect(result).toEqual({
      table: {
        columns: ["Region", "count", "sum of Price"],
        rows: [
          ["North", 3, 10.3],
          ["South", 2, 20.2],
        ],
      },
      notes: ["1 of 4 values of Price are not numbers and were left out."],
    });
  });

  it("has no figure for a group without numbers", () => {
    const table = {
      columns: ["g", "v"],
      rows: [
        ["a", 1],
        ["b", "?"],
      ],
    };
    const { rows } = figures(table, [{ fn: "max", column: "v" }], ["g"]).table;
    expect(rows).toEqual([
      ["a", 1],
      ["b", null],
    ]);
  });

  it("warns of sums over different currencies", () => {
    const table = { columns: ["v"], rows: [["$1"], ["€1"]] };
    expect(figures(table, [{ fn: "sum", column: "v" }]).notes).toEqual([
      'The values of v have different units ("$", "€"), which were ignored.',
    ]);
  });

  it("refuses a column without any number", () => {
    const table = { columns: ["v"], rows: [["a"], [""]] };
    expect(() => figures(table, [{ fn: "sum", column: "v" }])).toThrow(
      new CallFailure("No value of v is a number.", "not_numbers"),
    );
  });

  it("counts no rows as none and adds them up to zero", () => {
    const table = { columns: ["v"], rows: [] };
    const all: Aggregates = [
      { fn: "count" },
      { fn: "sum", column: "v" },
      { fn: "max", column: "v" },
    ];
    expect(figures(table, all).table.rows).toEqual([[0, 0, null]]);
    expect(figures(table, [{ fn: "count" }], ["v"]).table.rows).toEqual([]);
  });

  it("refuses unknown columns and a sum of nothing named", () => {
    expect(() => figures(sales, [{ fn: "sum", column: "x" }])).toThrow('"Region", "Price"');
    expect(() => figures(sales, [{ fn: "count" }], ["x"])).toThrow(
      expect.objectContaining({ code: "unknown_column" }),
    );
    expect(() => figures(sales, [{ fn: "sum" }])).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  it("answers a figure asked for twice once, and keeps names distinct", () => {
    const table = { columns: ["count"], rows: [["a"]] };
    const result = figures(table, [{ fn: "count" }, { fn: "count" }], ["count"]);
    expect(result.table).toEqual({ columns: ["count", "count 2"], rows: [["a", 1]] });
  });

  it("sums prices to exactly the integer sum of their cents", () => {
    const cents = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 });
    fc.assert(
      fc.property(cents, (values) => {
        const rows = values.map((cent) => [
          `${cent < 0 ? "-" : ""}$${(Math.abs(cent) / 100).toFixed(2)}`,
        ]);
        const result = figures({ columns: ["v"], rows }, [{ fn: "sum", column: "v" }]);
        const total = values.reduce((sum, cent) => sum + cent, 0);
        expect(result.table.rows).toEqual([[total / 100 + 0]]);
      }),
    );
  });

  it("splits the count and the sum over groups without loss", () => {
    const row = fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer());
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const both: Aggregates = [{ fn: "count" }, { fn: "sum", column: "v" }];
        const groups = figures({ columns: ["g", "v"], rows }, both, ["g"]).table.rows;
        const total = (place: number) =>
          groups.reduce((sum, group) => sum + Number(group[place]), 0);
        expect(total(1)).toBe(rows.length);
        expect(total(2)).toBe(rows.reduce((sum, [, value]) => sum + value, 0));
      }),
    );
  });
});
