/** A request to the service, or a call that one of its own pages or tools made to its API. */
export interface RequestLine {
  requestId: string;
  /** Of a call: the request that it was made for. */
  of?: string | undefined;
  method: string;
  /** As it is registered, such as `/api/v1/keys/:keyId`; the address itself may be a secret. */
  route: string;
  status: number;
  /** Until the answer began. */
  durationMs: number;
  /** The account that the key names. It is proven unless `code` is `unauthorized`. */
  accountId?: string | undefined;
  executionId?: string | undefined;
  /** As `shortEndpointId` has it. */
  endpointId?: string | undefined;
  /** Why the request was refused: the problem's code. */
  code?: string | undefined;
}

/** A step of an execution. */
export interface StepLine {
  executionId: string;
  accountId: string;
  step: number;
  model: string;
  toolCalls: number;
  /** Credits of this step. Absent, like the time, when the service was interrupted during it. */
  credits?: number | undefined;
  /** Without the time for which it waited for a person. */
  durationMs?: number | undefined;
  /** `retrying`: a try failed and is made again. `given_up`: the execution ended in the midst of it. */
  outcome: "finished" | "retrying" | "given_up";
}

/** The end of an execution. */
export interface ExecutionLine {
  executionId: string;
  accountId: string;
  origin: string;
  workflowId: string | null;
  model: string;
  status: string;
  statusDetail: string;
  steps: number;
  toolCalls: number;
  credits: number;
  inputTokens: number;
  outputTokens: number;
  /** From its acceptance to its end. */
  durationMs: number;
  /** Of it the time without waiting: for its start, and for a person. */
  activeMs: number;
}

/** One attempt to deliver a callback. */
export interface CallbackLine {
  executionId: string;
  attempt: number;
  /** The receiver's; null when no answer came. */
  status: number | null;
  durationMs: number;
  outcome: "delivered" | "failed";
}

interface Lines {
  request: RequestLine;
  call: RequestLine;
  step: StepLine;
  execution: ExecutionLine;
  callback: CallbackLine;
}

type Fields = Record<string, string | number | undefined>;

const ENDPOINT_ID_SHOWN = "ep_".length + 8;
const MAX_LENGTH = 4_000;
/** Hidden wherever the text of an error may have picked them up. */
const SECRETS = /\b(?:ph_live_|whsec_)[\w+/=-]+|\bep_[0-9a-f]{40}\b/g;

/** Writes a line about what happens in good order. */
export function logInfo<Event extends keyof Lines>(event: Event, line: Lines[Event]): void {
  console.info(JSON.stringify({ level: "info", event, ...line }));
}

/** Writes a line about trouble that the service gets over by itself, with the innermost reason of `error`. */
export function logWarning(event: string, fields: Fields, error?: unknown): void {
  console.warn(troubleLine("warn", event, fields, error));
}

/** Writes a line about trouble that somebody should look at, with the innermost reason of `error`. */
export function logError(event: string, fields: Fields, error?: unknown): void {
  console.error(troubleLine("error", event, fields, error));
}

/** An endpoint's id as far as a log may have it: the whole of it is an address that anybody can send to. */
export function shortEndpointId(endpointId: string): string {
  return endpointId.slice(0, ENDPOINT_ID_SHOWN);
}

function troubleLine(level: "warn" | "error", event: string, fields: Fields, error: unknown) {
  const reason = error === undefined ? undefined : rootCause(error);
  return JSON.stringify({ level, event, ...fields, error: reason }, (_, value: unknown) =>
    typeof value === "string" ? safe(value) : value,
  );
}

function safe(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} ...` : text;
  return short.replace(SECRETS, (found) =>
    found.startsWith("ep_") ? shortEndpointId(found) : "[hidden]",
  );
}

/**
 * The innermost reason of an error, for the operators' log: what wraps it may quote a query with all
 * its parameters, which are the clients' data.
 */
export function rootCause(error: unknown): string {
  let reason = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (!(reason instanceof Error) || reason.cause === undefined) break;
    reason = reason.cause;
  }
  return String(reason);
}
