import { describe, expect, it } from "vitest";
import { toToolResult } from "../../../../src/agent/mcp/result.ts";
import { emitOutput } from "../../../../src/agent/tools/emit-output.ts";
import { processData } from "../../../../src/agent/tools/process-data.ts";
import { storedBytes } from "../../../../src/agent/tools/text.ts";
import type { Json } from "../../../../src/contract/json.ts";
import { mcpToolContent } from "../../../../src/contract/tools/call.ts";
import { processDataInput } from "../../../../src/contract/tools/data.ts";
import { emitOutputInput } from "../../../../src/contract/tools/write.ts";
import type { McpResult } from "../../../../src/ports/mcp.ts";
import { toolContext } from "../tools/support.ts";

const text = (value: string): Json => ({ type: "text", text: value });

function contentOf(result: Partial<McpResult>) {
  const { answer } = toToolResult("crm", "look_up", { content: [], isError: false, ...result });
  if (!answer.ok) throw new Error(answer.error.message);
  return mcpToolContent.parse(answer.content);
}

function errorOf(result: Partial<McpResult>) {
  const { answer } = toToolResult("crm", "look_up", { content: [], isError: true, ...result });
  if (answer.ok) throw new Error("it is no error");
  return answer.error;
}

it("is read quickly, even with invalid base64", () => {
  const data = `${"=".repeat(1_000_000)}x`;
  contentOf({ content: [{ type: "image", data, mimeType: "image/png" }] });
});

describe("the answer of a remote tool", () => {
  it("joins its texts, including embedded ones", () => {
    const resource = { uri: "crm://1", text: "three" };
    expect(
      contentOf({ content: [text("one"), text("two"), { type: "resource", resource }] }),
    ).toEqual({
      server: "crm",
      tool: "look_up",
      text: "one\n\ntwo\n\nthree",
      attachments: [{ kind: "resource", mediaType: "", uri: "crm://1" }],
      cut: false,
    });
  });

  it("prefers structured content to its repetition as text", () => {
    const content = contentOf({ content: [text("3 sales")], structuredContent: { sales: 3 } });
    expect(content).toMatchObject({ json: { sales: 3 }, cut: false });
    expect(content).not.toHaveProperty("text");
  });

  it("reads text that is JSON as JSON, and other text as it is", () => {
    expect(contentOf({ content: [text(' [{"a": 1}]')] }).json).toEqual([{ a: 1 }]);
    expect(contentOf({ content: [text('{"id": 9007199254740993}')] }).json).toEqual({
      id: "9007199254740993",
    });
    expect(contentOf({ content: [text("[not] JSON")] }).text).toBe("[not] JSON");
    expect(contentOf({ content: [text("12")] }).text).toBe("12");
  });

  it("names pictures, sounds, files and links, without their bytes", () => {
    const data = btoa("12345");
    const { attachments } = contentOf({
      content: [
        { type: "image", data, mimeType: "image/png" },
        { type: "audio", data: btoa("123456"), mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "crm://2", blob: data, mimeType: "application/pdf" } },
        { type: "resource_link", uri: "https://crm.example/3", name: "Three" },
      ],
    });
    expect(attachments).toEqual([
      { kind: "image", mediaType: "image/png", sizeBytes: 5, file: "look_up-1.png" },
      { kind: "audio", mediaType: "audio/wav", sizeBytes: 6, file: "look_up-2.wav" },
      {
        kind: "resource",
        mediaType: "application/pdf",
        uri: "crm://2",
        sizeBytes: 5,
        file: "look_up-3.pdf",
      },
      { kind: "link", mediaType: "", uri: "https://crm.example/3", name: "Three" },
    ]);
    expect(JSON.stringify(attachments)).not.toContain(data);
  });

  it("turns the bytes of its parts into files with safe names", () => {
    const blob = btoa("%PDF");
    const resource = (uri: string) => ({ type: "resource", resource: { uri, blob } });
    const { outputs } = toToolResult("crm", "charts/draw it", {
      content: [
        { type: "image", data: btoa("12345"), mimeType: "IMAGE/PNG" },
        { type: "image", data: "no base64!", mimeType: "image/png" },
        resource("crm://files/Contract%20A.pdf"),
        resource("https://crm.example/a/..%2f.ssh"),
        resource("crm://x"),
      ],
      isError: false,
    });
    expect(
      outputs?.map(({ filename, mediaType, label, bytes }) => [
        filename,
        mediaType,
        label,
        bytes?.length,
      ]),
    ).toEqual([
      ["charts_draw_it-1.png", "image/png", "Image 1 of charts_draw_it", 5],
      ["Contract%20A.pdf", "application/octet-stream", "File 2 of charts_draw_it", 4],
      ["charts_draw_it-3.bin", "application/octet-stream", "File 3 of charts_draw_it", 4],
      ["charts_draw_it-4.bin", "application/octet-stream", "File 4 of charts_draw_it", 4],
    ]);
  });

  it("has at most eight files", () => {
    const image = { type: "image", data: btoa("1"), mimeType: "image/png" };
    const content = Array.from({ length: 9 }, () => image);
    const result = toToolResult("crm", "draw", { content, isError: false });
    expect(result.outputs).toHaveLength(8);
    expect(contentOf({ content }).attachments.map(({ file }) => file !== undefined)).toEqual([
      ...new Array(8).fill(true),
      false,
    ]);
  });

  it.each<[string, Partial<McpResult>]>([
    ["text of many bytes", { content: [text("\u0001ß".repeat(600_000))] }],
    ["data", { content: [], structuredContent: { rows: ["x".repeat(5_000_000)] } }],
  ])("is cut to what is stored when it is much %s, and says so", (_, result) => {
    const content = contentOf(result);
    expect(content).toMatchObject({ cut: true, cutAt: "2 MiB" });
    expect(content.text?.length).toBeGreaterThan(50_000);
    expect(storedBytes(content)).toBeLessThan(4.1 * 1024 * 1024);
  });

  it("limits the number of attachments, with a note", () => {
    const link = { type: "resource_link", uri: "https://crm.example/1", name: "x" };
    const content = contentOf({ content: new Array<Json>(1_000).fill(link) });
    expect(content).toMatchObject({ cut: true });
    expect(content.attachments.length).toBeLessThan(500);
  });

  it("omits data that nests too deeply, with a note", () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(contentOf({ content: [text("a")], structuredContent: { deep } })).toMatchObject({
      text: "a",
      cut: true,
    });
    expect(errorOf({ structuredContent: { deep } }).message).toContain("failed");
  });

  it("notes content of an unknown kind", () => {
    expect(contentOf({ content: [text("a"), { type: "hologram" }, "b", null] })).toMatchObject({
      text: "a",
      cut: true,
    });
  });
});

describe("the failure of a remote tool", () => {
  it("has the server's message, up to a limit", () => {
    expect(errorOf({ content: [text("Locked.")] })).toEqual({
      code: "tool_error",
      message: "Locked.",
    });
    expect(errorOf({ structuredContent: { reason: "locked" } }).message).toContain("locked");
    expect(errorOf({}).message).toContain("failed");
    expect(errorOf({ content: [text("x".repeat(10_000))] }).message.length).toBe(4_000);
  });
});

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
