import { readFile } from "../../src/agent/tools/browse.ts";
import type { ModelRequest, Turn } from "../../src/contract/conversation.ts";
import { fileCallId } from "../../src/contract/files.ts";
import type { Json } from "../../src/contract/json.ts";
import type { OutputFile } from "../../src/contract/tools/call.ts";
import { STEP_START } from "./execution.ts";

/** Three tools, as models are told of them. */
export const tools = ["browse", "process_data", "finish"].map((name) => ({
  name,
  description: `The ${name} tool.`,
  inputSchema: { type: "object", properties: { url: { type: "string" } } },
}));

/** A request to a model: a prompt, and what came after it. */
export const modelRequest = (...more: Turn[]): ModelRequest => ({
  inputs: null,
  outputSchema: null,
  interactive: false,
  turns: [{ role: "user", text: "List the links of https://example.com" }, ...more],
  tools,
  now: new Date("2026-11-21T10:00:00.000Z"),
  start: STEP_START,
});

/** A step that opened one page. */
export const step = (callId: string, content: Json, tool = "browse"): Turn[] => [
  { role: "assistant", text: "", calls: [{ callId, tool, input: { url: "https://a.example" } }] },
  { role: "tool", callId, tool, answer: { ok: true, content } },
];

/** A request behind a step whose call of a remote tool answered these files. */
export function requestWithFiles(...files: OutputFile[]): ModelRequest {
  const attachments = files.map(({ mediaType }) => ({ kind: "image", mediaType }));
  const content = { server: "crm", tool: "draw", attachments, cut: false };
  const made = modelRequest(...step("drawn", content, "mcp__crm__draw"));
  return { ...made, files: (callId) => (callId === "drawn" ? files : []) };
}

/** A request with files of the task of these media types, named and filled with their numbers. */
export function requestOfFiles(...mediaTypes: string[]): ModelRequest {
  const files = mediaTypes.map((mediaType, at) => ({
    mediaType,
    filename: `${at + 1}`,
    bytes: new TextEncoder().encode(`${at + 1}`),
  }));
  const taskFiles = files.map(({ mediaType, filename: name, bytes }, at) => ({
    ...{ callId: fileCallId(at), name, mediaType, sizeBytes: bytes.length },
    answer: readFile({ name, mediaType }, bytes),
  }));
  const bytesOf = (callId: string) => files.filter((_, at) => fileCallId(at) === callId);
  return { ...modelRequest(), taskFiles, files: bytesOf };
}

/** A file that passes for an image. */
export const imageFile = (mediaType = "image/png"): OutputFile => ({
  filename: "drawn",
  mediaType,
  bytes: new TextEncoder().encode("pixels"),
});

/** The signal of a call that nobody aborts. */
export const never = () => new AbortController().signal;
