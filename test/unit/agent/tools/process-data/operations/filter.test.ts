import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { filterRows } from "../../../../../../src/agent/tools/process-data/operations.ts";
import type { Json } from "../../../../../../src/contract/json.ts";
import type { RowTest } from "../../../../../../src/contract/tools/data.ts";
import { cells } from "./support.ts";

function kept(values: Json[], filter: Omit<RowTest, "column">): Json[] {
  const table = { columns: ["v"], rows: values.map((value) => [value]) };
  return filterRows(table, { column: "v", ...filter }).table.rows.flat();
}

describe("filterRows", () => {
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

  it("keeps values that are no numbers out of an order, and notes them", () => {
    const table = { columns: ["Price"], rows: [["$5"], ["N/A"], [""], ["$200"]] };
    const result = filterRows(table, { column: "price", test: "gt", value: 100 });
    expect(result.table.rows).toEqual([["$200"]]);
    expect(result.notes).toEqual(["1 of 3 values of Price are not numbers and did not match."]);
  });

  it("refuses a test without its value, and an unknown column", () => {
    const table = { columns: ["a"], rows: [] };
    expect(() => filterRows(table, { column: "a", test: "gt" })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
    expect(() => filterRows(table, { column: "b", test: "empty" })).toThrow('Columns: "a"');
  });

  test.each([
    ["eq", "ne"],
    ["contains", "not_contains"],
    ["not_empty", "empty"],
  ] as const)("keeps with %s exactly what it drops with %s", (test, negated) => {
    fc.assert(
      fc.property(fc.array(cells), fc.string(), (values, value) => {
        const rows = values.map((cell, index) => [cell, index]);
        const table = { columns: ["v", "i"], rows };
        const yes = filterRows(table, { column: "v", test, value });
        const no = filterRows(table, { column: "v", test: negated, value });
        const all = [...yes.table.rows, ...no.table.rows];
        expect(all.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual(rows);
      }),
    );
  });

  it("splits numbers with gt and lte without loss", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (values, value) => {
        const above = kept(values, { test: "gt", value });
        const upTo = kept(values, { test: "lte", value });
        expect(above.length + upTo.length).toBe(values.length);
      }),
    );
  });
});
