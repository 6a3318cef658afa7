/** A request to the service, or a call to its API from its own pages and tools. */
export interface RequestLine {
  requestId: string;
  /** The request that a call was made for. */
  of?: string | undefined;
  method: string;
  /** The registered route, such as `/api/v1/keys/:keyId`; the URL itself may be a secret. */
  route: string;
  status: number;
  /** Until the response began. */
  durationMs: number;
  /** The account that the key names, authenticated unless `code` is `unauthorized`. */
  accountId?: string | undefined;
  executionId?: string | undefined;
  /** As `shortEndpointId` returns it. */
  endpointId?: string | undefined;
  /** The error code of a refused request. */
  code?: string | undefined;
}

/** A step of an execution. */
export interface StepLine {
  executionId: string;
  accountId: string;
  step: number;
  model: string;
  toolCalls: number;
  /** Credits of this step. Absent, like the time, if the service was interrupted during it. */
  credits?: number | undefined;
  /** Without the time that it waited for a person. */
  durationMs?: number | undefined;
  /** `retrying`: an attempt failed and is repeated. `given_up`: the execution ended during the step. */
  outcome: "finished" | "retrying" | "given_up";
}

/** The end of an execution. */
interface ExecutionLine {
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
  /** From acceptance to the end. */
  durationMs: number;
  /** The same without the waits for its start and for a person. */
  activeMs: number;
}

/** One attempt to deliver a callback, or a message to a destination. */
interface CallbackLine {
  executionId?: string;
  destinationId?: string;
  messageId?: string;
  attempt: number;
  /** The receiver's status, or null without a response. */
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
/** Secrets that the text of an error may quote. */
const SECRETS = /\b(?:ph_live_|ph_mcp_|whsec_)[\w+/=-]+|\bep_[0-9a-f]{40,42}\b/g;

/** Logs normal operation. */
export function logInfo<Event extends keyof Lines>(event: Event, line: Lines[Event]): void {
  console.info(JSON.stringify({ level: "info", event, ...line }));
}

/** Logs trouble that the service recovers from, with the innermost reason of `error`. */
export function logWarning(event: string, fields: Fields, error?: unknown): void {
  console.warn(troubleLine("warn", event, fields, error));
}

/** Logs trouble that an operator should look at, with the innermost reason of `error`. */
export function logError(event: string, fields: Fields, error?: unknown): void {
  console.error(troubleLine("error", event, fields, error));
}

/** Returns the part of an endpoint's id that logs may contain: anybody can send to the whole id. */
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
 * Returns the innermost reason of an error. The errors around it may quote a query with its parameters,
 * which are the clients' data.
 */
export function rootCause(error: unknown): string {
  let reason = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (!(reason instanceof Error) || reason.cause === undefined) break;
    reason = reason.cause;
  }
  return String(reason);
}
