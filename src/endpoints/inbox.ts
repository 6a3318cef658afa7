import { isFinal } from "../contract/execution.ts";
import type { NewSubscription, SubscribeReply } from "../contract/mcp-events.ts";
import type { Waiter } from "../contract/tools/call.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type {
  Acknowledgement,
  Arrival,
  InboxApi,
  Receipt,
  ReplayResult,
  RunReport,
} from "../contract/webhooks/inbox.ts";
import { condition } from "../contract/webhooks/routing.ts";
import { AlarmScheduler, keyValueStore } from "../durable/alarm-scheduler.ts";
import { isInitialised, migrate } from "../durable/schema.ts";
import { StorageChanges } from "../durable/storage-changes.ts";
import { settingsOf } from "../env.ts";
import { conditionFaults } from "../intake/routing/condition.ts";
import { type Resealed, Resealer } from "../lib/resealer.ts";
import { type Components, createComponents } from "./components.ts";
import { applyConfig, hasReleasable } from "./held.ts";
import { InboxQuestions } from "./inbox-questions.ts";
import { replayable, replayEach } from "./replays.ts";
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
/** Payloads gather for a moment before they are learned, until the same alarm that sends again. */
const LEARN_MS = DRAIN_BACKUP_MS;
/** Failures gather for a moment before they are looked at. */
const HEALTH_MS = 2_000;
const BEHIND: Receipt = { kind: "behind" };

/**
 * The object of one endpoint: the serial owner of its claims on event ids, its rate, its log and its
 * work. An inbox that was never configured has no tables, and asking it writes nothing.
 */
export class EndpointInbox extends InboxQuestions implements InboxApi {
  protected override readonly alarms: AlarmScheduler<TaskName>;
  protected override readonly schema = INBOX_SCHEMA;
  readonly #changes: StorageChanges;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    this.#changes = new StorageChanges(ctx.storage.sql);
    const tasks = inboxTasks({
      env: () => this.env,
      storage: ctx.storage,
      components: () => this.components,
      alarms: () => this.alarms,
      adopted: (components) => this.#adopted(components),
      vanish: () => this.#vanish(),
    });
    this.alarms = new AlarmScheduler({
      alarm: ctx.storage,
      store: keyValueStore(ctx.storage.kv, TASKS),
      run: (name, until) => tasks[name](until),
      order: TASKS,
    });
    this.begin("EndpointInbox");
  }

  protected override load(): void {
    if (!isInitialised(this.ctx.storage)) return;
    this.alarms.load();
    this.components = this.#createComponents();
    if (hasReleasable(this.components)) this.alarms.setSooner("release", Date.now());
    // What was on its way was known to the process before; it is sent again.
    if (!this.components.work.hasReady()) return;
    this.alarms.setSooner("drain", Date.now() + DRAIN_BACKUP_MS);
  }

  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    // Without a configuration there is nothing to do, and a wake-up would come again without end.
    if (this.components === null) this.alarms.clear();
    else if (this.components.retention.isOverfull) this.alarms.setSooner("retain", Date.now());
    await super.alarm(info);
  }

  async accept(arrival: Arrival): Promise<Receipt> {
    const [receipt = BEHIND] = await this.acceptBatch([arrival]);
    return receipt;
  }

  async acceptBatch(arrivals: Arrival[]): Promise<Receipt[]> {
    await this.components?.batcher.join(Date.now());
    // Many may wait for one grant: only the turn that takes its part knows that it has one.
    while (this.components?.acceptance.mustAsk(arrivals, Date.now())) {
      await this.components.share.ask(Date.now());
    }
    const components = this.components;
    if (components === null) return [BEHIND];
    const now = Date.now();
    components.batcher.record(now);
    const { receipts, isWork } = components.acceptance.accept(arrivals, now);
    if (isWork) this.#send(components, now);
    if (hasReleasable(components)) this.alarms.setSooner("release", now);
    if (!components.waiters.isEmpty) this.alarms.setSooner("wake", now);
    if (!components.subscriptions.isEmpty) this.alarms.setSooner("events", now);
    components.share.report(now);
    if (components.watch.isFailing || receipts.some(({ kind }) => kind === "noted")) {
      this.alarms.setSooner("health", now + HEALTH_MS);
    }
    this.#followRouter(components, now);
    // Nothing was stored.
    if (receipts[0]?.kind === "rate_limited") return receipts;
    const bytes = arrivals.reduce((sum, { request }) => sum + (request.body?.byteLength ?? 0), 0);
    const isOverfull = components.retention.grew(bytes);
    this.alarms.setSooner("retain", isOverfull ? now : now + RETAIN_MS);
    this.alarms.setSooner("learn", now + LEARN_MS);
    this.alarms.arm();
    return receipts;
  }

  async configure(config: EndpointConfig): Promise<void> {
    // A deleted endpoint that has nothing left here has had its time.
    if (this.components === null && config.deleted) return;
    const known = this.components;
    const { components, isNew } = this.ctx.storage.transactionSync(() => {
      const components = known ?? this.#createComponents();
      return { components, isNew: applyConfig(components, config, Date.now()) };
    });
    this.components = components;
    if (isNew) this.#adopted(components);
  }

  async reconfigure(config: EndpointConfig): Promise<void> {
    if (this.components !== null) await this.configure(config);
  }

  async sourceState(config: EndpointConfig) {
    await this.configure(config);
    return this.components?.follower.state() ?? null;
  }

  async expectChange(): Promise<void> {
    // An inbox that knows no configuration is told one with its first request.
    if (this.components === null) return;
    const now = Date.now();
    this.alarms.setSooner("look", now + LOOK_MS);
    this.alarms.set("lookAgain", now + LOOK_AGAIN_MS);
    this.alarms.arm();
  }

  async acknowledge(acknowledgements: Acknowledgement[]): Promise<void> {
    const components = this.components;
    if (components === null) return;
    const now = Date.now();
    for (const { kind, executionId = "" } of acknowledgements) {
      if (kind === "failed") components.live.delete(executionId);
    }
    const seqs = this.ctx.storage.transactionSync(() =>
      acknowledgements.flatMap((each) => components.router.acknowledge(each, now) ?? []),
    );
    components.dispatcher.acknowledged(seqs);
    this.#followRouter(components, now);
    this.alarms.arm();
  }

  async report(report: RunReport): Promise<void> {
    const components = this.components;
    if (components === null) return;
    if (isFinal(report.status)) components.live.delete(report.executionId);
    const seqs = this.ctx.storage.transactionSync(() =>
      components.router.report(report, Date.now()),
    );
    components.dispatcher.acknowledged(seqs);
    this.#followRouter(components, Date.now());
    if (components.watch.isFailing || (isFinal(report.status) && report.status !== "completed")) {
      this.alarms.setSooner("health", Date.now() + HEALTH_MS);
    }
    this.alarms.arm();
  }

  async changes(seen: string | null, waitMs: number): Promise<string> {
    return this.#changes.since(seen, waitMs);
  }

  async wait(waiter: Waiter): Promise<string | null> {
    const parsed = condition.safeParse(waiter.when);
    if (!parsed.success) return `when ${parsed.error.issues[0]?.message ?? "is not a condition"}.`;
    const [fault] = conditionFaults(parsed.data, "when");
    if (fault !== undefined) return `${fault.path} ${fault.message}.`;
    if (this.components === null) throw new Error("this inbox has no configuration");
    this.components.waiters.add(waiter);
    this.wakeAt("wake", Date.now());
    return null;
  }

  async subscribe(subscription: NewSubscription): Promise<SubscribeReply> {
    if (this.components === null) throw new Error("this inbox has no configuration");
    return this.components.subscriptions.subscribe(subscription, Date.now());
  }

  async unsubscribe(subscriptionId: string): Promise<void> {
    this.components?.subscriptions.remove(subscriptionId);
  }

  async beginEvent(...attempt: Parameters<InboxApi["beginEvent"]>) {
    return (await this.components?.subscriptions.begin(...attempt)) ?? null;
  }

  async endEvent(...ended: Parameters<InboxApi["endEvent"]>): Promise<void> {
    this.components?.subscriptions.end(...ended);
  }

  async release(config: EndpointConfig): Promise<number> {
    await this.reconfigure(config);
    const components = this.components;
    if (components === null) return 0;
    components.work.retryHeld();
    this.#adopted(components);
    return components.work.held().count;
  }

  async replayable(...[asked, includeReplays]: Parameters<InboxApi["replayable"]>) {
    const page =
      "query" in asked
        ? await this.find(asked.query)
        : { positions: asked.requestIds.map((requestId) => ({ requestId })), next: null };
    const ids = page.positions.map(({ requestId }) => requestId);
    const { sql } = this.ctx.storage;
    const positions = this.components === null ? [] : replayable(sql, ids, includeReplays);
    return { positions, next: page.next };
  }

  async replay(...[items, options]: Parameters<InboxApi["replay"]>): Promise<ReplayResult[]> {
    const components = this.components;
    if (components === null) return [];
    const { sql } = this.ctx.storage;
    const context = { sql, database: this.env.DB, components, inbox: this };
    return await replayEach(context, items, options);
  }

  /** Dispatches the requests that their cases made ready, and wakes when the next case is due. */
  #followRouter({ router, dispatcher, cases }: Components, now: number): void {
    const { readied, hasNewTimes } = router.takeChanges();
    if (readied.length > 0) this.alarms.setSooner("drain", now + DRAIN_BACKUP_MS);
    dispatcher.readied(readied);
    if (!hasNewTimes) return;
    const due = cases.nextDue();
    if (due !== null) this.alarms.setSooner("cases", due);
  }

  /** Sends what is ready, and sees to it that it is sent if this process dies before. */
  #send(components: Components, now: number): void {
    this.alarms.setSooner("drain", now + DRAIN_BACKUP_MS);
    components.dispatcher.soon();
  }

  #adopted(components: Components): void {
    const now = Date.now();
    this.alarms.setSooner("retain", now + RETAIN_MS);
    if (hasReleasable(components)) this.alarms.setSooner("release", now);
    if (components.watch.isFailing) this.alarms.setSooner("health", now);
    if (!components.waiters.isEmpty) this.alarms.setSooner("wake", now);
    const followAt = components.follower.dueAt();
    if (followAt !== null) this.alarms.setSooner("source", Math.max(followAt, now));
    if (components.work.hasReady()) this.#send(components, now);
    this.#followRouter(components, now);
    this.alarms.arm();
  }

  async erase(): Promise<void> {
    await this.#vanish();
    await this.ctx.storage.deleteAlarm();
  }

  async reseal(): Promise<Resealed> {
    const sealer = new Resealer(settingsOf(this.env).ENCRYPTION_KEY);
    await this.components?.configs.reseal(sealer);
    await this.components?.subscriptions.reseal(sealer);
    return sealer.report();
  }

  async #vanish(): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.alarms.clear();
    this.components = null;
  }

  #createComponents(): Components {
    migrate(this.ctx.storage, INBOX_SCHEMA);
    return createComponents(this.ctx.storage, {
      env: () => this.env,
      inbox: this,
      now: Date.now,
      mostBytes: MOST_BYTES,
      wake: (name, at) => this.wakeAt(name, at),
    });
  }
}
