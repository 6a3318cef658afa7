import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processData } from "../../../../src/agent/tools/process-data.ts";
import { dataContent, processDataInput } from "../../../../src/contract/tools/data.ts";
import { run } from "./process-data/run.ts";
import { toolContext } from "./support.ts";

describe("process_data", () => {
  it("has no effects, and describes its work", () => {
    const input = processDataInput.parse({
      sources: [{ data: "x" }, { callId: "c" }],
      extract: { kind: "emails" },
    });
    expect(processData.effect).toBeUndefined();
    expect(processData.describe(input)).toBe("Extracting emails from 2 sources");
  });

  it("ends when it is aborted", async () => {
    const input = { sources: [{ data: "x" }], extract: { kind: "text" } };
    const aborted = toolContext({ signal: AbortSignal.abort(new Error("stopped")) });
    await expect(run(input, {}, aborted)).rejects.toThrow("stopped");
  });

  it("answers every input without throwing, with one cell for each column", async () => {
    const extraction = fc.constantFrom(
      { kind: "table" },
      { kind: "json", path: "" },
      { kind: "json", path: "*.*" },
      { kind: "emails" },
      { kind: "links" },
      { kind: "headings" },
      { kind: "lists" },
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
      { numRuns: 150 },
    );
  });
});
