import * as z from "zod";

/** Every tool that an agent can be given. */
export const TOOL_NAMES = [
  "browse",
  "http_request",
  "process_data",
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
  process_data: 1,
  emit_output: 1,
  ask_user: 0,
  finish: 0,
};

/** Credits of one model step. */
export const MODEL_STEP_PRICE = 1;
