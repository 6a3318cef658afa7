import type * as z from "zod";
import type { ToolDescription } from "../../contract/conversation.ts";
import type { Json } from "../../contract/json.ts";
import type { NodeType, StoredOutput } from "../../contract/outputs.ts";
import type { Violation } from "../../contract/problem.ts";
import {
  type CallKind,
  failedAnswer,
  type OutputFile,
  type ToolAnswer,
} from "../../contract/tools/call.ts";
import type { ToolName } from "../../contract/tools/names.ts";
import { type GuardedFetch, OutboundError } from "../../ports/fetch.ts";

/** An output of a tool; the session adds its id, time and sources. */
export type NewOutput = Pick<
  StoredOutput,
  "label" | "type" | "mediaType" | "value" | "url" | "filename" | "truncated"
> & {
  nodeType: NodeType;
  /** The bytes of a file. */
  bytes?: Uint8Array;
};

/** The result of a tool call. */
export interface ToolResult {
  answer: ToolAnswer;
  /** The address of the answer. */
  url?: string;
  /** Earlier calls that the answer is based on; their evidence becomes its own. */
  basedOn?: string[];
  /** Where the tool cut what it read or made, such as "2 MiB"; null if it read a source whole. */
  cut?: string | null;
  outputs?: NewOutput[];
  /** Set if the call has no answer yet: an event answers it, or `answer` does at this time (epoch milliseconds). */
  waitUntil?: number;
  /** The credits charged, if less than the call's price. */
  price?: number;
}

/** What every tool may use. One that needs more of the outside is a function of its port. */
export interface ToolContext {
  /** Aborts on stop, on interrupt and at the deadline. */
  signal: AbortSignal;
  /** Sends HTTP requests; every address and redirect is checked. */
  fetch: GuardedFetch;
  /** Returns the complete answer of an earlier call of this execution, or null. */
  answer(callId: string): ToolAnswer | null;
  /** Returns the files that an earlier call of this execution output. */
  files(callId: string): OutputFile[];
  /** Returns where the sources of earlier calls were cut, each place once. */
  cutsOf(callIds: readonly string[]): string[];
  /** The calls of cut sources that the model had read when it made this call. What it writes itself may be based on them. */
  cutReads: readonly string[];
  /** Logs how far a long call is, and gives it its time again. */
  onProgress(message: string): void;
  /** Identifies this call, also when it is retried. Sent to targets that support it. */
  idempotencyKey: string;
  /** Continues the trace in which the execution was started, if it was. */
  traceparent?: string;
}

/** One tool. `run` returns failures as `{ok: false}`; it throws only internal errors and aborts. */
export interface Tool<Input> {
  name: ToolName;
  description: string;
  input: z.ZodType<Input>;
  /**
   * How a call without an effect runs: a `read` of the outside runs concurrently with others, and the machine
   * itself decides a `control`.
   */
  kind: Exclude<CallKind, "effect">;
  /** Returns what this call changes outside, or null if it changes nothing. Left out if none does. */
  effect?(input: Input): { target: string } | null;
  /** Returns the most credits that a call costs, if that is not the tool's price. */
  price?(input: Input): number;
  /** Returns the progress message: "Opening https://example.com". */
  describe(input: Input): string;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** A checked call, or the error of its input. */
export type CheckedCall =
  | { ok: true; kind: CallKind; price: number; target: string; description: string }
  | { ok: false; message: string; violations: Violation[] };

/** A tool without its input's type, so that one list holds tools of all inputs. */
export interface AnyTool {
  name: string;
  description: ToolDescription;
  withDefaults(input: Json): Json;
  check(input: Json): CheckedCall;
  run(input: Json, context: ToolContext): Promise<ToolResult>;
}

/** Ends a call that cannot be done. The message says what is wrong and what to do instead. */
export class CallFailure extends Error {
  /** Null for the code that the tool has for all else. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.name = "CallFailure";
    this.code = code;
  }
}

/** Throws a `CallFailure`. */
export function fail(message: string, code: string | null = null): never {
  throw new CallFailure(message, code);
}

/** Returns `run` with the failures that it throws as answers; `code` is for those that have none. */
export function answering<Input>(code: string, run: Tool<Input>["run"]): Tool<Input>["run"] {
  return async (input, context) => {
    try {
      return await run(input, context);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      return { answer: failedAnswer(error.code ?? code, error.message) };
    }
  };
}

/** The errors of calls that were refused before they did anything. */
const REFUSALS: ReadonlySet<string> = new Set([
  "unknown_tool",
  "invalid_input",
  "tool_changed",
  "truncated_source",
  "unknown_call",
  "invalid_request",
  "invalid_output",
  "invalid_attachment",
  "invalid_spreadsheet",
  "address_refused",
  "done_before",
  "header_refused",
  "recipient_not_allowed",
  "not_allowed",
  "not_configured",
  "no_browser",
]);

/** Whether a call was refused before it did anything. It then costs nothing. */
export function isRefused(answer: ToolAnswer): boolean {
  return !answer.ok && REFUSALS.has(answer.error.code);
}

/** Turns a failed request into an answer. Rethrows aborts and internal errors. */
export function requestError(error: unknown): ToolAnswer {
  if (error instanceof OutboundError) return failedAnswer(error.code, error.message);
  throw error;
}

/**
 * Turns a failed request that changes something, and follows no redirects, into an answer: uncertain
 * once it may have been sent.
 */
export function effectError(error: unknown): ToolAnswer {
  if (!(error instanceof OutboundError) || !error.mayHaveTakenEffect) return requestError(error);
  return failedAnswer("uncertain", `${error.message} The request may have taken effect.`);
}
