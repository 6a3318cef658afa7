import { DurableObject } from "cloudflare:workers";
import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import type {
  Arrival,
  InboxApi,
  LearnedShape,
  LoggedRequest,
  LogPosition,
  LogQuery,
  Receipt,
  RunReport,
  Slice,
  WorkOutcome,
} from "../../contract/inbound/inbox.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import { isInitialised, migrate } from "../../durable/schema.ts";
import { Wakeups } from "../../durable/wakeups.ts";
import { innermost } from "../../lib/cause.ts";
import { within } from "../../lib/deadline.ts";
import { loadByAddress } from "../../records/endpoints.ts";
import { assemble, type Parts } from "./parts.ts";
import { MOST_BYTES } from "./retention.ts";
import { INBOX_SCHEMA } from "./schema.ts";

const WAKEUPS = ["drain", "look", "lookAgain", "retain"] as const;
/** Sending follows acceptance at once; this is when it is tried again if that did not work. */
const DRAIN_BACKUP_MS = 3_000;
/** A change of the configuration is usually told by then. */
const LOOK_MS = 3_000;
/** By then every write that was begun has ended. */
const LOOK_AGAIN_MS = 60_000;
const READ_TIMEOUT_MS = 10_000;
/** Longer than a read may take and a change be announced before it. */
const RETRY_MS = 15_000;
const DELETED: StageError = {
  stage: "start",
  rule: "endpoint_deleted",
  message: "the endpoint was deleted while this request waited for a workflow",
};
/** The log is looked through for what has served its time, at the latest so long after a change. */
const RETAIN_MS = 3_600_000;
const EMPTY_SLICE: Slice = { configs: [], items: [], more: false };

/**
 * The object of one endpoint: the serial owner of its claims on event ids, its rate, its log and its
 * work. An inbox that was never configured has no tables, and asking it writes nothing.
 */
export class EndpointInbox extends DurableObject<CloudflareEnv> implements InboxApi {
  #parts: Parts | null;
  readonly #wakeups: Wakeups<(typeof WAKEUPS)[number]>;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    this.#wakeups = new Wakeups(ctx.storage, WAKEUPS);
    this.#parts = isInitialised(ctx.storage) ? this.#assemble() : null;
    // What was on its way was known to the process before; it is sent again.
    if (this.#parts?.work.hasReady()) {
      this.#wakeups.setSooner("drain", Date.now() + DRAIN_BACKUP_MS);
    }
    ctx.blockConcurrencyWhile(() => this.#wakeups.recover());
  }

  override async alarm(): Promise<void> {
    this.#wakeups.fired();
    if (this.#parts !== null) await this.#doDue(this.#parts, Date.now());
    this.#wakeups.rearm();
  }

  async receive(arrival: Arrival): Promise<Receipt> {
    const parts = this.#parts;
    if (parts === null) return { kind: "behind" };
    const now = Date.now();
    const { receipt, isWork } = parts.intake.receive(arrival, now);
    if (isWork) this.#send(parts, now);
    this.#wakeups.setSooner("retain", now + RETAIN_MS);
    this.#wakeups.arm();
    return receipt;
  }

  async configure(config: EndpointConfig): Promise<void> {
    // A deleted endpoint that has nothing left here has had its time.
    if (this.#parts === null && config.deleted) return;
    this.#parts = this.ctx.storage.transactionSync(() => {
      const parts = this.#parts ?? this.#assemble();
      this.#apply(parts, config, Date.now());
      return parts;
    });
  }

  async expectChange(): Promise<void> {
    // An inbox that knows no configuration is told one with its first request.
    if (this.#parts === null) return;
    const now = Date.now();
    this.#wakeups.setSooner("look", now + LOOK_MS);
    this.#wakeups.set("lookAgain", now + LOOK_AGAIN_MS);
    this.#wakeups.arm();
  }

  async slice(requestIds: string[]): Promise<Slice> {
    const parts = this.#parts;
    return parts === null ? EMPTY_SLICE : parts.slices.of(parts.work.readyOf(requestIds));
  }

  async pending(executionId: string): Promise<Slice> {
    const work = this.#parts?.work.readyAs(executionId) ?? null;
    return this.#parts === null || work === null ? EMPTY_SLICE : this.#parts.slices.of([work]);
  }

  async acknowledge(outcomes: WorkOutcome[]): Promise<void> {
    const parts = this.#parts;
    if (parts === null) return;
    const now = Date.now();
    const seqs = this.ctx.storage.transactionSync(() =>
      outcomes.flatMap((outcome) => parts.outcomes.acknowledge(outcome, now) ?? []),
    );
    parts.dispatcher.acknowledged(seqs);
  }

  async report(report: RunReport): Promise<void> {
    const parts = this.#parts;
    if (parts === null) return;
    const seq = this.ctx.storage.transactionSync(() => parts.outcomes.report(report, Date.now()));
    if (seq !== null) parts.dispatcher.acknowledged([seq]);
  }

  async list(query: LogQuery) {
    const parts = this.#parts;
    return parts === null ? { entries: [], next: null } : parts.reading.list(query);
  }

  async entry(requestId: string): Promise<LoggedRequest | null> {
    return this.#parts?.reading.entry(requestId) ?? null;
  }

  async recent(limit: number, after: LogPosition | null) {
    const parts = this.#parts;
    return parts === null ? { requests: [], next: null } : parts.reading.recent(limit, after);
  }

  async claimOf(eventId: string) {
    const claim = this.#parts?.claims.of(eventId) ?? null;
    if (claim === null) return null;
    return { requestId: claim.requestId, executionId: claim.executionId };
  }

  async queuedCount(): Promise<number> {
    return this.#parts?.work.count() ?? 0;
  }

  async shape(): Promise<LearnedShape> {
    return { learnedFrom: 0, profile: null, drifted: 0 };
  }

  async #doDue(parts: Parts, now: number): Promise<void> {
    const due = this.#wakeups.due(now);
    if (parts.retention.isOverfull && !due.includes("retain")) due.push("retain");
    for (const name of due) {
      try {
        await this.#do(name, parts, now);
      } catch (error) {
        // What fails must not keep the others from being done.
        console.error("wake-up failed", { name, error: innermost(error) });
        this.#wakeups.set(name, Date.now() + RETRY_MS);
      }
    }
  }

  async #do(name: (typeof WAKEUPS)[number], parts: Parts, now: number): Promise<void> {
    switch (name) {
      case "drain":
        return this.#plan(name, parts.dispatcher.resume());
      case "retain":
        return await this.#retain(parts, now);
      case "look":
      case "lookAgain":
        return await this.#look(name, parts, now);
    }
  }

  async #retain(parts: Parts, now: number): Promise<void> {
    const { retentionDays, deleted } = parts.configs.current;
    const next = this.ctx.storage.transactionSync(() => parts.retention.sweep(retentionDays, now));
    this.#plan("retain", next);
    if (next === null && deleted) await this.#vanish();
  }

  /** Nothing is left of a deleted endpoint. */
  async #vanish(): Promise<void> {
    this.#parts = null;
    for (const name of WAKEUPS) this.#wakeups.cancel(name);
    await this.ctx.storage.deleteAll();
  }

  /** Reads the configuration where its truth is. */
  async #look(name: "look" | "lookAgain", parts: Parts, now: number): Promise<void> {
    this.#wakeups.set(name, now + RETRY_MS);
    const { endpointId } = parts.configs.current;
    const config = await within("D1", READ_TIMEOUT_MS, loadByAddress(this.env.DB, endpointId));
    if (config !== null) this.#apply(parts, config, Date.now());
    // Another change that was announced meanwhile has set its own time.
    if (this.#wakeups.at(name) === now + RETRY_MS) this.#wakeups.cancel(name);
  }

  #apply(parts: Parts, config: EndpointConfig, now: number): void {
    if (parts.configs.knows(config)) return;
    this.#wakeups.set("retain", now + RETAIN_MS);
    const held = parts.work.heldSeqs();
    parts.configs.put(config, () => {
      if (config.deleted) for (const seq of held) parts.outcomes.abandon(seq, DELETED, now);
      else if (config.workflow !== null) parts.release(held, config, now);
    });
    if (parts.work.hasReady()) this.#send(parts, now);
    this.#wakeups.arm();
  }

  #send(parts: Parts, now: number): void {
    this.#wakeups.setSooner("drain", now + DRAIN_BACKUP_MS);
    parts.dispatcher.soon();
  }

  #plan(name: (typeof WAKEUPS)[number], at: number | null): void {
    if (at === null) this.#wakeups.cancel(name);
    else this.#wakeups.set(name, at);
  }

  #assemble(): Parts {
    migrate(this.ctx.storage, INBOX_SCHEMA);
    return assemble(this.ctx.storage, {
      now: Date.now,
      mostBytes: MOST_BYTES,
      wakeAt: (at) => {
        this.#wakeups.setSooner("drain", at);
        this.#wakeups.arm();
      },
      send: async (messages) => {
        await this.env.INBOUND.sendBatch(messages.map((body) => ({ body })));
      },
    });
  }
}
