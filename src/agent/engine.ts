import type { ExecutionSeed } from "../contract/session.ts";
import { AlarmScheduler } from "../durable/alarm-scheduler.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/async.ts";
import { logError, logWarning } from "../lib/log.ts";
import { deleteExecution } from "../records/executions.ts";
import { CallbackScheduler } from "./callback-scheduler.ts";
import { ChangeNotifier } from "./change-notifier.ts";
import { createLoopDependencies } from "./dependencies.ts";
import { ExecutionLog } from "./execution-log.ts";
import { runSteps } from "./loop.ts";
import { expire, inputDeadlineOf, startExecution } from "./machine/lifecycle.ts";
import { recover, stepFailed } from "./machine/replies.ts";
import { deadlineOf, initialState, type MachineState } from "./machine/state.ts";
import { Transition } from "./machine/transition.ts";
import { accountSubscriber, requestLogSubscriber, StatusReporter } from "./status-reporter.ts";
import { RemoteTools, SessionStore } from "./store/session-store.ts";

const TASKS = ["deadline", "report", "log", "callbacks", "step", "retention"] as const;

const CALL_TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
const REPORTS = ["report", "log"] as const;

interface Execution {
  seed: ExecutionSeed;
  state: MachineState;
  log: ExecutionLog;
}

/**
 * Owns one execution: its newest state, the only way to change it, and the work that follows a change.
 *
 * A change and its consequences (events, pending callbacks, wake-ups) are stored in one transaction.
 * The consequences are then carried out at once; the wake-ups repeat them if this process dies.
 */
export class Engine {
  readonly store: SessionStore;
  readonly callbacks: CallbackScheduler;
  readonly changes = new ChangeNotifier();
  readonly #ctx: DurableObjectState;
  readonly #env: CloudflareEnv;
  readonly #alarms: AlarmScheduler<(typeof TASKS)[number]>;
  #execution: Execution | null;
  #run: AbortController | null = null;
  readonly #reporters: Record<(typeof REPORTS)[number], StatusReporter>;
  readonly #remote: RemoteTools;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    this.#ctx = ctx;
    this.#env = env;
    this.store = new SessionStore(ctx.storage);
    this.#remote = new RemoteTools(ctx.storage);
    const stored = this.store.load();
    this.#execution = stored && { ...stored, log: new ExecutionLog(stored.seed) };
    this.#alarms = new AlarmScheduler(ctx.storage, TASKS, {
      deadline: () => this.#expire(),
      report: () => this.#report("report"),
      log: () => this.#report("log"),
      callbacks: () => this.#sendCallbacks(),
      step: (until) => this.#runSteps(until),
      retention: () => this.#remove(),
    });
    this.callbacks = new CallbackScheduler(ctx.storage, env, this.#alarms.of("callbacks"));
    this.#reporters = {
      report: new StatusReporter(accountSubscriber(env), this.#alarms.of("report")),
      log: new StatusReporter(requestLogSubscriber(env), this.#alarms.of("log")),
    };
  }

  get execution(): Execution | null {
    return this.#execution;
  }

  /** Recovers from the loss of an earlier process. Await it before anything else. */
  async recover(): Promise<void> {
    const execution = this.#execution;
    if (execution === null) return;
    this.commit((t) => recover(t, execution.seed));
    await this.#alarms.recover();
  }

  /**
   * Starts an execution: stores it and arms the alarm, which runs the first step. A second start
   * changes nothing. To run the step right here would save one commit, but under load the local
   * runtime then starves its sockets and drops connections.
   */
  start(seed: ExecutionSeed): void {
    if (this.#execution !== null) return;
    const now = Date.now();
    const t = new Transition(initialState(seed, now), now);
    startExecution(t, seed);
    const { state } = t;
    this.#ctx.storage.transactionSync(() => {
      this.store.create(seed);
      this.store.save(state, t.facts, t.now);
    });
    this.#execution = { seed, state, log: new ExecutionLog(seed) };
    this.#planWakeups(state, seed);
    this.#alarms.arm();
  }

  /**
   * Applies a change to the newest state and stores it with its facts in one transaction; `also` may
   * store more in it. Returns the change's value.
   */
  commit<T>(change: (t: Transition) => T, also?: (state: MachineState) => void): T {
    const execution = this.#execution;
    if (execution === null) throw new Error("This object has no execution to change.");
    const { seed, state: before } = execution;
    const t = new Transition(before, Date.now());
    const value = change(t);
    if (!t.changed) return value;
    const after = t.close();
    try {
      this.#ctx.storage.transactionSync(() => {
        this.store.save(after, t.facts, t.now);
        this.callbacks.schedule(seed, after, t.facts, this.store);
        also?.(after);
      });
    } catch (error) {
      this.store.forget();
      throw error;
    }
    execution.state = after;
    if (t.facts.some((fact) => fact.kind === "abort")) this.#abortRun();
    const reports = REPORTS.filter((name) =>
      this.#reporters[name].plan(seed, before, after, t.now),
    );
    const hasCallbacks = this.#planWakeups(after, seed);
    this.#alarms.arm();
    this.changes.notify();
    for (const name of reports) this.#ctx.waitUntil(this.#alarms.run(name));
    if (before.status !== after.status && hasCallbacks) this.#ctx.waitUntil(this.#sendCallbacks());
    execution.log.record({ before, after, facts: t.facts, now: t.now });
    return value;
  }

  /** Changes the callbacks in one transaction, then sends those that are due. */
  async withCallbacks<T>(change: (callbacks: CallbackScheduler) => T): Promise<T> {
    const value = this.#ctx.storage.transactionSync(() => change(this.callbacks));
    this.callbacks.plan();
    this.#alarms.arm();
    await this.#sendCallbacks();
    return value;
  }

  /** Handles the object's alarm. */
  async wake(): Promise<void> {
    // A wake-up without an execution would repeat for ever.
    if (this.#execution === null) this.#alarms.clear();
    await this.#alarms.handleAlarm();
  }

  #expire(): undefined {
    const execution = this.#execution;
    if (execution !== null) this.commit((t) => expire(t, execution.seed));
  }

  async #runSteps(until: number): Promise<undefined> {
    const seed = this.#execution?.seed;
    if (seed === undefined) return;
    const run = new AbortController();
    const { signal } = run;
    this.#run = run;
    try {
      const dependencies = await createLoopDependencies({
        seed,
        env: this.#env,
        settings: settingsOf(this.#env),
        store: this.store,
        remote: this.#remote,
        commit: (change, also) => this.commit(change, also),
        signal,
      });
      await runSteps(dependencies, signal, until);
      // To rest while a step is due would wake the alarm for ever.
      if (!signal.aborted && Date.now() < until && this.#isDue())
        throw new Error("A step is due, but the loop found none to run.");
    } catch (error) {
      if (signal.aborted) return;
      logError("step failed", { executionId: seed.executionId }, error);
      this.commit((t) => {
        if (t.state.status === "active") stepFailed(t);
      });
    } finally {
      if (this.#run === run) this.#run = null;
    }
  }

  #isDue(): boolean {
    const state = this.#execution?.state;
    return state?.status === "active" && state.retryAt === null;
  }

  #abortRun(): void {
    this.#run?.abort();
    // A tool may notice late; its result then carries an old generation and is dropped.
    this.#run = null;
    this.#alarms.abandon("step");
  }

  /** Plans all wake-ups of a state. Returns whether callbacks are pending. */
  #planWakeups(state: MachineState, seed: ExecutionSeed): boolean {
    const alarms = this.#alarms;
    if (state.status !== "active") alarms.plan("step", null);
    else if (state.retryAt !== null) alarms.set("step", state.retryAt);
    else alarms.setSooner("step", Date.now());
    const deadline =
      deadlineOf(state, seed.timeoutSeconds) ?? inputDeadlineOf(state, seed.inputTimeoutSeconds);
    alarms.plan("deadline", deadline);
    if (state.finishedAt !== null) {
      alarms.set("retention", state.finishedAt + seed.retentionDays * DAY_MS);
    }
    return this.callbacks.plan();
  }

  async #report(name: (typeof REPORTS)[number]): Promise<number | null> {
    const execution = this.#execution;
    if (execution === null) return null;
    return this.#reporters[name].send(execution.seed, () => execution.state);
  }

  async #sendCallbacks(): Promise<undefined> {
    const execution = this.#execution;
    if (execution === null) return;
    await this.callbacks.send(execution.seed.executionId);
    this.#alarms.arm();
  }

  /** Deletes everything of the execution once its retention time is over. */
  async #remove(): Promise<number | null> {
    const seed = this.#execution?.seed;
    if (seed === undefined) return null;
    try {
      const deletion = deleteExecution(this.#env.DB, seed.accountId, seed.executionId);
      await within("D1", CALL_TIMEOUT_MS, deletion);
      await this.#ctx.storage.deleteAll();
    } catch (error) {
      logWarning("execution not removed", { executionId: seed.executionId }, error);
      return Date.now() + 3_600_000;
    }
    this.#alarms.clear();
    this.#execution = null;
    this.store.forget();
    return null;
  }
}
