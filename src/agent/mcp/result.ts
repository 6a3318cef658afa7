import { Buffer } from "node:buffer";
import * as z from "zod";
import { isSafeFileName } from "../../contract/files.ts";
import type { Json } from "../../contract/json.ts";
import {
  failedAnswer,
  type McpAttachment,
  type McpToolContent,
} from "../../contract/tools/call.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import { exactJson } from "../../lib/json-values.ts";
import { MOST_OF_TOOLS, parseExactJson } from "../../lib/strict-json.ts";
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
import type { NewOutput, ToolResult } from "../tools/tool.ts";

const MAX_ATTACHMENT_BYTES = 16 * 1024;
const MAX_ERROR_LENGTH = 4_000;
/** Deeper data could exhaust the stack of the code that walks it, starting with the store. */
const MAX_DEPTH = 128;

const name = z.string().max(200);
const uri = z.string().max(2_048);
const sizeOf = (encoded: string | undefined) =>
  encoded === undefined ? {} : { sizeBytes: Buffer.byteLength(encoded, "base64") };

/** A part of a result: its text, its bytes as base64, and its entry in the list of attachments. */
interface Part {
  text?: string | undefined;
  encoded?: string | undefined;
  attachment?: McpAttachment;
}

const part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }): Part => ({ text })),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: name }).transform(
    ({ type: kind, data: encoded, mimeType: mediaType }): Part => ({
      encoded,
      attachment: { kind, mediaType, ...sizeOf(encoded) },
    }),
  ),
  z
    .object({
      type: z.literal("resource_link"),
      uri,
      name: name.default(""),
      mimeType: name.default(""),
    })
    .transform(
      ({ mimeType: mediaType, type: _, ...link }): Part => ({
        attachment: { kind: "link", mediaType, ...link },
      }),
    ),
  z
    .object({
      type: z.literal("resource"),
      resource: z.object({
        uri,
        mimeType: name.default(""),
        text: z.string().optional(),
        blob: z.string().optional(),
      }),
    })
    .transform(
      ({ resource: { uri, mimeType: mediaType, text, blob: encoded } }): Part => ({
        text,
        encoded,
        attachment: { kind: "resource", mediaType, uri, ...sizeOf(encoded) },
      }),
    ),
]);

/** The most attachments of an answer that become files. */
const MAX_FILES = 8;

/**
 * Turns a server's result into the result of its tool: structured content before text, cut to what is
 * stored. Images, sounds and files become file outputs, which the list of attachments names.
 */
export function toToolResult(server: string, tool: string, result: McpResult): ToolResult {
  const parts = result.content.flatMap((item) => part.safeParse(item).data ?? []);
  const text = parts.flatMap((each) => each.text ?? []).join("\n\n");
  const given = result.structuredContent;
  const structured = given !== undefined && isWithinDepth(given, MAX_DEPTH) ? given : undefined;
  if (result.isError) {
    const said = text !== "" || structured === undefined ? text : JSON.stringify(structured);
    const message = said.slice(0, MAX_ERROR_LENGTH) || "The server failed without a reason.";
    return { answer: failedAnswer("tool_error", message) };
  }
  const outputs: NewOutput[] = [];
  const listed = parts.flatMap(({ encoded, attachment }): McpAttachment[] => {
    if (attachment === undefined) return [];
    const bytes = encoded === undefined || outputs.length >= MAX_FILES ? null : fromBase64(encoded);
    if (bytes === null) return [attachment];
    const output = fileOf(attachment, bytes, outputs.length + 1, tool);
    outputs.push(output);
    return [{ ...attachment, file: output.filename }];
  });
  const attachments = fitItems(listed, MAX_ATTACHMENT_BYTES);
  const unread = parts.length < result.content.length || structured !== given;
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

/** Returns the bytes of an attachment as a file output. */
function fileOf(
  { kind, mediaType, uri = "" }: McpAttachment,
  bytes: Uint8Array,
  number: number,
  tool: string,
): NewOutput & { filename: string } {
  const last = URL.parse(uri)?.pathname.split("/").at(-1) ?? "";
  const isNamed = last.length <= MAX_NAME_LENGTH && isSafeFileName(last) && last.includes(".");
  const plain = tool.replace(/[^\w-]/g, "_").slice(0, MAX_NAME_LENGTH) || "file";
  const type = mediaType.toLowerCase() || "application/octet-stream";
  // The subtype is the usual extension: png, jpeg, wav, pdf.
  const extension = /^\w+\/([a-z0-9]{2,5})(?:\+|$)/.exec(type)?.[1] ?? "bin";
  return {
    label: `${kind === "image" ? "Image" : "File"} ${number} of ${plain}`,
    nodeType: "FILE",
    type: "file",
    mediaType: type,
    filename: isNamed ? last : `${plain}-${number}.${extension}`,
    bytes,
  };
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
  const parsed = parseExactJson(new TextEncoder().encode(text), MOST_OF_TOOLS);
  return parsed.ok ? exactJson(parsed.value) : undefined;
}
