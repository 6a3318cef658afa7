import * as z from "zod";
import {
  type EndpointConfig,
  MAX_HELD_BYTES,
  MAX_HELD_REQUESTS,
} from "../contract/webhooks/endpoint.ts";
import type {
  Arrival,
  Decision,
  Receipt,
  ReceivedRequest,
  RouteDecision,
  StoredReceipt,
} from "../contract/webhooks/inbox.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import type { RouteMatch } from "../contract/webhooks/routing.ts";
import { isUnverified, unverifiedLimit } from "../intake/checks/unverified.ts";
import {
  causesOf,
  decisionsOf,
  isAttached,
  OWN_ROUTE,
  routesOf,
  withoutLoops,
} from "../intake/routing/routes.ts";
import { type RateDecision, RateLimiter, WINDOW_MS } from "../lib/rate-limiter.ts";
import type { AccountShare } from "./account-share.ts";
import type { Configs } from "./configs.ts";
import type { RequestLog } from "./log.ts";
import type { PlannedStart, Router } from "./router.ts";
import { isEntry, type Starts } from "./starts.ts";
import type { Budget, EntryRow, NewEntry } from "./tables.ts";
import type { OverLimit } from "./usage.ts";
import type { HeldWork, Work } from "./work.ts";

interface AcceptanceComponents {
  storage: DurableObjectStorage;
  configs: Configs;
  log: RequestLog;
  work: Work;
  router: Router;
  starts: Pick<Starts, "hasStarted">;
  /** Counts requests whose sender is authenticated. */
  rate: RateLimiter;
  overLimit: OverLimit;
  share: AccountShare;
}

/** The receipts of arrivals; `isWork` if they start an execution. */
export interface ReceiptBatch {
  receipts: Receipt[];
  isWork: boolean;
}

/** Accepts requests: stores the claim, the log entry and the work of each in one transaction. */
export class Acceptance {
  readonly #components: AcceptanceComponents;
  /** Counts the others, in memory alone: a stranger must not use up the rate of the sender. */
  readonly #unverified = new RateLimiter();

  constructor(components: AcceptanceComponents) {
    this.#components = components;
  }

  /** Whether the account must be asked first for a part of its quota. */
  mustAsk([first]: readonly Arrival[], now: number): boolean {
    const isCounted = first !== undefined && budgetOf(first) === "verified";
    return isCounted && this.#components.share.mustAsk(now);
  }

  /**
   * Accepts a request, or all items of a batch, which count as one request for the rate. Returns the receipt
   * of each, or a single one that tells why nothing is accepted.
   */
  accept(arrivals: readonly Arrival[], now: number): ReceiptBatch {
    const { configs, log, overLimit, storage } = this.#components;
    const [first] = arrivals;
    if (first === undefined) throw new Error("nothing arrived");
    if (log.byId(first.request.requestId) !== null) {
      const before = arrivals.flatMap(({ request }) => log.byId(request.requestId) ?? []);
      return receiptsOnly(before.map(receiptOf));
    }
    const config = configs.current;
    if (first.configVersion > config.version) return receiptsOnly([{ kind: "behind" }]);
    const isOld = first.configVersion < config.version;
    if (isOld || (config.deleted && arrivals.some(({ decision }) => decision.kind === "accept"))) {
      return receiptsOnly([{ kind: "outdated", config }]);
    }
    if (config.account.suspended) return receiptsOnly([{ kind: "suspended" }]);
    overLimit.add(first.turnedAway ?? 0, now);
    const budget = budgetOf(first);
    const taken = this.#take(budget, config, now);
    if (taken !== null && !taken.allowed) {
      overLimit.add(1, now);
      const retryAfterSeconds = Math.ceil(taken.resetMs / 1_000);
      return receiptsOnly([{ kind: "rate_limited", retryAfterSeconds }]);
    }
    const refusal = budget === "verified" ? this.#components.share.take(now) : null;
    if (refusal !== null) {
      overLimit.add(1, now);
      return receiptsOnly([{ kind: "rate_limited", ...refusal }]);
    }
    const full = budget === "verified" ? this.#components.share.full(now) : null;
    if (full !== null) return receiptsOnly([{ kind: "full", detail: full }]);
    const under =
      first.under === undefined ? config : { ...first.under, version: configs.earlierVersion() };
    const stored = storage.transactionSync(() => {
      if (under !== config) configs.keepEarlier(under);
      const crowded = this.#crowded(arrivals, under);
      if (crowded !== null) return [this.#store(first, { ...crowded, under }, now, budget)];
      return arrivals.map((arrival, at) => {
        const verdict = this.#decide(arrival, under, now);
        return this.#store(arrival, { ...verdict, under }, now, at === 0 ? budget : "none");
      });
    });
    return {
      receipts: stored.map(({ receipt }) => receipt),
      isWork: stored.some(({ isWork }) => isWork),
    };
  }

  /** Returns the verdict on a batch that would be held and for which there is no room; null for others. */
  #crowded(arrivals: readonly Arrival[], config: EndpointConfig): EntryDraft | null {
    const held = this.#components.work.held();
    if (arrivals.length === 1 || !isHeld(config, held)) return null;
    const bytes = arrivals.reduce((sum, { request }) => sum + (request.body?.byteLength ?? 0), 0);
    const detail = fullness(held, bytes, arrivals.length);
    return detail === null ? null : queueFull(detail);
  }

  #take(budget: Budget, config: EndpointConfig, now: number): RateDecision | null {
    switch (budget) {
      case "none":
        return null;
      case "verified":
        return this.#components.rate.take(now, config.requestsPerMinute);
      case "unverified":
        return this.#unverified.take(now, unverifiedLimit(config));
    }
  }

  /** Decides about a request within its rate limit. */
  #decide({ request, decision }: Arrival, config: EndpointConfig, now: number): EntryDraft {
    switch (decision.kind) {
      case "refuse": {
        const { kind: _, isVerified: __, ...told } = decision;
        const routes = matchesOf(told.routes, config);
        return { entry: { ...BLANK, ...told, routes, status: "rejected" } };
      }
      case "answer":
        return { entry: { ...BLANK, status: "succeeded", httpStatus: decision.httpStatus } };
      case "accept":
        return this.#accepted(request, decision, config, now);
    }
  }

  #accepted(
    request: ReceivedRequest,
    decision: Extract<Decision, { kind: "accept" }>,
    config: EndpointConfig,
    now: number,
  ): EntryDraft {
    const { configs, log, work, router, starts } = this.#components;
    const { eventId, eventIdSource, eventType = null, eventKey, warnings } = decision;
    const isReplay = request.replayOf !== null;
    // A replay is meant to run again: it neither claims its event id nor counts as its duplicate.
    const first = isReplay || eventKey === null ? null : log.claimOf(eventKey);
    const duplicate = first !== null;
    const event = { eventId, eventIdSource, eventType };
    const known = { ...BLANK, ...event, eventKey, warnings, duplicate };
    const firstSeq = first?.seq ?? null;
    // A replay's answer goes to the owner.
    const set = isReplay ? undefined : config.response?.status;
    if (first !== null && config.onDuplicate === "skip") {
      const { requestId, executionId } = first;
      const receipt = { kind: "duplicate", executionId, requestId } as const;
      const skipped = { ...known, firstSeq, httpStatus: set ?? 200, executionId };
      return { entry: { ...skipped, status: "duplicate", receipt } };
    }
    const claims = !isReplay && eventKey !== null && !duplicate;
    const entry = { ...known, httpStatus: set ?? 202, claims };
    const receipt = { kind: "accepted", executionId: null, duplicate } as const;
    // What runs under an earlier configuration waits for none.
    const held = config === configs.current ? work.held() : NOTHING_HELD;
    if (isHeld(config, held)) {
      const full = fullness(held, request.body?.byteLength ?? 0);
      if (full !== null) return queueFull(full, event);
      return { entry: { ...entry, status: "queued", receipt }, isHeld: true };
    }
    if (!isAttached(config)) {
      const logged = { ...receipt, isLogged: true };
      return { entry: { ...entry, firstSeq, status: "logged", receipt: logged } };
    }
    // The owner who replays a request means it to run.
    const causes = isReplay ? [] : causesOf(config.endpointId, request);
    const { decisions, loops } = withoutLoops(decisionsOf(decision), (route) =>
      causes.find((executionId) => starts.hasStarted(route, executionId)),
    );
    const routes = matchesOf(decisions, config);
    const noted = { ...entry, firstSeq, routes, warnings: [...warnings, ...loops] };
    return routed(noted, router.plan(decisions, config, now));
  }

  #store(
    { request }: Arrival,
    { entry, starts = [], under, isHeld = false }: EntryDraft & { under: EndpointConfig },
    now: number,
    budget: Budget,
  ): { receipt: StoredReceipt; isWork: boolean } {
    const { log, work, router } = this.#components;
    const seq = log.add({ request, entry, arrivedAt: now, budget, under });
    const bytes = request.body?.byteLength ?? 0;
    if (isHeld) work.hold(seq, bytes);
    router.store(seq, starts, bytes, now);
    return { receipt: entry.receipt, isWork: starts.some(isStarting) };
  }
}

const isStarting = ({ executionId }: PlannedStart): boolean => executionId !== null;

/** Returns what a stored request was answered; one that was queued behind others may have started since. */
function receiptOf({ facts: { receipt }, executionId }: EntryRow) {
  return receipt.kind === "accepted" ? { ...receipt, executionId } : receipt;
}

function receiptsOnly(receipts: Receipt[]): ReceiptBatch {
  return { receipts, isWork: false };
}

/** The rate limits senders; a replay is requested by the owner. */
function budgetOf({ request, decision }: Arrival): Budget {
  if (request.replayOf !== null) return "none";
  return isUnverified(decision) ? "unverified" : "verified";
}

/** The entry of a request, and what it starts. */
interface EntryDraft {
  entry: NewEntry;
  isHeld?: boolean;
  starts?: PlannedStart[];
}

const NOTHING_HELD: HeldWork = { count: 0, bytes: 0, untried: 0 };

const BLANK = {
  errors: [],
  warnings: [],
  diagnosis: [],
  advice: null,
  eventId: null,
  eventIdSource: null,
  eventType: null,
  eventKey: null,
  claims: false,
  duplicate: false,
  firstSeq: null,
  executionId: null,
  startVersion: null,
  mappedInputs: null,
  routes: [],
  receipt: { kind: "noted" },
} satisfies Partial<NewEntry>;

type Known = Omit<NewEntry, "status" | "receipt">;

/** Whether a request is held: earlier requests that are about to be released come first. */
function isHeld(config: EndpointConfig, held: HeldWork): boolean {
  return isAttached(config) ? held.untried > 0 : config.withoutWorkflow === "hold";
}

function routed(known: Known, starts: PlannedStart[]): EntryDraft {
  const isUnrouted = starts.length === 0;
  const first = starts.find(isStarting);
  const executionId = first?.executionId ?? null;
  const { duplicate } = known;
  const own = first && isEntry(first) ? first : null;
  const entry: NewEntry = {
    ...known,
    status: isUnrouted ? "unrouted" : "queued",
    errors: starts.flatMap(({ errors }) => errors),
    warnings: [...new Set([...known.warnings, ...starts.flatMap((start) => start.warnings)])],
    executionId,
    startVersion: own?.configVersion ?? null,
    mappedInputs: own?.inputs ?? null,
    receipt: { kind: "accepted", executionId, duplicate, ...(isUnrouted && { isUnrouted }) },
  };
  return { entry, starts };
}

/** Returns the decisions of configured routes as the log stores them. */
export function matchesOf(
  decisions: readonly RouteDecision[] | null | undefined,
  config: EndpointConfig,
): RouteMatch[] {
  const routes = routesOf(config);
  const configured = (decisions ?? []).filter(({ name }) => name !== OWN_ROUTE);
  return configured.map(({ name, matched, reason, key }) => {
    const route = routes.find((each) => each.name === name);
    return { name, matched, reason, key, workflowRevision: route?.workflow?.revision ?? null };
  });
}

function queueFull(detail: string, event: Partial<NewEntry> = {}): EntryDraft {
  const errors: StageError[] = [{ stage: "start", rule: "queue_full", message: detail }];
  const receipt = { kind: "full", detail } as const;
  return { entry: { ...BLANK, ...event, status: "rejected", httpStatus: 429, errors, receipt } };
}

/** Returns why no more requests can be held, or null while there is room. */
function fullness(held: HeldWork, bytes: number, count = 1): string | null {
  if (held.count + count > MAX_HELD_REQUESTS) {
    return `${held.count} requests are already held. Attach a workflow that they can be mapped to.`;
  }
  if (held.bytes + bytes > MAX_HELD_BYTES) {
    return `The held requests already take ${held.bytes} bytes. Attach a workflow that they can be mapped to.`;
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
