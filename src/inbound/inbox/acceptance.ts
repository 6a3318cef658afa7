import * as z from "zod";
import {
  type EndpointConfig,
  MAX_HELD_BYTES,
  MAX_HELD_REQUESTS,
} from "../../contract/inbound/endpoint.ts";
import type { Arrival, Decision, Receipt, ReceivedRequest } from "../../contract/inbound/inbox.ts";
import { isBefore } from "../../contract/inbound/payload.ts";
import { RateLimiter, WINDOW_MS } from "../../durable/rate-limiter.ts";
import type { Claim, Claims } from "./claims.ts";
import type { Configs } from "./configs.ts";
import { EXCERPT_BYTES, type RequestLog } from "./log.ts";
import type { NewEntry, StoredReceipt } from "./tables.ts";
import type { Work } from "./work.ts";

interface AcceptanceComponents {
  storage: DurableObjectStorage;
  configs: Configs;
  claims: Claims;
  log: RequestLog;
  work: Work;
  rate: RateLimiter;
  newExecutionId(now: number): string;
}

/** The receipt of an arrival; `isWork` if it starts an execution. */
export interface AcceptOutcome {
  receipt: Receipt;
  isWork: boolean;
}

/** Accepts requests: stores the claim, the log entry and the work of each in one transaction. */
export class Acceptance {
  readonly #components: AcceptanceComponents;

  constructor(components: AcceptanceComponents) {
    this.#components = components;
  }

  accept(arrival: Arrival, now: number): AcceptOutcome {
    const { configs, log, rate, storage } = this.#components;
    const before = log.byId(arrival.request.requestId);
    if (before !== null) return receiptOnly(before.facts.receipt);
    const config = configs.current;
    if (arrival.configVersion > config.version) return receiptOnly({ kind: "behind" });
    const isOld = arrival.configVersion < config.version;
    if (isOld || (config.deleted && arrival.decision.kind === "accept")) {
      return receiptOnly({ kind: "outdated", config });
    }
    const counted = countsForRate(arrival);
    const taken = counted ? rate.take(now, config.requestsPerMinute) : null;
    if (taken !== null && !taken.allowed) {
      const verdict = rateLimited(Math.ceil(taken.resetMs / 1_000), config.requestsPerMinute);
      return storage.transactionSync(() => this.#store(arrival, verdict, now, false));
    }
    const verdict = decide(arrival, this.#circumstances(arrival, now));
    return storage.transactionSync(() => this.#store(arrival, verdict, now, counted));
  }

  #circumstances({ decision }: Arrival, now: number): Circumstances {
    const { configs, claims, work, newExecutionId } = this.#components;
    const config = configs.current;
    const eventKey = decision.kind === "accept" ? decision.eventKey : null;
    return {
      config,
      first: eventKey === null ? null : claims.of(eventKey),
      held: config.workflow === null ? work.held() : { count: 0, bytes: 0 },
      newExecutionId: () => newExecutionId(now),
    };
  }

  #store(arrival: Arrival, verdict: Verdict, now: number, counted: boolean): AcceptOutcome {
    const { log, work, configs } = this.#components;
    const { entry } = verdict;
    const request = entry.httpStatus === 429 ? cut(arrival.request) : arrival.request;
    const seq = log.add({ request, entry, arrivedAt: now, counted });
    const bytes = request.body?.byteLength ?? 0;
    if (verdict.work === "held") work.hold(seq, bytes);
    if (verdict.work === "ready" && entry.executionId !== null) {
      work.add(seq, entry.executionId, configs.current.version, bytes);
    }
    return { receipt: entry.receipt, isWork: verdict.work === "ready" };
  }
}

function receiptOnly(receipt: Receipt | StoredReceipt): AcceptOutcome {
  return { receipt, isWork: false };
}

/** Whether an arrival counts for the rate. Requests that an earlier check refused do not. */
function countsForRate({ request, decision }: Arrival): boolean {
  // The rate limits senders; a replay is requested by the owner.
  if (request.replayOf !== null) return false;
  if (decision.kind !== "refuse") return true;
  const stage = decision.errors[0]?.stage;
  return stage === undefined || !isBefore(stage, "rate");
}

/** Keeps only the beginning of the body, so that a flood does not fill the log. */
function cut(request: ReceivedRequest): ReceivedRequest {
  if (request.body === null || request.body.byteLength <= EXCERPT_BYTES) return request;
  return { ...request, body: request.body.slice(0, EXCERPT_BYTES), bodyTruncated: true };
}

/** What the inbox knows when a request arrives. */
export interface Circumstances {
  config: EndpointConfig;
  /** The request that claimed this event id before, if any. */
  first: Claim | null;
  held: { count: number; bytes: number };
  newExecutionId(): string;
}

/** The entry of a request, and whether it becomes work. */
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
  eventIdSource: null,
  eventKey: null,
  claims: false,
  duplicate: false,
  firstSeq: null,
  executionId: null,
  mappedInputs: null,
} satisfies Partial<NewEntry>;

/** Decides about a request within the rate limit. */
function decide({ request, decision }: Arrival, circumstances: Circumstances): Verdict {
  switch (decision.kind) {
    case "refuse":
      return refused(decision);
    case "answer":
      return answered(decision.httpStatus);
    case "accept":
      return accepted(request, decision, circumstances);
  }
}

/** Returns the verdict on a request beyond the rate limit. */
function rateLimited(retryAfterSeconds: number, limit: number): Verdict {
  return turnedAway(
    "rate",
    "requests_per_minute",
    `The endpoint received more than ${limit} requests within a minute.`,
    { kind: "rate_limited", retryAfterSeconds },
  );
}

function refused(decision: Extract<Decision, { kind: "refuse" }>): Verdict {
  const { httpStatus, errors, diagnosis, eventId, eventIdSource } = decision;
  const entry: NewEntry = {
    ...BLANK,
    status: "rejected",
    httpStatus,
    errors,
    diagnosis,
    eventId,
    eventIdSource,
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
  { eventId, eventIdSource, eventKey, mappedInputs, warnings }: Accepted,
  { config, first, held, newExecutionId }: Circumstances,
): Verdict {
  // A replay is meant to run again: it neither claims its event id nor counts as its duplicate.
  const before = request.replayOf === null ? first : null;
  const event = { eventId, eventIdSource };
  const known = { ...BLANK, ...event, eventKey, warnings, duplicate: before !== null };
  const followed = { ...known, firstSeq: before?.seq ?? null };
  if (before !== null && config.onDuplicate === "skip") return skipped(followed, before);

  const claims = request.replayOf === null && eventKey !== null && before === null;
  if (config.workflow === null) {
    const full = fullness(held, request.body?.byteLength ?? 0);
    if (full !== null)
      return turnedAway("start", "queue_full", full, { kind: "full", detail: full }, event);
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
  event: Pick<NewEntry, "eventId" | "eventIdSource"> = BLANK,
): Verdict {
  const entry: NewEntry = {
    ...BLANK,
    status: "rejected",
    httpStatus: 429,
    errors: [{ stage, rule, message }],
    eventId: event.eventId,
    eventIdSource: event.eventIdSource,
    receipt,
  };
  return { entry, work: "none" };
}

/** Returns why no more requests can be held, or null while there is room. */
function fullness(held: { count: number; bytes: number }, bytes: number): string | null {
  if (held.count >= MAX_HELD_REQUESTS) {
    return `${held.count} requests are already held until a workflow is attached.`;
  }
  if (held.bytes + bytes > MAX_HELD_BYTES) {
    return `The requests that are held until a workflow is attached already take ${held.bytes} bytes.`;
  }
  return null;
}

const arrivalRow = z.object({ arrived_at: z.int(), counted: z.int() });

/**
 * Returns an endpoint's rate limiter. It needs no table: after a restart the window is read from the
 * request log.
 */
export function restoreRateLimiter(sql: SqlStorage, now: number): RateLimiter {
  const counted: number[] = [];
  // Reads uncounted requests too: skipping them in SQL could scan the whole log.
  const newestFirst = sql.exec("SELECT arrived_at, counted FROM requests ORDER BY seq DESC");
  for (const row of newestFirst) {
    const { arrived_at: at, counted: counts } = arrivalRow.parse(row);
    if (at <= now - WINDOW_MS) break;
    if (counts === 1) counted.push(at);
  }
  const limiter = new RateLimiter();
  for (const at of counted.reverse()) limiter.restore(at, 1);
  return limiter;
}
