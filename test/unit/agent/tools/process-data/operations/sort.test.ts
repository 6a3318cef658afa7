import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { sortRows } from "../../../../../../src/agent/tools/process-data/operations/rows.ts";
import type { Json } from "../../../../../../src/contract/json.ts";
import { applied, cells } from "./support.ts";

function sorted(values: Json[], direction: "asc" | "desc" = "asc"): Json[] {
  const table = { columns: ["v"], rows: values.map((value) => [value]) };
  return applied(sortRows(table, { op: "sort", by: "v", direction })).table.rows.flat();
}

describe("sortRows", () => {
  test.each<[string, Json[], Json[]]>([
    ["numbers in text", ["$1,200", "$9", "$85.50"], ["$9", "$85.50", "$1,200"]],
    ["negative numbers", ["5", "(200)", "−5"], ["(200)", "−5", "5"]],
    [
      "dates",
      ["12 March 2024", "2023-05-01", "Jan 3, 2024"],
      ["2023-05-01", "Jan 3, 2024", "12 March 2024"],
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
    expect(applied(sortRows(table, { op: "sort", by: "price", direction: "asc" })).notes).toEqual([
      "1 of 3 values of Price are not numbers and come last.",
      'The values of Price have different units ("USD", "EUR"), which were ignored.',
    ]);
  });

  it("refuses an unknown column", () => {
    const table = { columns: ["a"], rows: [["1"]] };
    expect(sortRows(table, { op: "sort", by: "b", direction: "asc" })).toMatchObject({
      ok: false,
      error: { code: "unknown_column" },
    });
  });

  it("is a permutation that keeps equals in their order, however kinds mix", () => {
    const directions = fc.constantFrom("asc" as const, "desc" as const);
    fc.assert(
      fc.property(fc.array(cells), directions, (values, direction) => {
        const rows = values.map((cell, index) => [cell, index]);
        const table = { columns: ["v", "i"], rows };
        const once = applied(sortRows(table, { op: "sort", by: "v", direction })).table;
        expect(once.rows.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual(rows);
        const twice = applied(sortRows(once, { op: "sort", by: "v", direction })).table;
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
