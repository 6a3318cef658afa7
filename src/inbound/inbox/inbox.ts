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
import { INBOX_SCHEMA } from "./schema.ts";

const WAKEUPS = ["drain", "look", "lookAgain"] as const;
/** Sending follows acceptance at once; this is when it is tried again if that did not work. */
const DRAIN_BACKUP_MS = 3_000;
/** A change of the configuration is usually told by then. */
const LOOK_MS = 3_000;
/** By then every write that was begun has ended. */
const LOOK_AGAIN_MS = 60_000;
const READ_TIMEOUT_MS = 10_000;
const LOOK_RETRY_MS = 10_000;
const DELETED: StageError = {
  stage: "start",
  rule: "endpoint_deleted",
  message: "the endpoint was deleted while this request waited for a workflow",
};
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
    return receipt;
  }

  async configure(config: EndpointConfig): Promise<void> {
    const now = Date.now();
    const parts = this.#parts ?? this.#create();
    this.#parts = parts;
    this.#apply(parts, config, now);
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
    parts.dispatcher.soon();
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
    const due = new Set(this.#wakeups.due(now));
    if (due.has("drain")) this.#plan("drain", parts.dispatcher.resume());
    if (due.has("look") || due.has("lookAgain")) {
      for (const name of ["look", "lookAgain"] as const) {
        if (due.has(name)) this.#wakeups.cancel(name);
      }
      await this.#look(parts);
    }
  }

  /** Reads the configuration where its truth is. */
  async #look(parts: Parts): Promise<void> {
    const { endpointId } = parts.configs.current;
    try {
      const read = loadByAddress(this.env.DB, endpointId);
      const config = await within("D1", READ_TIMEOUT_MS, read);
      if (config !== null) this.#apply(parts, config, Date.now());
    } catch (error) {
      console.warn("configuration not read", { endpointId, error: innermost(error) });
      this.#wakeups.setSooner("look", Date.now() + LOOK_RETRY_MS);
    }
  }

  #apply(parts: Parts, config: EndpointConfig, now: number): void {
    if (parts.configs.knows(config)) return;
    const held = parts.work.heldSeqs();
    parts.configs.put(config, () => {
      if (config.deleted) for (const seq of held) parts.outcomes.abandon(seq, DELETED, now);
      else if (config.workflow !== null) parts.release(held, config, now);
    });
    this.#send(parts, now);
  }

  #send(parts: Parts, now: number): void {
    this.#wakeups.setSooner("drain", now + DRAIN_BACKUP_MS);
    this.#wakeups.arm();
    parts.dispatcher.soon();
  }

  #plan(name: (typeof WAKEUPS)[number], at: number | null): void {
    if (at === null) this.#wakeups.cancel(name);
    else this.#wakeups.set(name, at);
  }

  #create(): Parts {
    return this.ctx.storage.transactionSync(() => this.#assemble());
  }

  #assemble(): Parts {
    migrate(this.ctx.storage, INBOX_SCHEMA);
    return assemble(this.ctx.storage, {
      now: Date.now,
      send: async (messages) => {
        await this.env.INBOUND.sendBatch(messages.map((body) => ({ body })));
      },
    });
  }
}
