import fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_RESULT_BYTES } from "../../../../../src/agent/tools/process-data/table.ts";
import { fitRows } from "../../../../../src/agent/tools/process-data.ts";
import type { Json } from "../../../../../src/contract/json.ts";

function bytes(value: Json): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

it("keeps everything that fits", () => {
  const rows = [
    ["a", 1],
    ["b", null],
  ];
  expect(fitRows({ columns: ["x", "y"], rows })).toEqual({ rows, cut: false });
});

it("keeps the first rows that fit, counted in bytes of UTF-8", () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => [index, "é\n".repeat(500)]);
  const { rows: kept, cut } = fitRows({ columns: ["i", "text"], rows });
  expect(cut).toBe(true);
  expect(kept).toEqual(rows.slice(0, kept.length));
  expect(bytes(kept)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
  expect(bytes(rows.slice(0, kept.length + 1))).toBeGreaterThan(MAX_RESULT_BYTES * 0.99);
});

it("shortens the cells of a single row that is too long, and leaves short ones whole", () => {
  const { rows, cut } = fitRows({
    columns: ["url", "text"],
    rows: [["u", "😀".repeat(500_000)]],
  });
  expect(cut).toBe(true);
  expect(rows[0]?.[0]).toBe("u");
  expect(String(rows[0]?.[1])).toMatch(/^(😀)+$/u);
  expect(bytes(rows)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
});

it("never passes the limit, whatever the cells are", () => {
  const long = fc.tuple(
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
    fc.integer({ min: 1, max: 30_000 }),
  );
  const cell = long.map(([text, times]): Json => text.repeat(times));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 5 }), (rows) => {
      const fitted = fitRows({ columns: ["a", "b"], rows });
      expect(bytes({ columns: ["a", "b"], rows: fitted.rows })).toBeLessThanOrEqual(
        MAX_RESULT_BYTES + 30,
      );
    }),
    { numRuns: 50 },
  );
});
