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
  WorkBatch,
  WorkOutcome,
} from "../../contract/inbound/inbox.ts";
import type { InboxUsage, InboxUsageQuery } from "../../contract/usage.ts";
import { AlarmScheduler } from "../../durable/alarm-scheduler.ts";
import { isInitialised, migrate } from "../../durable/schema.ts";
import { type Components, createComponents } from "./components.ts";
import { MOST_BYTES } from "./retention.ts";
import { INBOX_SCHEMA } from "./tables.ts";
import { inboxTasks, TASKS, type TaskName } from "./tasks.ts";

/** Sending follows acceptance at once; this is when it is tried again if that did not work. */
const DRAIN_BACKUP_MS = 3_000;
/** A change of the configuration is usually told by then. */
const LOOK_MS = 3_000;
/** By then every write that was begun has ended. */
const LOOK_AGAIN_MS = 60_000;
/** The log is looked through for what has served its time, at the latest so long after a change. */
const RETAIN_MS = 3_600_000;
/** Payloads gather for a moment before they are learned. */
const LEARN_MS = 1_000;
/** Portions that are learned before somebody is told of the shape. */
const LEARN_AT_ONCE = 20;
const NO_WORK: WorkBatch = { configs: [], items: [], more: false };

/**
 * The object of one endpoint: the serial owner of its claims on event ids, its rate, its log and its
 * work. An inbox that was never configured has no tables, and asking it writes nothing.
 */
export class EndpointInbox extends DurableObject<CloudflareEnv> implements InboxApi {
  #parts: Components | null;
  readonly #alarms: AlarmScheduler<TaskName>;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    const tasks = inboxTasks({
      database: () => this.env.DB,
      storage: ctx.storage,
      parts: () => this.#parts,
      alarms: () => this.#alarms,
      adopted: (parts) => this.#adopted(parts),
      vanish: () => this.#vanish(),
    });
    this.#alarms = new AlarmScheduler(ctx.storage, TASKS, tasks);
    this.#parts = isInitialised(ctx.storage) ? this.#createComponents() : null;
    // What was on its way was known to the process before; it is sent again.
    if (this.#parts?.work.hasReady()) {
      this.#alarms.setSooner("drain", Date.now() + DRAIN_BACKUP_MS);
    }
    ctx.blockConcurrencyWhile(() => this.#alarms.recover());
  }

  override async alarm(): Promise<void> {
    // Without a configuration there is nothing to do, and a wake-up would come again without end.
    if (this.#parts === null) this.#alarms.clear();
    else if (this.#parts.retention.isOverfull) this.#alarms.setSooner("retain", Date.now());
    await this.#alarms.handleAlarm();
  }

  async accept(arrival: Arrival): Promise<Receipt> {
    await this.#parts?.batcher.join(Date.now());
    const parts = this.#parts;
    if (parts === null) return { kind: "behind" };
    const now = Date.now();
    parts.batcher.record(now);
    const { receipt, isWork } = parts.acceptance.accept(arrival, now);
    if (isWork) this.#send(parts, now);
    const isOverfull = parts.retention.grew(arrival.request.body?.byteLength ?? 0);
    this.#alarms.setSooner("retain", isOverfull ? now : now + RETAIN_MS);
    if (receipt.kind === "accepted") this.#alarms.setSooner("learn", now + LEARN_MS);
    this.#alarms.arm();
    return receipt;
  }

  async configure(config: EndpointConfig): Promise<void> {
    // A deleted endpoint that has nothing left here has had its time.
    if (this.#parts === null && config.deleted) return;
    const known = this.#parts;
    const { parts, isNew } = this.ctx.storage.transactionSync(() => {
      const parts = known ?? this.#createComponents();
      return { parts, isNew: parts.configUpdater.apply(config, Date.now()) };
    });
    this.#parts = parts;
    if (isNew) this.#adopted(parts);
  }

  async expectChange(): Promise<void> {
    // An inbox that knows no configuration is told one with its first request.
    if (this.#parts === null) return;
    const now = Date.now();
    this.#alarms.setSooner("look", now + LOOK_MS);
    this.#alarms.set("lookAgain", now + LOOK_AGAIN_MS);
    this.#alarms.arm();
  }

  async workBatch(requestIds: string[]): Promise<WorkBatch> {
    const parts = this.#parts;
    return parts === null ? NO_WORK : parts.batches.of(parts.work.readyOf(requestIds));
  }

  async pending(executionId: string): Promise<WorkBatch> {
    const work = this.#parts?.work.readyAs(executionId) ?? null;
    return this.#parts === null || work === null ? NO_WORK : this.#parts.batches.of([work]);
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
    return parts === null ? { entries: [], next: null } : parts.reader.list(query);
  }

  async entry(requestId: string): Promise<LoggedRequest | null> {
    return this.#parts?.reader.entry(requestId) ?? null;
  }

  async recent(limit: number, after: LogPosition | null) {
    const parts = this.#parts;
    return parts === null ? { requests: [], next: null } : parts.reader.recent(limit, after);
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
    const parts = this.#parts;
    if (parts === null) return { learnedFrom: 0, profile: null, drifted: 0 };
    // Whoever asks sees what came just before: learning does not wait for its time.
    for (let n = 0; n < LEARN_AT_ONCE && (await parts.learner.advance()); n += 1);
    return parts.learner.shape();
  }

  async usage(query: InboxUsageQuery): Promise<InboxUsage> {
    const parts = this.#parts;
    if (parts === null) return { countedFrom: query.from, queuedCount: 0, strata: [] };
    const counted = await parts.usage.count(query);
    return { ...counted, queuedCount: parts.work.count() };
  }

  /** Sends what is ready, and sees to it that it is sent if this process dies before. */
  #send(parts: Components, now: number): void {
    this.#alarms.setSooner("drain", now + DRAIN_BACKUP_MS);
    parts.dispatcher.soon();
  }

  #adopted(parts: Components): void {
    const now = Date.now();
    this.#alarms.setSooner("retain", now + RETAIN_MS);
    if (parts.work.hasReady()) this.#send(parts, now);
    this.#alarms.arm();
  }

  async #vanish(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#alarms.clear();
    this.#parts = null;
  }

  #createComponents(): Components {
    migrate(this.ctx.storage, INBOX_SCHEMA);
    return createComponents(this.ctx.storage, {
      now: Date.now,
      mostBytes: MOST_BYTES,
      wakeAt: (at) => {
        this.#alarms.setSooner("drain", at);
        this.#alarms.arm();
      },
      send: async (messages) => {
        await this.env.INBOUND.sendBatch(messages.map((body) => ({ body })));
      },
    });
  }
}
