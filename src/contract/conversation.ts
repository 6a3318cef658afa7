import type { Json, JsonObject } from "./json.ts";
import type { ToolAnswer } from "./tools/call.ts";

/** One call that the model asked for. `input` is not checked yet. */
export interface ToolCall {
  callId: string;
  tool: string;
  input: Json;
}

/**
 * One entry of the conversation between the client, the model and the tools.
 *
 * `user` is the client: the prompt first, then follow-up messages and answers; these are instructions.
 * `tool` carries what came from outside: it is data, never instructions. Of a long conversation not all
 * fits in memory: `answer` may be read from storage each time that it is asked for.
 */
export type Turn =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: ToolCall[] }
  | { role: "tool"; callId: string; tool: string; answer: ToolAnswer };

/** A tool as a model sees it. */
export interface ToolDescription {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** All that a model needs to take the next step; it keeps nothing between calls. */
export interface ModelRequest {
  /** Untrusted data that came with the trigger. */
  inputs: JsonObject | null;
  /** JSON Schema that `finish`'s data must match. */
  outputSchema: JsonObject | null;
  /** Whether the agent may ask the user. */
  interactive: boolean;
  turns: Turn[];
  tools: ToolDescription[];
  now: Date;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

export interface ModelReply {
  text: string;
  calls: ToolCall[];
  usage: TokenUsage;
}

/** A model: given the conversation so far, the next step. Failures are thrown as `ModelError`. */
export interface Model {
  /** `provider/name`, as results report it. */
  readonly name: string;
  respond(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

/** A model call that failed. */
export class ModelError extends Error {
  /** Whether the same call may succeed later (429, 5xx, network). */
  readonly retryable: boolean;
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number | null }) {
    super(message);
    this.name = "ModelError";
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
