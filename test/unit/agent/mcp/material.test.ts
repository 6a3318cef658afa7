import { describe, expect, it } from "vitest";
import { toToolResult } from "../../../../src/agent/mcp/result.ts";
import { emitOutput } from "../../../../src/agent/tools/emit-output.ts";
import { processData } from "../../../../src/agent/tools/process-data.ts";
import { processDataInput } from "../../../../src/contract/tools/data.ts";
import { emitOutputInput } from "../../../../src/contract/tools/write.ts";
import type { McpResult } from "../../../../src/ports/mcp.ts";
import { toolContext } from "../tools/support.ts";

const answered = (result: Partial<McpResult>) =>
  toToolResult("crm", "report", { content: [], isError: false, ...result }).answer;

const context = toolContext({
  earlier: {
    data: answered({ structuredContent: { rows: [{ month: "May", sales: 3 }] } }),
    text: answered({ content: [{ type: "text", text: "month,sales\nMay,3\nJune,5\n" }] }),
    cut: answered({ content: [{ type: "text", text: `${"a".repeat(1_000)}\n`.repeat(2_200) }] }),
  },
});

const emit = (input: Record<string, unknown>) =>
  emitOutput.run(emitOutputInput.parse({ label: "Sales", ...input }), context);
const process = (input: Record<string, unknown>) =>
  processData.run(processDataInput.parse(input), context);

describe("the answer of a remote tool for other tools", () => {
  it("is output unchanged, and becomes a table only in process_data", async () => {
    expect((await emit({ type: "json", from: "data" })).outputs).toMatchObject([
      { nodeType: "STRUCTURED_RESULT", value: { rows: [{ month: "May", sales: 3 }] } },
    ]);
    const { outputs = [] } = await emit({ type: "file", from: "text", filename: "sales.csv" });
    expect(new TextDecoder().decode(outputs[0]?.bytes)).toContain("June,5");
    expect((await emit({ type: "table", from: "data" })).answer).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("process_data") },
    });
    const rows = async (callId: string, extract: Record<string, unknown>) =>
      (await process({ sources: [{ callId }], extract })).answer;
    expect(await rows("data", { kind: "json", path: "rows" })).toMatchObject({
      content: { columns: ["month", "sales"], rows: [["May", 3]] },
    });
    expect(await rows("text", { kind: "table" })).toMatchObject({
      content: { columns: ["month", "sales"], rowCount: 2 },
    });
  });

  it("stays marked as cut", async () => {
    const { answer } = await process({ sources: [{ callId: "cut" }], extract: { kind: "text" } });
    expect(answer).toMatchObject({ ok: true, content: { cut: true } });
  });
});
