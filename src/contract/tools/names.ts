import * as z from "zod";

/** The built-in tools, in the order of forms and lists; the registry of `agent` holds their code. */
export const TOOL_NAMES = [
  "browse",
  "search_web",
  "http_request",
  "run_code",
  "process_data",
  "send_email",
  "write_spreadsheet",
  "emit_output",
  "wait_for_event",
  "ask_user",
  "finish",
] as const;
const toolName = z.enum(TOOL_NAMES);
export type ToolName = z.infer<typeof toolName>;

/** The price of each tool in credits per call, and its purpose, as a line in forms. */
export const TOOLS: Readonly<Record<ToolName, { price: number; about: string }>> = {
  browse: { price: 1, about: "Opens and reads web pages" },
  search_web: { price: 1, about: "Searches the web, where a search provider is configured" },
  http_request: { price: 1, about: "Calls APIs" },
  run_code: { price: 2, about: "Runs JavaScript in a sandbox" },
  process_data: { price: 1, about: "Queries CSV, JSON and tables" },
  send_email: { price: 2, about: "Sends email" },
  write_spreadsheet: { price: 1, about: "Writes spreadsheets" },
  emit_output: { price: 1, about: "Adds outputs" },
  wait_for_event: { price: 1, about: "Waits for a webhook" },
  // Both are part of the model's step.
  ask_user: { price: 0, about: "Asks you a question" },
  finish: { price: 0, about: "Ends the execution" },
};

/** Credits of a `browse` call in a real browser. */
export const RENDERING_PRICE = 2;
/** Credits of a call to a tool of a remote MCP server. */
export const MCP_TOOL_PRICE = 1;
/** The least credits of a model step. */
export const MIN_MODEL_STEP_PRICE = 1;
const TOKENS_PER_CREDIT = 10_000;
const CACHED_WEIGHT = 0.1;
const OUTPUT_WEIGHT = 4;

/**
 * Returns the credits of a model step: one for each started 10,000 tokens, of which a cached one counts a
 * tenth and one that the model wrote counts four times. `inputTokens` include the cached ones.
 */
export function modelStepPrice(usage: {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}): number {
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const weighted =
    usage.inputTokens - cached + cached * CACHED_WEIGHT + usage.outputTokens * OUTPUT_WEIGHT;
  // Tenths are counted as whole numbers: a sum of doubles may exceed 10,000 by its last bit.
  const tenths = Math.round(weighted * 10);
  return Math.max(MIN_MODEL_STEP_PRICE, Math.ceil(tenths / (TOKENS_PER_CREDIT * 10)));
}

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

/** An entry of an allow-list: a built-in tool, all tools of an MCP server, or one of its tools. */
export const toolReference = z
  .union(
    // The second schema rejects other texts, the union all other values.
    [toolName, z.string().regex(MCP_REFERENCE, REFERENCES)],
    { error: REFERENCES },
  )
  .meta({
    id: "ToolReference",
    description:
      "A built-in tool, `mcp__<server>` for all tools of an MCP server of the account, or `mcp__<server>__<tool>` for one of them.",
  });

/** Returns the reference to all tools of an MCP server. */
export const serverReference = (server: string): string => `mcp__${server}`;

/** Returns the MCP server of a reference or a tool's name, or null for a built-in tool. */
export function mcpServerOf(reference: string): string | null {
  if (!reference.startsWith("mcp__")) return null;
  const rest = reference.slice("mcp__".length);
  // A server's name has no `__`, so the first one ends it.
  const end = rest.indexOf("__");
  return end === -1 ? rest : rest.slice(0, end);
}

/** Returns whether a list of references covers a tool. */
export function covers(references: readonly string[], tool: string): boolean {
  return references.some((reference) => {
    const isServer = reference.startsWith("mcp__") && !reference.includes("__", "mcp__".length);
    return reference === tool || (isServer && tool.startsWith(`${reference}__`));
  });
}
