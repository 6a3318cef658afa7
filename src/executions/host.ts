import type { KeptEffect } from "../contract/backup.ts";
import { CALLBACK_SECRET_CONTEXT } from "../contract/callbacks.ts";
import { shownDecision } from "../contract/decisions.ts";
import {
  type ExecutionSeed,
  executionSeed,
  type ForkQuery,
  type MessageCommand,
  type SessionHostApi,
  type StopCommand,
} from "../contract/session.ts";
import type { AlarmScheduler, Due } from "../durable/alarm-scheduler.ts";
import { goBack, openCopy } from "../durable/backup.ts";
import { isInitialised, migrate } from "../durable/schema.ts";
import { StoredObject } from "../durable/stored-object.ts";
import { settingsOf } from "../env.ts";
import { backoffMs, Semaphore } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { orElse } from "../lib/or-else.ts";
import { type Resealed, Resealer } from "../lib/resealer.ts";
import { keepEffects, keptEffectsOf } from "../records/kept-effects.ts";
import type { SessionContext } from "./dependencies.ts";
import { callbacksSince, hostAlarms, planWakeup } from "./host-alarms.ts";
import { effectsSince } from "./journal/history.ts";
import { HOST_SCHEMA, Journal } from "./journal/journal.ts";
import { Session } from "./session.ts";

const UNKNOWN = { kind: "unknown" } as const;

/** When a session that cannot be read is tried again: newer code may read it. */
const UNREADABLE_MS = 3_600_000;
/**
 * Sessions whose step was lost more than once start at least this far apart. All at once they would
 * take so long that the next loss meets all of them again.
 */
const RECOVERY_SPACING_MS = 250;
/** Sessions at rest stay in memory up to this number, and to this length of their inputs together. */
const SESSIONS_KEPT = 32;
/**
 * Model calls of a host that wait for a response at once. Six connections of an object may, a seventh waits
 * for one of them while its timer runs; two are left to tools and queues. Replies that are being written do
 * not count.
 */
const MODEL_CALLS = 4;
/** Replies that are written to a host at once: each takes some 500 KB, and others that rest may wake together. */
const MODEL_REPLIES = 32;
const INPUTS_KEPT = 4_000_000;
/** The other parts of a restored account are usually open by then. */
const REPORT_DELAY_MS = 5_000;

/**
 * The Durable Object that hosts executions of one account: finds their sessions and keeps one alarm over
 * the wake-ups of all. An object that hosts nothing has no tables, and asking it writes nothing.
 */
export class SessionHost extends StoredObject<string> implements SessionHostApi {
  readonly #sessions = new Map<string, Session>();
  /** The length of the inputs of all sessions in memory. */
  #inputsLength = 0;
  protected override readonly alarms: AlarmScheduler<string>;
  protected override readonly schema = HOST_SCHEMA;
  readonly #modelCalls = new Semaphore(MODEL_CALLS);
  readonly #modelReplies = new Semaphore(MODEL_REPLIES);
  readonly #suspects = new Semaphore(1);
  #hasTables = false;
  /** The effects that its executions had before the account went back in time; going back restarts the host. */
  #keptEffects: KeptEffect[] | null = null;
  /** How many sessions paused since this object was made. */
  #pausing = 0;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    super(ctx, env);
    this.alarms = hostAlarms(ctx.storage, {
      wake: (executionId) => this.#wake(executionId),
      // In one commit for all sessions: an alarm comes before any wake-up is repeated.
      save: () => {
        for (const session of this.#sessions.values()) session.save();
      },
    });
    this.begin("SessionHost");
  }

  protected override load(): void {
    if (!isInitialised(this.ctx.storage)) return;
    this.#migrate();
    this.alarms.load();
  }

  async start(seed: ExecutionSeed, others: ExecutionSeed[] = []): Promise<number> {
    this.#start(seed);
    // One that cannot be started comes first in the next call, where it keeps no other from its start.
    const failed = others.findIndex((each) => !this.#canStart(each));
    return 1 + (failed === -1 ? others.length : failed);
  }

  async startStopped(seed: ExecutionSeed, reason: string | null): Promise<void> {
    this.#start(seed, { reason });
    // It may have started before.
    this.#find(seed.executionId)?.stop({ reason, ifVersion: null });
  }

  #canStart(seed: ExecutionSeed): boolean {
    return orElse(() => {
      this.#start(seed);
      return true;
    }, false);
  }

  #start(seed: ExecutionSeed, stop?: Pick<StopCommand, "reason">): void {
    // During a deployment the account's object may still run older code.
    const parsed = executionSeed.parse(seed);
    const { executionId } = parsed;
    if (this.#sessions.has(executionId)) return;
    if (!this.#hasTables) this.ctx.storage.transactionSync(() => this.#migrate());
    try {
      const journal = this.#journal(executionId);
      const context = this.#context(executionId);
      this.#keep(executionId, Session.start(parsed, { journal, context, stop }));
    } catch (error) {
      // The first entry of a known execution cannot be stored again. Most are new, and need no look first.
      if (this.#find(executionId) === null) throw error;
    }
  }

  async erase(): Promise<void> {
    for (const session of this.#sessions.values()) session.discard();
    this.#sessions.clear();
    this.#inputsLength = 0;
    this.alarms.clear();
    this.#hasTables = false;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** A session in memory keeps its callback secret as it was: it starts anew with every change of the keys. */
  async reseal(executionIds: string[]): Promise<Resealed> {
    const sealer = new Resealer(settingsOf(this.env).ENCRYPTION_KEY);
    for (const executionId of this.#hasTables ? executionIds : []) {
      const journal = this.#journal(executionId);
      const before = journal.seed()?.callback?.sealedSecret ?? null;
      if (before === null) continue;
      const after = await sealer.reseal(before, CALLBACK_SECRET_CONTEXT);
      if (after !== before) journal.replaceInSeed(before, after);
    }
    return sealer.report();
  }

  override async goBack(...[to, options]: Parameters<SessionHostApi["goBack"]>) {
    const found = () => (this.#hasTables ? effectsSince(this.ctx.storage, to) : []);
    const keep = (effects: KeptEffect[]) => keepEffects(this.env.DB, options.accountId, effects);
    return goBack(this.ctx, to, options, { found, keep });
  }

  override async open(isBack = false): Promise<void> {
    if (!openCopy(this.ctx.storage) && !(isBack && this.#hasTables)) return;
    // The account and the inboxes are of an earlier moment, and may not know how far the executions were.
    const at = Date.now() + REPORT_DELAY_MS;
    this.#rows(
      `UPDATE heads SET wake_at = min(coalesce(wake_at, ?1), ?1),
         head = json_set(head, '$.due.report', ?1, '$.due.log', ?1)`,
      at,
    );
    this.load();
    await this.alarms.recover();
  }

  async lookAfter(executionIds: string[]): Promise<string[]> {
    await this.alarms.recover();
    return executionIds.filter((executionId) => this.#find(executionId) === null);
  }

  async status(executionId: string) {
    return this.#find(executionId)?.reads.status() ?? UNKNOWN;
  }

  async waitForStatus(executionId: string, since: number, waitSeconds: number) {
    return this.#find(executionId)?.waitForStatus(since, waitSeconds) ?? UNKNOWN;
  }

  async task(executionId: string) {
    return this.#find(executionId)?.reads.task() ?? UNKNOWN;
  }

  async result(executionId: string, query = { partial: false }) {
    return this.#find(executionId)?.reads.result(query) ?? UNKNOWN;
  }

  async message(executionId: string, command: MessageCommand) {
    return this.#find(executionId)?.message(command) ?? UNKNOWN;
  }

  async decision(executionId: string, decisionId: string) {
    const newest = this.#find(executionId)?.state.decision;
    return newest?.decisionId === decisionId ? shownDecision(newest) : null;
  }

  async decide(...[executionId, decisionId, body, answerer]: Parameters<SessionHostApi["decide"]>) {
    return this.#find(executionId)?.decide(decisionId, body, answerer) ?? UNKNOWN;
  }

  async stop(executionId: string, command: StopCommand) {
    return this.#find(executionId)?.stop(command) ?? UNKNOWN;
  }

  async calls(executionId: string) {
    return this.#find(executionId)?.reads.calls() ?? UNKNOWN;
  }

  async fork(executionId: string, query: ForkQuery) {
    return this.#find(executionId)?.reads.fork(query) ?? UNKNOWN;
  }

  async events(executionId: string, query: { after: number; limit: number }) {
    return this.#find(executionId)?.reads.events(query) ?? UNKNOWN;
  }

  async follow(executionId: string, after: number) {
    return this.#find(executionId)?.follow(after) ?? UNKNOWN;
  }

  async step(executionId: string, step: number) {
    return this.#find(executionId)?.reads.step(step) ?? UNKNOWN;
  }

  async otlpTrace(executionId: string, options: { content: boolean }) {
    return this.#find(executionId)?.reads.trace(options) ?? UNKNOWN;
  }

  async file(executionId: string, outputId: string) {
    return this.#find(executionId)?.reads.file(outputId) ?? UNKNOWN;
  }

  async callbacks(executionId: string) {
    const session = this.#find(executionId);
    return session === null ? UNKNOWN : { kind: "found" as const, log: session.callbacks.log() };
  }

  async callbacksSince() {
    return this.#hasTables ? callbacksSince(this.ctx.storage.sql, this.alarms) : null;
  }

  async redeliver(executionId: string, url: string | null) {
    return this.#find(executionId)?.callbacks.redeliver(url) ?? UNKNOWN;
  }

  async beginDelivery(...[executionId, ...attempt]: Parameters<SessionHostApi["beginDelivery"]>) {
    return this.#find(executionId)?.callbacks.order(...attempt) ?? null;
  }

  async endDelivery(...[executionId, ...ended]: Parameters<SessionHostApi["endDelivery"]>) {
    this.#find(executionId)?.callbacks.end(...ended);
  }

  /** Returns the session of an execution, or null if there is none. */
  #find(executionId: string): Session | null {
    const known = this.#sessions.get(executionId);
    if (known !== undefined) return known;
    if (!this.#hasTables) return null;
    const loaded = Session.load(this.#journal(executionId), this.#context(executionId));
    if (loaded !== null) this.#keep(executionId, loaded);
    return loaded;
  }

  /** Keeps a session in memory, and drops the oldest of those at rest beyond the limits. */
  #keep(executionId: string, session: Session): void {
    this.#sessions.set(executionId, session);
    this.#inputsLength += session.inputsLength;
    for (const [id, each] of this.#sessions) {
      if (this.#sessions.size <= SESSIONS_KEPT && this.#inputsLength <= INPUTS_KEPT) return;
      if (each !== session && each.isIdle) this.#drop(id);
    }
  }

  #drop(executionId: string): void {
    this.#sessions.get(executionId)?.save();
    this.#inputsLength -= this.#sessions.get(executionId)?.inputsLength ?? 0;
    this.#sessions.delete(executionId);
  }

  #journal(executionId: string): Journal {
    return new Journal(this.ctx.storage, executionId);
  }

  #context(executionId: string): SessionContext {
    return {
      env: this.env,
      modelCalls: { acquire: () => this.#acquireModelCall() },
      suspects: this.#suspects,
      keptEffects: (accountId) => this.#effectsOf(accountId),
      waitUntil: (work: Promise<unknown>) => this.ctx.waitUntil(work),
      storedBytes: () => this.ctx.storage.sql.databaseSize,
      wakeAt: (at) => planWakeup(this.alarms, executionId, at),
      pauseAfterLoss: (losses) => {
        this.#pausing += 1;
        return backoffMs(losses) * (0.5 + Math.random()) + this.#pausing * RECOVERY_SPACING_MS;
      },
      removed: () => this.#forget(executionId),
    };
  }

  async #acquireModelCall(): Promise<(isOver?: boolean) => void> {
    const close = await this.#modelReplies.acquire();
    const answered = await this.#modelCalls.acquire();
    return (isOver = false) => {
      answered();
      if (isOver) close();
    };
  }

  async #effectsOf(accountId: string): Promise<KeptEffect[]> {
    this.#keptEffects ??= await keptEffectsOf(this.env.DB, accountId);
    return this.#keptEffects;
  }

  /** Forgets a session that was removed, and the tables when it was the last. */
  #forget(executionId: string): void {
    this.#drop(executionId);
    this.alarms.set(executionId, null);
    if (this.#rows("SELECT 1 FROM heads LIMIT 1").length > 0) return;
    this.#hasTables = false;
    this.alarms.clear();
    void this.ctx.storage.deleteAll();
  }

  /** Runs what an execution has due. */
  async #wake(executionId: string): Promise<Due> {
    try {
      const session = this.#find(executionId);
      if (session === null) return null;
      await session.wake();
    } catch (error) {
      logError("session not woken", { executionId }, error);
      this.#postpone(executionId, Date.now() + UNREADABLE_MS);
    }
    return undefined;
  }

  #postpone(executionId: string, later: number): void {
    this.alarms.set(executionId, later);
    try {
      this.#rows("UPDATE heads SET wake_at = ? WHERE execution_id = ?", later, executionId);
    } catch (error) {
      logError("wake-up not stored", { executionId }, error);
    }
  }

  #migrate(): void {
    migrate(this.ctx.storage, HOST_SCHEMA);
    this.#hasTables = true;
  }

  #rows(query: string, ...bindings: SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.ctx.storage.sql.exec(query, ...bindings).toArray();
  }
}
