import type { ExecutionSeed } from "../contract/session.ts";
import { Wakeups } from "../durable/wakeups.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/deadline.ts";
import { logError, logWarning } from "../lib/log.ts";
import { deleteExecution } from "../records/executions.ts";
import { Announcer } from "./announcer.ts";
import { ExecutionLog } from "./execution-log.ts";
import { createLoopHost } from "./host.ts";
import { runSteps } from "./loop.ts";
import { begin } from "./machine/begin.ts";
import { expire, inputDeadlineOf } from "./machine/endings.ts";
import { recover, stepFailed } from "./machine/replies.ts";
import { deadlineOf, initialState, type MachineState } from "./machine/state.ts";
import { Transition } from "./machine/transition.ts";
import { accountRecipient, logRecipient } from "./recipients.ts";
import { Reporter } from "./reporter.ts";
import { RemoteTools } from "./store/remote-tools.ts";
import { SessionStore } from "./store/store.ts";
import { Waiters } from "./waiters.ts";

const WAKEUPS = ["step", "deadline", "report", "log", "callbacks", "retention"] as const;

/** One alarm may run for 15 minutes; long work goes on in the next one. */
const ALARM_BUDGET_MS = 10 * 60_000;
/** When a wake-up that failed is tried again. */
const FAILED_WAKE_MS = 10_000;
const CALL_TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

interface Execution {
  seed: ExecutionSeed;
  state: MachineState;
  log: ExecutionLog;
}

/**
 * Owns one execution: its newest state, the one way to change it, and what the changes call for.
 *
 * A change and all that must follow from it (events, callbacks owed, wake-ups) are one transaction.
 * What follows is then tried at once, with the wake-up as the backup for when this process dies.
 */
export class Engine {
  readonly store: SessionStore;
  readonly announcer: Announcer;
  readonly waiters = new Waiters();
  readonly #ctx: DurableObjectState;
  readonly #env: CloudflareEnv;
  readonly #wakeups: Wakeups<(typeof WAKEUPS)[number]>;
  #execution: Execution | null;
  #run: { abort: AbortController; done: Promise<void> } | null = null;
  #sending: Promise<void> | null = null;
  readonly #reporters: { report: Reporter; log: Reporter };
  readonly #remote: RemoteTools;

  constructor(ctx: DurableObjectState, env: CloudflareEnv) {
    this.#ctx = ctx;
    this.#env = env;
    this.store = new SessionStore(ctx.storage);
    this.#remote = new RemoteTools(ctx.storage);
    const stored = this.store.load();
    this.#execution = stored && { ...stored, log: new ExecutionLog(stored.seed) };
    this.#wakeups = new Wakeups(ctx.storage, WAKEUPS);
    this.announcer = new Announcer(ctx.storage, env, this.#wakeups.of("callbacks"));
    this.#reporters = {
      report: new Reporter(accountRecipient(env), this.#wakeups.of("report")),
      log: new Reporter(logRecipient(env), this.#wakeups.of("log")),
    };
  }

  get execution(): Execution | null {
    return this.#execution;
  }

  /** Takes up what an earlier process left. To be awaited before anything else is answered. */
  async recover(): Promise<void> {
    const execution = this.#execution;
    if (execution === null) return;
    this.commit((t) => recover(t, execution.seed));
    await this.#wakeups.recover();
  }

  /**
   * Stores a new execution; a second start changes nothing. The alarm takes the first step: taken
   * right here it would be one commit less, but under load the local runtime then no longer gets to
   * its sockets, and drops connections.
   */
  start(seed: ExecutionSeed): void {
    if (this.#execution !== null) return;
    const now = Date.now();
    const t = new Transition(initialState(seed, now), now);
    begin(t, seed);
    const { state } = t;
    this.#ctx.storage.transactionSync(() => {
      this.store.create(seed);
      this.store.save(state, t.facts, t.now);
    });
    this.#execution = { seed, state, log: new ExecutionLog(seed) };
    this.#planWakeups(state, seed);
    this.#wakeups.arm();
  }

  /**
   * Applies a change to the newest state and stores it with its facts in one transaction; `also` may
   * store more in it. Returns what the change returned.
   */
  commit<T>(change: (t: Transition) => T, also?: (state: MachineState) => void): T {
    const execution = this.#execution;
    if (execution === null) throw new Error("there is no execution here");
    const { seed, state: before } = execution;
    const t = new Transition(before, Date.now());
    const value = change(t);
    if (!t.changed) return value;
    const after = t.close();
    try {
      this.#ctx.storage.transactionSync(() => {
        this.store.save(after, t.facts, t.now);
        this.announcer.owe(seed, after, t.facts, this.store);
        also?.(after);
      });
    } catch (error) {
      this.store.forget();
      throw error;
    }
    execution.state = after;
    if (t.facts.some((fact) => fact.kind === "abort")) this.#abortRun();
    const reports = Object.values(this.#reporters).filter((reporter) =>
      reporter.plan(seed, before, after, t.now),
    );
    const owes = this.#planWakeups(after, seed);
    this.#wakeups.arm();
    this.waiters.notify();
    for (const reporter of reports) this.#report(reporter);
    if (before.status !== after.status && owes) this.#ctx.waitUntil(this.#sendCallbacks());
    execution.log.tell({ before, after, facts: t.facts, now: t.now });
    return value;
  }

  /** Records something about callbacks, and sends what is due. */
  async withCallbacks<T>(change: (announcer: Announcer) => T): Promise<T> {
    const value = this.#ctx.storage.transactionSync(() => change(this.announcer));
    this.announcer.plan();
    this.#wakeups.arm();
    await this.#sendCallbacks();
    return value;
  }

  /** The alarm fired: does what is due. */
  async wake(): Promise<void> {
    this.#wakeups.fired();
    let earliest = Date.now() + FAILED_WAKE_MS;
    try {
      await this.#doAllDue(Date.now() + ALARM_BUDGET_MS);
      earliest = 0;
    } finally {
      // A report that fails after the removal has planned another, which would wake without end.
      if (this.#execution === null) this.#wakeups.clear();
      this.#wakeups.rearm(earliest);
    }
  }

  /** Does what is due, until nothing is under way or the alarm's time is used up. */
  async #doAllDue(until: number): Promise<void> {
    while (this.#execution !== null && Date.now() < until) {
      await this.#doDue(this.#execution, until);
      if (this.#execution === null) break;
      const { report, log } = this.#reporters;
      const under = [this.#run?.done, report.underWay, log.underWay, this.#sending].filter(
        (task) => task != null,
      );
      if (under.length === 0 && (this.#wakeups.next() ?? Infinity) > Date.now()) break;
      const next = this.#nextBesidesUnderWay();
      // A timer that is left behind would keep the object, and its bill, alive for nothing.
      const over = new AbortController();
      const change = this.waiters.changed(Math.min(next - Date.now(), 30_000), over.signal);
      await Promise.race([...under, change]);
      over.abort();
    }
  }

  async #doDue(execution: Execution, until: number): Promise<void> {
    const due = new Set(this.#wakeups.due(Date.now()));
    if (due.has("deadline")) this.commit((t) => expire(t, execution.seed));
    if (due.has("report")) this.#report(this.#reporters.report);
    if (due.has("log")) this.#report(this.#reporters.log);
    if (due.has("callbacks")) this.#startSending();
    if (due.has("step") && this.#run === null) this.#startRun(execution.seed, until);
    if (due.has("retention")) await this.#remove(execution.seed);
  }

  #startRun(seed: ExecutionSeed, until: number): void {
    const abort = new AbortController();
    const done = this.#runSteps(seed, abort.signal, until).finally(() => {
      if (this.#run?.abort === abort) this.#run = null;
    });
    this.#run = { abort, done };
  }

  async #runSteps(seed: ExecutionSeed, signal: AbortSignal, until: number): Promise<void> {
    try {
      const host = await createLoopHost({
        seed,
        env: this.#env,
        settings: settingsOf(this.#env),
        store: this.store,
        remote: this.#remote,
        commit: (change, also) => this.commit(change, also),
        signal,
      });
      await runSteps(host, signal, until);
      // Resting while something is still to be done would go round for ever.
      if (!signal.aborted && Date.now() < until && this.#isDue())
        throw new Error("no step to take");
    } catch (error) {
      if (signal.aborted) return;
      logError("step failed", { executionId: seed.executionId }, error);
      this.commit((t) => {
        if (t.state.status === "active") stepFailed(t);
      });
    }
  }

  #isDue(): boolean {
    const state = this.#execution?.state;
    return state?.status === "active" && state.retryAt === null;
  }

  #abortRun(): void {
    this.#run?.abort.abort();
    // A tool may take a while to notice; whatever it brings back carries an old generation.
    this.#run = null;
  }

  /** Answers whether callbacks are owed. */
  #planWakeups(state: MachineState, seed: ExecutionSeed): boolean {
    const wakeups = this.#wakeups;
    if (state.status !== "active") wakeups.cancel("step");
    else if (state.retryAt !== null) wakeups.set("step", state.retryAt);
    else wakeups.setSooner("step", Date.now());
    const deadline =
      deadlineOf(state, seed.timeoutSeconds) ?? inputDeadlineOf(state, seed.inputTimeoutSeconds);
    wakeups.plan("deadline", deadline);
    if (state.finishedAt !== null) {
      wakeups.set("retention", state.finishedAt + seed.retentionDays * DAY_MS);
    }
    return this.announcer.plan();
  }

  #report(reporter: Reporter): void {
    const execution = this.#execution;
    if (execution === null) return;
    const sent = reporter.send(execution.seed, () => execution.state);
    this.#ctx.waitUntil(sent.then(() => this.#wakeups.arm()));
  }

  /** Sends beside all else that is due: a queue that hangs delays no step and no deadline. */
  #startSending(): void {
    this.#sending ??= this.#sendCallbacks().finally(() => {
      this.#sending = null;
    });
  }

  async #sendCallbacks(): Promise<void> {
    const execution = this.#execution;
    if (execution === null) return;
    await this.announcer.send(execution.seed.executionId);
    this.#wakeups.arm();
  }

  /** The next time at which something is due that is not being done already. */
  #nextBesidesUnderWay(): number {
    const underWay = { step: this.#run !== null, callbacks: this.#sending !== null };
    const times = WAKEUPS.flatMap((name) => {
      const at = this.#wakeups.at(name);
      return at === null || ((name === "step" || name === "callbacks") && underWay[name])
        ? []
        : [at];
    });
    return Math.min(Infinity, ...times);
  }

  /** The retention time is over: nothing of the execution is kept. */
  async #remove(seed: ExecutionSeed): Promise<void> {
    try {
      const deletion = deleteExecution(this.#env.DB, seed.accountId, seed.executionId);
      await within("D1", CALL_TIMEOUT_MS, deletion);
      this.#wakeups.clear();
      await this.#ctx.storage.deleteAll();
    } catch (error) {
      logWarning("execution not removed", { executionId: seed.executionId }, error);
      this.#wakeups.set("retention", Date.now() + 3_600_000);
      return;
    }
    this.#execution = null;
    this.store.forget();
  }
}
