import { Buffer } from "node:buffer";
import * as z from "zod";
import { isSafeFileName } from "../../contract/files.ts";
import { type Json, json } from "../../contract/json.ts";
import type { McpAttachment, McpToolContent } from "../../contract/tools/mcp.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import { parseStrictJson } from "../../lib/strict-json.ts";
import { binarySize } from "../../lib/text.ts";
import type { McpResult } from "../../ports/mcp.ts";
import { isWithinDepth } from "../tools/process-data/json.ts";
import {
  fitItems,
  fitText,
  MAX_SOURCE_BYTES,
  MAX_STORED_BYTES,
  storedBytes,
} from "../tools/text.ts";
import { type NewOutput, type ToolResult, toolError } from "../tools/tool.ts";

const MAX_ATTACHMENT_BYTES = 16 * 1024;
const MAX_ERROR_LENGTH = 4_000;
/** Deeper data could exhaust the stack of the code that walks it, starting with the store. */
const MAX_DEPTH = 128;

const media = z.object({
  type: z.enum(["image", "audio"]),
  data: z.string(),
  mimeType: z.string().max(200),
});
const link = z.object({
  type: z.literal("resource_link"),
  uri: z.string().max(2_048),
  name: z.string().max(200).default(""),
  mimeType: z.string().max(200).default(""),
});
const embedded = z.object({
  type: z.literal("resource"),
  resource: z.object({
    uri: z.string().max(2_048),
    mimeType: z.string().max(200).default(""),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  media,
  link,
  embedded,
]);
type Block = z.infer<typeof block>;

/** The most attachments of an answer that become files. */
const MAX_FILES = 8;

/**
 * Turns a server's result into the result of its tool: structured content before text, cut to what is
 * stored. Images, sounds and files become file outputs, which the list of attachments names.
 */
export function toToolResult(server: string, tool: string, result: McpResult): ToolResult {
  const blocks = result.content.flatMap((item) => block.safeParse(item).data ?? []);
  const text = blocks.flatMap(textOf).join("\n\n");
  const given = result.structuredContent;
  const structured = given !== undefined && isWithinDepth(given, MAX_DEPTH) ? given : undefined;
  if (result.isError) return { answer: toolError("tool_error", errorText(text, structured)) };
  const outputs: NewOutput[] = [];
  const listed = blocks.flatMap((item) => {
    const output = outputs.length < MAX_FILES ? fileOf(item, tool, outputs.length + 1) : null;
    if (output !== null) outputs.push(output);
    const { filename: file } = output ?? {};
    return attachmentOf(item).map((each) => (file === undefined ? each : { ...each, file }));
  });
  const attachments = fitItems(listed, MAX_ATTACHMENT_BYTES);
  const unread = blocks.length < result.content.length || structured !== given;
  const body = bodyOf(text, structured);
  const cut = body.cut
    ? binarySize(MAX_SOURCE_BYTES)
    : attachments.cut
      ? `${binarySize(MAX_ATTACHMENT_BYTES)} of attachments`
      : unread
        ? "a part that cannot be read"
        : null;
  const content: McpToolContent = {
    server,
    tool,
    ...body.content,
    attachments: attachments.kept,
    cut: cut !== null,
    ...(cut !== null && { cutAt: cut }),
  };
  return { answer: { ok: true, content }, cut, ...(outputs.length === 0 ? {} : { outputs }) };
}

const MAX_NAME_LENGTH = 100;

/** Returns the file output of a part with bytes, or null if it has none that can be decoded. */
function fileOf(item: Block, tool: string, number: number): NewOutput | null {
  const { encoded, mediaType, uri } = partOf(item);
  const bytes = encoded === undefined ? null : fromBase64(encoded);
  if (bytes === null) return null;
  const last = URL.parse(uri)?.pathname.split("/").at(-1) ?? "";
  const isNamed = last.length <= MAX_NAME_LENGTH && isSafeFileName(last) && last.includes(".");
  const plain = tool.replace(/[^\w-]/g, "_").slice(0, MAX_NAME_LENGTH) || "file";
  const type = mediaType.toLowerCase() || "application/octet-stream";
  // The subtype is the usual extension: png, jpeg, wav, pdf.
  const extension = /^\w+\/([a-z0-9]{2,5})(?:\+|$)/.exec(type)?.[1] ?? "bin";
  return {
    label: `${item.type === "image" ? "Image" : "File"} ${number} of ${plain}`,
    nodeType: "FILE",
    type: "file",
    mediaType: type,
    filename: isNamed ? last : `${plain}-${number}.${extension}`,
    bytes,
  };
}

/** Returns the bytes of a part as base64, if it has any, with their type and address. */
function partOf(item: Block): { encoded: string | undefined; mediaType: string; uri: string } {
  switch (item.type) {
    case "image":
    case "audio":
      return { encoded: item.data, mediaType: item.mimeType, uri: "" };
    case "resource": {
      const { blob: encoded, mimeType: mediaType, uri } = item.resource;
      return { encoded, mediaType, uri };
    }
    default:
      return { encoded: undefined, mediaType: "", uri: "" };
  }
}

function bodyOf(
  text: string,
  structured: Json | undefined,
): { content: Pick<McpToolContent, "json" | "text">; cut: boolean } {
  const value = structured ?? jsonOf(text);
  if (value !== undefined && storedBytes(value) <= MAX_STORED_BYTES) {
    return { content: { json: value }, cut: false };
  }
  const whole = structured === undefined ? text : JSON.stringify(structured);
  const { kept, cut } = fitText(whole, MAX_STORED_BYTES);
  return { content: { text: kept }, cut };
}

/** Parses JSON that servers of earlier versions send as text. */
function jsonOf(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const parsed = parseStrictJson(new TextEncoder().encode(text));
  return parsed.ok ? json.safeParse(parsed.value).data : undefined;
}

function errorText(text: string, structured: Json | undefined): string {
  const whole = text !== "" || structured === undefined ? text : JSON.stringify(structured);
  return whole.slice(0, MAX_ERROR_LENGTH) || "The server failed without a reason.";
}

function textOf(item: Block): string[] {
  if (item.type === "text") return [item.text];
  if (item.type === "resource" && item.resource.text !== undefined) return [item.resource.text];
  return [];
}

function attachmentOf(item: Block): McpAttachment[] {
  if (item.type === "text") return [];
  if (item.type === "resource_link") {
    return [{ kind: "link", mediaType: item.mimeType, uri: item.uri, name: item.name }];
  }
  const { encoded, mediaType, uri } = partOf(item);
  const size = encoded === undefined ? {} : { sizeBytes: Buffer.byteLength(encoded, "base64") };
  return item.type === "resource"
    ? [{ kind: item.type, mediaType, uri, ...size }]
    : [{ kind: item.type, mediaType, ...size }];
}
