import * as z from "zod";
import { executionId as executionIdSchema } from "../contract/execution.ts";
import { TOOL_NAMES } from "../contract/tools/names.ts";
import { MAX_WAIT_SECONDS } from "./follow.ts";

export const executionId = executionIdSchema.describe("The execution, as trigger_agent named it.");

export const waitSeconds = z
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(0)
  .describe("Waits so long for the end, or for a question. 0: answers at once.");

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .optional()
  .describe(
    "An id of your own for this very call. A call that comes again with the same key and the same arguments is not acted on twice: it gets the first one's answer, for at least 24 hours.",
  );

/** Looked through by the API: not every client can read a pattern, or a definition elsewhere. */
const toolNames = z.array(z.string().max(100)).max(100);
const NAMES = `${TOOL_NAMES.join(", ")}, or mcp__<server> for an MCP server of the account`;

export const tools = toolNames
  .optional()
  .describe(`The only tools that the agent may use; all where it is left out. Of: ${NAMES}.`);

export const approvals = toolNames
  .optional()
  .describe("Tools whose every call waits until send_message approves it.");

export const limit = z.int().min(1).max(100).default(20).describe("How many at most.");

export const cursor = z.exactOptional(z.string().describe("`nextCursor` of the page before."));
