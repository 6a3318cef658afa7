import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_RESULT_BYTES } from "../../../../src/agent/tools/process-data/table.ts";
import { fitRows, processData } from "../../../../src/agent/tools/process-data.ts";
import type { Json } from "../../../../src/contract/json.ts";
import { dataContent, processDataInput } from "../../../../src/contract/tools/process-data.ts";
import { contextWith, run } from "./process-data/run.ts";

describe("process_data", () => {
  it("stops at the first operation that cannot be done and lists the columns", async () => {
    const { answer } = await run({
      sources: [{ data: "a,b\n1,2" }],
      extract: { kind: "table" },
      operations: [
        { op: "select", columns: ["a"] },
        { op: "sort", by: "b" },
      ],
    });
    expect(answer).toEqual({
      ok: false,
      error: { code: "unknown_column", message: 'There is no column "b". Columns: "a".' },
    });
  });

  it("changes nothing outside and tells what it does", () => {
    const input = processDataInput.parse({
      sources: [{ data: "x" }, { callId: "c" }],
      extract: { kind: "emails" },
    });
    expect(processData.effect(input)).toBeNull();
    expect(processData.describe(input)).toBe("Extracting emails from 2 sources");
  });

  it("ends when it is aborted", async () => {
    const input = processDataInput.parse({ sources: [{ data: "x" }], extract: { kind: "text" } });
    const aborted = contextWith({}, AbortSignal.abort(new Error("stopped")));
    await expect(processData.run(input, aborted)).rejects.toThrow("stopped");
  });

  it("answers every input without throwing, with rows as wide as the columns", async () => {
    const extraction = fc.constantFrom(
      { kind: "table" },
      { kind: "json", path: "" },
      { kind: "json", path: "*.*" },
      { kind: "emails" },
      { kind: "links" },
      { kind: "headings" },
      { kind: "lists" },
      { kind: "lines" },
      { kind: "text" },
    );
    const data = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc
        .array(
          fc.constantFrom("<table>", "<td>", "$", "1,", "|", "\n", "- ", "#", "@a.b", '"', "["),
          { maxLength: 60 },
        )
        .map((parts) => parts.join("")),
    );
    const format = fc.constantFrom("auto", "csv", "json", "html", "text");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ data, format }), { minLength: 1, maxLength: 3 }),
        extraction,
        async (sources, extract) => {
          const { answer } = await run({ sources, extract });
          if (!answer.ok) return;
          const { columns, rows } = dataContent.parse(answer.content);
          expect(rows.every((row) => row.length === columns.length)).toBe(true);
          expect(new Set(columns).size).toBe(columns.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

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
