import * as z from "zod";
import { listOf, oneOf, open } from "../fields.ts";
import { json } from "../json.ts";
import { cutAt } from "./call.ts";

/** A part of an answer that is not text, without its bytes. */
const mcpAttachment = open({
  kind: oneOf("image", "audio", "link", "resource"),
  mediaType: z.string(),
  sizeBytes: z.int().exactOptional(),
  uri: z.string().exactOptional(),
  name: z.string().exactOptional(),
  file: z.string().exactOptional().describe("The name of the file output that has its bytes."),
});
export type McpAttachment = z.infer<typeof mcpAttachment>;

/** The answer of a tool of a remote MCP server. Strict, so that no other answer matches. */
export const mcpToolContent = z.strictObject({
  server: z.string(),
  tool: z.string(),
  json: z.exactOptional(json).describe("Structured content, or text that is JSON."),
  text: z.string().exactOptional(),
  attachments: listOf(mcpAttachment),
  cut: z.boolean().describe("True if the answer was too long and is cut."),
  cutAt,
});
export type McpToolContent = z.infer<typeof mcpToolContent>;
