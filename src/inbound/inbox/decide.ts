import {
  type EndpointConfig,
  MAX_HELD_BYTES,
  MAX_HELD_REQUESTS,
} from "../../contract/inbound/endpoint.ts";
import type { Arrival, Decision, ReceivedRequest } from "../../contract/inbound/inbox.ts";
import type { NewEntry } from "./entry.ts";

/** The request that holds the claim on an event id. */
export interface Claim {
  seq: number;
  requestId: string;
  executionId: string | null;
}

/** What the inbox knows when a request has arrived. */
export interface Circumstances {
  config: EndpointConfig;
  /** The request that came with this event id before, if any. */
  first: Claim | null;
  held: { count: number; bytes: number };
  newExecutionId(): string;
}

/** What becomes of a request, and whether it is work from now on. */
export interface Verdict {
  entry: NewEntry;
  work: "none" | "held" | "ready";
}

type Accepted = Extract<Decision, { kind: "accept" }>;

const BLANK = {
  errors: [],
  warnings: [],
  diagnosis: [],
  eventId: null,
  claims: false,
  duplicate: false,
  firstSeq: null,
  executionId: null,
  mappedInputs: null,
} satisfies Partial<NewEntry>;

/** Decides about a request that the rate lets in. */
export function decide({ request, decision }: Arrival, circumstances: Circumstances): Verdict {
  switch (decision.kind) {
    case "refuse":
      return refused(decision);
    case "answer":
      return answered(decision.httpStatus);
    case "accept":
      return accepted(request, decision, circumstances);
  }
}

/** A request that comes after the endpoint's limit is reached. */
export function rateLimited(retryAfterSeconds: number, limit: number): Verdict {
  return turnedAway(
    "rate",
    "requests_per_minute",
    `More than ${limit} requests came within a minute.`,
    { kind: "rate_limited", retryAfterSeconds },
  );
}

function refused(decision: Extract<Decision, { kind: "refuse" }>): Verdict {
  const { httpStatus, errors, diagnosis, eventId } = decision;
  const entry: NewEntry = {
    ...BLANK,
    status: "rejected",
    httpStatus,
    errors,
    diagnosis,
    eventId,
    receipt: { kind: "noted" },
  };
  return { entry, work: "none" };
}

function answered(httpStatus: number): Verdict {
  const entry: NewEntry = {
    ...BLANK,
    status: "succeeded",
    httpStatus,
    receipt: { kind: "noted" },
  };
  return { entry, work: "none" };
}

function accepted(
  request: ReceivedRequest,
  { eventId, mappedInputs, warnings }: Accepted,
  { config, first, held, newExecutionId }: Circumstances,
): Verdict {
  // A replay is meant to run again: it neither claims its event id nor is it a duplicate of it.
  const before = request.replayOf === null ? first : null;
  const known = { ...BLANK, eventId, warnings, duplicate: before !== null };
  const followed = { ...known, firstSeq: before?.seq ?? null };
  if (before !== null && config.onDuplicate === "skip") return skipped(followed, before);

  const claims = request.replayOf === null && eventId !== null && before === null;
  if (config.workflow === null) {
    const full = fullness(held, request.body?.byteLength ?? 0);
    if (full !== null)
      return turnedAway("start", "queue_full", full, { kind: "full", detail: full }, eventId);
    const receipt = { kind: "accepted", executionId: null, duplicate: known.duplicate } as const;
    const entry: NewEntry = { ...known, status: "queued", httpStatus: 202, claims, receipt };
    return { entry, work: "held" };
  }
  const executionId = newExecutionId();
  const receipt = { kind: "accepted", executionId, duplicate: known.duplicate } as const;
  const started = { ...known, status: "queued", httpStatus: 202, claims, executionId } as const;
  return { entry: { ...started, mappedInputs, receipt }, work: "ready" };
}

function skipped(
  known: Omit<NewEntry, "status" | "httpStatus" | "receipt">,
  first: Claim,
): Verdict {
  const { requestId, executionId } = first;
  const entry: NewEntry = {
    ...known,
    status: "duplicate",
    httpStatus: 200,
    executionId,
    receipt: { kind: "duplicate", executionId, requestId },
  };
  return { entry, work: "none" };
}

function turnedAway(
  stage: "rate" | "start",
  rule: string,
  message: string,
  receipt: NewEntry["receipt"],
  eventId: string | null = null,
): Verdict {
  const entry: NewEntry = {
    ...BLANK,
    status: "rejected",
    httpStatus: 429,
    errors: [{ stage, rule, message }],
    eventId,
    receipt,
  };
  return { entry, work: "none" };
}

/** Why no more can be held, or null while there is room. */
function fullness(held: { count: number; bytes: number }, bytes: number): string | null {
  if (held.count >= MAX_HELD_REQUESTS) {
    return `${held.count} requests already wait for a workflow to be attached.`;
  }
  if (held.bytes + bytes > MAX_HELD_BYTES) {
    return `The requests that wait for a workflow to be attached already hold ${held.bytes} bytes.`;
  }
  return null;
}
