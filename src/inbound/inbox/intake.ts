import type { Arrival, Receipt, ReceivedRequest } from "../../contract/inbound/inbox.ts";
import { isBefore } from "../../contract/inbound/payload.ts";
import type { Claims } from "./claims.ts";
import type { Configs } from "./configs.ts";
import { type Circumstances, decide, rateLimited, type Verdict } from "./decide.ts";
import type { StoredReceipt } from "./entry.ts";
import { EXCERPT_BYTES, type RequestLog } from "./log.ts";
import type { Meter } from "./meter.ts";
import type { Work } from "./work.ts";

interface IntakeParts {
  storage: DurableObjectStorage;
  configs: Configs;
  claims: Claims;
  log: RequestLog;
  work: Work;
  meter: Meter;
  newExecutionId(now: number): string;
}

/** What became of an arrival; `isWork` when it is to be started. */
export interface Taken {
  receipt: Receipt;
  isWork: boolean;
}

/** Takes in requests: the claim, the entry and the work of each in one transaction. */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  accept(arrival: Arrival, now: number): Taken {
    const { configs, log, meter, storage } = this.#parts;
    const before = log.byId(arrival.request.requestId);
    if (before !== null) return answered(before.facts.receipt);
    const config = configs.current;
    if (arrival.configVersion > config.version) return answered({ kind: "behind" });
    const isOld = arrival.configVersion < config.version;
    if (isOld || (config.deleted && arrival.decision.kind === "accept")) {
      return answered({ kind: "outdated", config });
    }
    const counted = countsForRate(arrival);
    const rate = counted ? meter.take(now, config.requestsPerMinute) : null;
    if (rate !== null && !rate.allowed) {
      const verdict = rateLimited(Math.ceil(rate.resetMs / 1_000), config.requestsPerMinute);
      return storage.transactionSync(() => this.#store(arrival, verdict, now, false));
    }
    const verdict = decide(arrival, this.#circumstances(arrival, now));
    return storage.transactionSync(() => this.#store(arrival, verdict, now, counted));
  }

  #circumstances({ decision }: Arrival, now: number): Circumstances {
    const { configs, claims, work, newExecutionId } = this.#parts;
    const config = configs.current;
    const eventId = decision.kind === "accept" ? decision.eventId : null;
    return {
      config,
      first: eventId === null ? null : claims.of(eventId),
      held: config.workflow === null ? work.held() : { count: 0, bytes: 0 },
      newExecutionId: () => newExecutionId(now),
    };
  }

  #store(arrival: Arrival, verdict: Verdict, now: number, counted: boolean): Taken {
    const { log, work, configs } = this.#parts;
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

function answered(receipt: Receipt | StoredReceipt): Taken {
  return { receipt, isWork: false };
}

/** What an earlier check than that on the rate has refused does not count for it. */
function countsForRate({ request, decision }: Arrival): boolean {
  // The rate is for senders, and a replay is the owner's own.
  if (request.replayOf !== null) return false;
  if (decision.kind !== "refuse") return true;
  const stage = decision.errors[0]?.stage;
  return stage === undefined || !isBefore(stage, "rate");
}

/** With no more of the body than a list shows: a flood must not fill the log with bodies. */
function cut(request: ReceivedRequest): ReceivedRequest {
  if (request.body === null || request.body.byteLength <= EXCERPT_BYTES) return request;
  return { ...request, body: request.body.slice(0, EXCERPT_BYTES), bodyTruncated: true };
}
