import type * as z from "zod";
import type { ToolDescription } from "../../contract/conversation.ts";
import type { NodeType, Output } from "../../contract/execution.ts";
import type { Json } from "../../contract/json.ts";
import type { OutputFile, ToolAnswer } from "../../contract/tools/call.ts";
import type { ToolName } from "../../contract/tools/names.ts";
import type { CallKind } from "../machine/state.ts";
import type { Renderer } from "../ports/browser.ts";
import type { Mailer } from "../ports/email.ts";
import { type GuardedFetch, OutboundError } from "../ports/fetch.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { SheetsClient } from "../ports/sheets.ts";

/** An output that a tool hands over; the session gives it its id, its time and its sources. */
export type NewOutput = Pick<
  Output,
  "label" | "type" | "mediaType" | "value" | "url" | "filename"
> & {
  nodeType: NodeType;
  /** The bytes of a file. */
  bytes?: Uint8Array;
};

/** What running a tool came to. */
export interface ToolResult {
  answer: ToolAnswer;
  /** The address that the answer came from. */
  url?: string;
  /** Earlier calls that the answer was made from: its evidence goes back to theirs. */
  basedOn?: string[];
  outputs?: NewOutput[];
  /** Credits, where they turned out less than the call's price. */
  price?: number;
}

/** The parts of the world that single tools need, as this deployment has them. */
export interface ToolPorts {
  /** Null where no browser is bound. */
  renderer: Renderer | null;
  mailer: Mailer;
  sandbox: Sandbox;
  /** Null where no Google Sheet is configured. */
  sheets: SheetsClient | null;
}

/** What a deployment has that changes what a call costs. */
export interface Capabilities {
  /** Whether a real browser is bound. */
  browser: boolean;
}

/** What a tool may use: nothing else reaches the world. */
export interface ToolContext {
  /** Aborted on stop, on interrupt and at the deadline. */
  signal: AbortSignal;
  /** The only way out: every address and redirect is guarded. */
  fetch: GuardedFetch;
  /** The whole answer of an earlier call of this execution, or null when there is none. */
  answer(callId: string): ToolAnswer | null;
  /** The files that an earlier call of this execution handed over. */
  files(callId: string): OutputFile[];
  ports: ToolPorts;
  /** Names this call; the same across a retry of it. Sent on where a target can use it. */
  idempotencyKey: string;
}

/** One tool. `run` answers failures as `{ok: false}`; it throws only for our own faults and aborts. */
export interface Tool<Input> {
  name: ToolName;
  description: string;
  input: z.ZodType<Input>;
  /** What this call changes in the outside world, or null when it only reads. */
  effect(input: Input): { target: string } | null;
  /** Credits at most, where that depends on the call; else the tool's price in the table. */
  price?(input: Input, has: Capabilities): number;
  /** A short sentence for the progress line: "Opening https://example.com". */
  describe(input: Input): string;
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** A call as it will be run, or why its input is wrong. */
export type CheckedCall =
  | { ok: true; kind: CallKind; price: number; target: string; description: string }
  | { ok: false; message: string };

/** A tool with its input's type closed over, so that tools of all inputs lie in one list. */
export interface AnyTool {
  name: string;
  describe: ToolDescription;
  check(input: Json, has: Capabilities): CheckedCall;
  run(input: Json, context: ToolContext): Promise<ToolResult>;
}

/** A tool's answer that says why it could not. */
export function toolError(code: string, message: string): ToolAnswer {
  return { ok: false, error: { code, message } };
}

/** A request that failed, as a tool's answer. Aborts and our own faults are thrown on. */
export function requestError(error: unknown): ToolAnswer {
  if (error instanceof OutboundError) return toolError(error.code, error.message);
  throw error;
}

/**
 * The same for a request that changes something, and that follows no redirects: once it may have
 * been sent, nobody knows whether it was carried out.
 */
export function effectError(error: unknown): ToolAnswer {
  if (!(error instanceof OutboundError) || !error.mayHaveTakenEffect) return requestError(error);
  return toolError("uncertain", `${error.message} It is not known whether it was carried out.`);
}
