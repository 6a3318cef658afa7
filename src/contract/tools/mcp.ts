import * as z from "zod";
import { json } from "../json.ts";

/** Something of an answer that is not text: what it is, not its bytes. */
const mcpAttachment = z.object({
  kind: z.enum(["image", "audio", "link", "resource"]),
  mediaType: z.string(),
  sizeBytes: z.int().exactOptional(),
  uri: z.string().exactOptional(),
  name: z.string().exactOptional(),
});
export type McpAttachment = z.infer<typeof mcpAttachment>;

/** What a tool of a remote MCP server answers; strict, so that it is told apart from all others. */
export const mcpToolContent = z.strictObject({
  server: z.string(),
  tool: z.string(),
  json: z.exactOptional(json).describe("Structured content, or text that is JSON."),
  text: z.string().exactOptional(),
  attachments: z.array(mcpAttachment),
  cut: z.boolean().describe("True when there was more than is kept."),
});
export type McpToolContent = z.infer<typeof mcpToolContent>;
