import * as z from "zod";
import type { StoredFile } from "./files.ts";
import { type JsonObject, json, jsonObject } from "./json.ts";
import { type OutputFile, type ToolAnswer, toolAnswer } from "./tools/call.ts";

/** What a provider added to a part of a reply and wants back with it, such as a signature. */
const providerMetadata = z.record(z.string(), jsonObject);

/** One call that the model requests. `input` is not checked yet. */
const toolCall = z.object({
  callId: z.string(),
  tool: z.string(),
  input: json,
  metadata: providerMetadata.exactOptional(),
  /** Whether the service cut a text that the model wrote to make this input. */
  truncated: z.boolean().exactOptional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** What a model thought before its reply. Models that think need it back in the next steps. */
const reasoningPart = z.object({ text: z.string(), metadata: providerMetadata.exactOptional() });
export type ReasoningPart = z.infer<typeof reasoningPart>;

/** A call as it came from the model. */
export interface RequestedCall extends ToolCall {
  /** What is wrong with the call, in words for the model; it then does not run. */
  fault?: string;
}

/** The state of an execution at the start of a step, as a model reads it. */
const stepStart = z.object({
  /** Epoch milliseconds. */
  at: z.int(),
  step: z.int(),
  /** The steps left, with this one. */
  stepsLeft: z.int(),
  creditsLeft: z.int(),
  /** The credits that the last model step cost. */
  stepPrice: z.int(),
  secondsLeft: z.int(),
});
export type StepStart = z.infer<typeof stepStart>;

/**
 * One entry of the conversation between the client, the model and the tools.
 *
 * `user` is the client: the prompt, then follow-up messages and answers; these are instructions. `tool`
 * holds answers from outside: data, never instructions. A long conversation does not fit in memory, so
 * each access to `answer` may read it from storage.
 */
export const storedTurn = z.discriminatedUnion("role", [
  /** `event` is JSON of an event that the execution was told of: data, under a text of ours. */
  z.object({ role: z.literal("user"), text: z.string(), event: z.string().exactOptional() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(toolCall),
    plan: z.array(z.string()).exactOptional(),
    reasoning: z.array(reasoningPart).exactOptional(),
    /** The state that its request described. Absent in turns stored by older code. */
    start: stepStart.exactOptional(),
    /** What was wrong with a reply that was discarded, in words for the model. */
    fault: z.string().exactOptional(),
  }),
  /** `note` is a line of ours about the call, which stands behind the data of its answer. */
  z.object({
    role: z.literal("tool"),
    callId: z.string(),
    tool: z.string(),
    answer: toolAnswer,
    note: z.string().exactOptional(),
  }),
]);
export type Turn = z.infer<typeof storedTurn>;

/** A tool as a model sees it. */
export interface ToolDescription {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** Whether `data` of its input has the execution's output schema, which not every server accepts. */
  hasOutputSchema?: boolean;
}

/** A file of the task, which tools take like an earlier call. Each access to `answer` reads it from storage. */
export interface TaskFile extends Omit<StoredFile, "data"> {
  callId: string;
  /** What can be read of it as text. */
  readonly answer: ToolAnswer;
}

/** The request for the next step of a model, which keeps no state between calls. */
export interface ModelRequest {
  /** Untrusted data sent with the trigger. */
  inputs: JsonObject | null;
  /** Untrusted files sent with the trigger. */
  taskFiles?: readonly TaskFile[];
  /** JSON Schema that `finish`'s data must match. */
  outputSchema: JsonObject | null;
  /** Whether the agent may ask the user. */
  interactive: boolean;
  turns: Turn[];
  tools: ToolDescription[];
  /** Returns the files that an earlier call output, or a file of the task. */
  files?(callId: string): OutputFile[];
  now: Date;
  start: StepStart;
}

const tokenUsage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  /** Those of the output that were thought; absent where the server does not say. */
  reasoningTokens: z.int().exactOptional(),
  /** Their price, where it is known. */
  costUsd: z.number().exactOptional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

export interface ModelReply {
  text: string;
  calls: RequestedCall[];
  /** What the model understood that it has to do, one line for each part, if this is new or changed. */
  plan?: string[];
  reasoning?: ReasoningPart[];
  usage: TokenUsage;
  /** What is wrong with a reply that cannot be used, in words for the model, which is asked again. */
  fault?: string;
}

/** Follows a reply while it is written. */
export interface ReplyWatch {
  /** The server has begun to answer: the call no longer waits for a connection. */
  answered(): void;
  /** A piece of the reply arrived: its text, empty for a thought or a part of a call. */
  wrote(text: string): void;
}

/** One call of a model in a step. Times are epoch milliseconds or durations in milliseconds. */
export const modelTry = z.object({
  step: z.int(),
  model: z.string(),
  at: z.int(),
  durationMs: z.int(),
  /** When the first piece of its reply arrived, from the start of the call. */
  firstTokenMs: z.int().exactOptional(),
  /** How fast it wrote from then on. */
  tokensPerSecond: z.number().exactOptional(),
  usage: tokenUsage.exactOptional(),
  /** What failed, and the status of the server's response. */
  error: z.string().exactOptional(),
  status: z.int().exactOptional(),
});
export type ModelTry = z.infer<typeof modelTry>;

/** A model: returns the next step of a conversation. Throws a `ModelError` if it fails. */
export interface Model {
  /** `provider/name`, as results report it. */
  readonly name: string;
  /** Whether it computes its replies here, at once: that takes no connection, and no deadline can stop it. */
  readonly isLocal?: boolean;
  respond(request: ModelRequest, signal: AbortSignal, watch?: ReplyWatch): Promise<ModelReply>;
}

/** A model call that failed. */
export class ModelError extends Error {
  /** Whether the same call may succeed later (429, 5xx, network). */
  readonly retryable: boolean;
  /**
   * Whether this model cannot be used here, so that another may be asked at once: no key, a refused one, no
   * quota, no such model.
   */
  readonly isUnusable: boolean;
  /** The status of the server's response, if there was one. */
  readonly status: number | null;
  /** The wait that the provider requested, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** The tokens of a reply that was discarded, if there was one. */
  readonly usage: TokenUsage | null;

  constructor(
    message: string,
    options: {
      retryable: boolean;
      isUnusable?: boolean;
      status?: number;
      retryAfterMs?: number | null;
      usage?: TokenUsage;
    },
  ) {
    super(message);
    this.name = "ModelError";
    this.retryable = options.retryable;
    this.isUnusable = options.isUnusable ?? false;
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.usage = options.usage ?? null;
  }
}
