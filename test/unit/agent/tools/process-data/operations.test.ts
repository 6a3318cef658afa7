import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  aggregateRows,
  distinctRows,
  filterRows,
  limitRows,
  selectColumns,
  sortRows,
} from "../../../../../src/agent/tools/process-data/operations.ts";
import { CallFailure } from "../../../../../src/agent/tools/tool.ts";
import type { Json } from "../../../../../src/contract/json.ts";
import type { AGGREGATES, DataOperation, RowTest } from "../../../../../src/contract/tools/data.ts";

/** Cells of every kind that a column may mix. */
const cells: fc.Arbitrary<Json> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.integer().map((value) => `$${value.toLocaleString("en-US")}`),
  fc.constantFrom("", " ", null, "N/A", "12 March 2024", "2024-01-02", "5 kg", true, false),
  fc.constantFrom<Json>([], {}, ["a"], { a: 1 }),
);

/** A table of one column. */
const columnOf = (values: readonly Json[], name = "v") => ({
  columns: [name],
  rows: values.map((value) => [value]),
});

/** A table whose second column numbers the rows. */
const numbered = (values: readonly Json[]) => ({
  columns: ["v", "i"],
  rows: values.map((cell, index): Json[] => [cell, index]),
});

const byNumber = (rows: readonly Json[][]) => rows.toSorted((a, b) => Number(a[1]) - Number(b[1]));

const table = {
  columns: ["a", "b"],
  rows: [
    [1, "x"],
    ["1 ", "x"],
    [2, "y"],
  ],
};

describe("limitRows", () => {
  it("keeps rows from the start or the end, and all when there are fewer", () => {
    const limited = (count: number, from: "start" | "end") =>
      limitRows(table, { op: "limit", count, from }).table.rows;
    expect(limited(1, "start")).toEqual([[1, "x"]]);
    expect(limited(1, "end")).toEqual([[2, "y"]]);
    for (const from of ["start", "end"] as const) {
      expect(limited(9, from)).toEqual(table.rows);
      expect(limited(0, from)).toEqual([]);
    }
  });
});

describe("selectColumns", () => {
  it("keeps columns in the requested order, each once", () => {
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
});

describe("distinctRows", () => {
  it("keeps the first of identical rows, by all columns or the named ones", () => {
    const first = [
      [1, "x"],
      [2, "y"],
    ];
    expect(distinctRows(table, { op: "distinct" }).table.rows).toEqual(first);
    expect(distinctRows(table, { op: "distinct", columns: ["b"] }).table.rows).toEqual(first);
  });

  it("does not confuse cells that are equal only when joined", () => {
    const rows = [
      ["a,b", "c"],
      ["a", "b,c"],
      ['a"', "b"],
    ];
    const result = distinctRows({ columns: ["x", "y"], rows }, { op: "distinct" });
    expect(result.table.rows).toEqual(rows);
  });
});

describe("sortRows", () => {
  const sorted = (values: Json[], direction: "asc" | "desc" = "asc"): Json[] =>
    sortRows(columnOf(values), { op: "sort", by: "v", direction }).table.rows.flat();

  test.each<[string, Json[], Json[]]>([
    ["numbers in text", ["$1,200", "$9", "-$85.50"], ["-$85.50", "$9", "$1,200"]],
    [
      "dates",
      ["2024-03-12", "2023-05-01", "2024-01-03T09:00Z"],
      ["2023-05-01", "2024-01-03T09:00Z", "2024-03-12"],
    ],
    ["text without case", ["b", "A", "c", "B"], ["A", "b", "B", "c"]],
    [
      "mostly text as text",
      ["pear", "10", "fig", "apple", "9"],
      ["10", "9", "apple", "fig", "pear"],
    ],
  ])("sorts %s", (_, values, expected) => {
    expect(sorted(values)).toEqual(expected);
  });

  it("notes that dates and numbers of another form were compared as text", () => {
    const by = { op: "sort", by: "v", direction: "asc" } as const;
    expect(sortRows(columnOf(["Ann", "1 Mar 2024", "15 Jan 2024"]), by).notes).toEqual([
      'v was compared letter by letter: "1 Mar 2024" is read neither as a number nor as an ISO date.',
    ]);
    expect(sortRows(columnOf(["b", "a"]), by).notes).toEqual([]);
  });

  it("sorts text after numbers and empty cells last, in both directions", () => {
    const values = ["", "3", "N/A", null, "20", "1"];
    expect(sorted(values)).toEqual(["1", "3", "20", "N/A", "", null]);
    expect(sorted(values, "desc")).toEqual(["20", "3", "1", "N/A", "", null]);
  });

  it("notes text among numbers, and mixed units", () => {
    const prices = columnOf(["$5", "€4", "ask"], "Price");
    expect(sortRows(prices, { op: "sort", by: "price", direction: "asc" }).notes).toEqual([
      "1 of 3 values of Price are not numbers and come last.",
      'The values of Price have different units ("$", "€"), which were ignored.',
    ]);
  });

  it("is a stable permutation for any mix of kinds", () => {
    const directions = fc.constantFrom("asc" as const, "desc" as const);
    fc.assert(
      fc.property(fc.array(cells), directions, (values, direction) => {
        const before = numbered(values);
        const once = sortRows(before, { op: "sort", by: "v", direction }).table;
        expect(byNumber(once.rows)).toEqual(before.rows);
        const twice = sortRows(once, { op: "sort", by: "v", direction }).table;
        expect(twice.rows).toEqual(once.rows);
      }),
    );
  });
});

describe("filterRows", () => {
  const kept = (values: Json[], filter: Omit<RowTest, "column">): Json[] =>
    filterRows(columnOf(values), { column: "v", ...filter }).table.rows.flat();

  test.each<[string, Omit<RowTest, "column">, Json[], Json[]]>([
    [
      "numbers in text",
      { test: "gt", value: 100 },
      ["$1,200.50", "99", 101, "3.5 kg"],
      ["$1,200.50", 101],
    ],
    ["a value given as text", { test: "lte", value: "$5" }, ["$4.99", "5", "$10"], ["$4.99", "5"]],
    ["negative amounts", { test: "lt", value: 0 }, ["-200", "−5", "5"], ["-200", "−5"]],
    ["percentages", { test: "gte", value: "12 %" }, ["12%", "11.9 %"], ["12%"]],
    ["dates", { test: "gt", value: "2024-02-01" }, ["2024-03-12", "2024-01-03"], ["2024-03-12"]],
    ["text", { test: "lt", value: "M" }, ["apple", "Zebra", "milk"], ["apple"]],
    [
      "equal numbers",
      { test: "eq", value: "1,200" },
      ["1200.00", 1_200, "$1,200", "1201"],
      ["1200.00", 1_200, "$1,200"],
    ],
    [
      "equal text",
      { test: "eq", value: "oslo" },
      ["Oslo", " OSLO ", "Oslo city"],
      ["Oslo", " OSLO "],
    ],
    [
      "equal dates",
      { test: "eq", value: "2024-03-12" },
      ["2024-03-12T00:00Z", "2024-03-13"],
      ["2024-03-12T00:00Z"],
    ],
    ["truth", { test: "eq", value: true }, [true, "TRUE", false, "yes"], [true, "TRUE"]],
    ["units that differ", { test: "eq", value: "5 kg" }, ["5 lb", "5", "5.0 kg"], ["5", "5.0 kg"]],
    [
      "long identifiers",
      { test: "eq", value: "12345678901234567890" },
      ["12345678901234567891"],
      [],
    ],
    ["part of a text", { test: "contains", value: "BLUE" }, ["a blue mug", "red"], ["a blue mug"]],
    ["part of a number", { test: "contains", value: 20 }, [1_200, 5], [1_200]],
    ["a start", { test: "starts_with", value: "mr" }, ["Mr X", "Dr Mr"], ["Mr X"]],
    ["an end", { test: "ends_with", value: ".ORG" }, ["x.org", "x.org/a"], ["x.org"]],
    ["emptiness", { test: "empty" }, ["", " ", null, [], {}, 0, false], ["", " ", null, [], {}]],
  ])("compares %s", (_, filter, values, expected) => {
    expect(kept(values, filter)).toEqual(expected);
  });

  it("excludes values that are not numbers from an order, and notes them", () => {
    const prices = columnOf(["$5", "N/A", "", "$200"], "Price");
    const result = filterRows(prices, { column: "price", test: "gt", value: 100 });
    expect(result.table.rows).toEqual([["$200"]]);
    expect(result.notes).toEqual(["1 of 3 values of Price are not numbers and did not match."]);
  });

  it("notes an order of values that are neither numbers nor dates, but look like it", () => {
    const notesOf = (test: "gt" | "eq", value: string) =>
      filterRows(columnOf(["9:15", "10:30"]), { column: "v", test, value }).notes;
    expect(notesOf("gt", "9:30")).toEqual([expect.stringContaining("letter by letter")]);
    expect(notesOf("eq", "9:30")).toEqual([]);
  });

  it("refuses a test without its value", () => {
    expect(() => filterRows(table, { column: "a", test: "gt" })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  test.each([
    ["eq", "ne"],
    ["contains", "not_contains"],
    ["not_empty", "empty"],
  ] as const)("keeps with %s exactly what it drops with %s", (test, negated) => {
    fc.assert(
      fc.property(fc.array(cells), fc.string(), (values, value) => {
        const all = numbered(values);
        const yes = filterRows(all, { column: "v", test, value });
        const no = filterRows(all, { column: "v", test: negated, value });
        expect(byNumber([...yes.table.rows, ...no.table.rows])).toEqual(all.rows);
      }),
    );
  });
});

type Aggregates = Extract<DataOperation, { op: "aggregate" }>["aggregates"];

function figures(
  data: { columns: string[]; rows: Json[][] },
  aggregates: Aggregates,
  by: string[] = [],
) {
  return aggregateRows(data, { op: "aggregate", by, aggregates });
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
    expect(figures(columnOf(values), [{ fn, column: "v" }]).table).toEqual({
      columns: [`${fn} of v`],
      rows: [[expected]],
    });
  });

  it("groups in order of the first row, and notes omitted values", () => {
    const sales = {
      columns: ["Region", "Price"],
      rows: [
        ["North", "$10.10"],
        ["South", "$20.20"],
        ["North", "$0.20"],
        ["South", "n/a"],
        ["North", ""],
        ["East", "?"],
      ],
    };
    const all: Aggregates = [{ fn: "count" }, { fn: "max", column: "price" }];
    expect(figures(sales, all, ["region"])).toEqual({
      table: {
        columns: ["Region", "count", "max of Price"],
        rows: [
          ["North", 3, 10.1],
          ["South", 2, 20.2],
          ["East", 1, null],
        ],
      },
      notes: ["2 of 5 values of Price are not numbers and were left out."],
    });
  });

  it("warns of sums over different currencies", () => {
    expect(figures(columnOf(["$1", "€1"]), [{ fn: "sum", column: "v" }]).notes).toEqual([
      'The values of v have different units ("$", "€"), which were ignored.',
    ]);
  });

  it("refuses a column without numbers, and a sum without a column", () => {
    expect(() => figures(columnOf(["a", ""]), [{ fn: "sum", column: "v" }])).toThrow(
      new CallFailure("No value of v is a number.", "not_numbers"),
    );
    expect(() => figures(table, [{ fn: "sum" }])).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  it("counts and sums zero rows as zero", () => {
    const none = columnOf([]);
    const all: Aggregates = [
      { fn: "count" },
      { fn: "sum", column: "v" },
      { fn: "max", column: "v" },
    ];
    expect(figures(none, all).table.rows).toEqual([[0, 0, null]]);
    expect(figures(none, [{ fn: "count" }], ["v"]).table.rows).toEqual([]);
  });

  it("returns a repeated figure once, and keeps names distinct", () => {
    const counted = columnOf(["a"], "count");
    const result = figures(counted, [{ fn: "count" }, { fn: "count" }], ["count"]);
    expect(result.table).toEqual({ columns: ["count", "count 2"], rows: [["a", 1]] });
  });

  it("notes that a table's own total was counted, too", () => {
    const rows = [
      ["Tea", "2"],
      ["Total", "2"],
      ["Subtotal:", "2"],
    ];
    const notesOf = (count: number) => {
      const part = { columns: ["item", "v"], rows: rows.slice(0, count) };
      return figures(part, [{ fn: "sum", column: "v" }]).notes;
    };
    expect(notesOf(1)).toEqual([]);
    expect(notesOf(2)).toEqual(['The last row, "Total", was counted like the others.']);
    expect(notesOf(3)).toEqual(['The last row, "Subtotal:", was counted like the others.']);
  });

  it("loses no cent in a long column of large numbers", () => {
    const column = columnOf(Array(60_000).fill("999999999999.99"));
    const { rows } = figures(column, [{ fn: "sum", column: "v" }]).table;
    expect(rows).toEqual([[59_999_999_999_999_400]]);
  });

  it("sums prices to exactly the integer sum of their cents", () => {
    const cents = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 });
    fc.assert(
      fc.property(cents, (values) => {
        const prices = values.map(
          (cent) => `${cent < 0 ? "-" : ""}$${(Math.abs(cent) / 100).toFixed(2)}`,
        );
        const result = figures(columnOf(prices), [{ fn: "sum", column: "v" }]);
        const total = values.reduce((sum, cent) => sum + cent, 0);
        expect(result.table.rows).toEqual([[total / 100 + 0]]);
      }),
    );
  });
});
