import * as z from "zod";

/** Every tool that the service brings with it. */
export const TOOL_NAMES = [
  "browse",
  "http_request",
  "run_code",
  "process_data",
  "send_email",
  "write_spreadsheet",
  "emit_output",
  "ask_user",
  "finish",
] as const;
export const toolName = z.enum(TOOL_NAMES);
export type ToolName = z.infer<typeof toolName>;

/** Credits by tool. Ending and asking are part of the model's step, so they cost nothing more. */
export const TOOL_PRICES: Record<ToolName, number> = {
  browse: 1,
  http_request: 1,
  run_code: 2,
  process_data: 1,
  send_email: 2,
  write_spreadsheet: 1,
  emit_output: 1,
  ask_user: 0,
  finish: 0,
};

/** Credits of a `browse` that went through a real browser. */
export const RENDERING_PRICE = 2;
/** Credits of a call to a tool of a remote MCP server. */
export const MCP_TOOL_PRICE = 1;
/** Credits of one model step. */
export const MODEL_STEP_PRICE = 1;

/** The name of an account's MCP server; tools of it are called `mcp__<server>__<tool>`. */
export const mcpServerName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9]|[-_](?=[a-z0-9])){0,31}$/,
    "must be 1 to 32 lower-case letters, digits, and single - or _ between them",
  )
  .describe("The server's name: 1 to 32 lower-case letters, digits, and single - or _ between.");

const MCP_REFERENCE = /^mcp__[a-z0-9](?:[a-z0-9]|[-_](?=[a-z0-9])){0,31}(?:__[\w-]{1,64})?$/;

const REFERENCES = `must be one of ${TOOL_NAMES.join(", ")}, or mcp__<server>, or mcp__<server>__<tool>`;

/** What an allow-list names: a tool of ours, all tools of an MCP server, or one tool of it. */
export const toolReference = z
  .union(
    // A text that is neither is told by the second of them, anything else by the union.
    [toolName, z.string().regex(MCP_REFERENCE, REFERENCES)],
    { error: REFERENCES },
  )
  .meta({
    id: "ToolReference",
    description:
      "A tool of the service, or `mcp__<server>` for all tools of an MCP server of the account, or `mcp__<server>__<tool>` for one.",
  });

/** The reference to all tools of an MCP server. */
export const serverReference = (server: string): string => `mcp__${server}`;

/** The MCP server that a reference or a tool's name belongs to, or null for a tool of ours. */
export function mcpServerOf(reference: string): string | null {
  if (!reference.startsWith("mcp__")) return null;
  const rest = reference.slice("mcp__".length);
  // No server has `__` in its name, so the first one ends it.
  const end = rest.indexOf("__");
  return end === -1 ? rest : rest.slice(0, end);
}

/** Whether a list of references covers a tool. */
export function covers(references: readonly string[], tool: string): boolean {
  return references.some(
    (reference) =>
      reference === tool || (isServerReference(reference) && tool.startsWith(`${reference}__`)),
  );
}

function isServerReference(reference: string): boolean {
  return reference.startsWith("mcp__") && !reference.slice("mcp__".length).includes("__");
}
