import { chosenModel } from "../agent/models/registry.ts";
import type { Toolset } from "../agent/tools/toolset.ts";
import type { CallbackAttempt } from "../contract/callbacks.ts";
import type { Answerer, DecideBody, StoredDecision } from "../contract/decisions.ts";
import { isFinal } from "../contract/execution.ts";
import type {
  DecideReply,
  ExecutionSeed,
  MessageCommand,
  MessageReply,
  StopCommand,
  StopReply,
} from "../contract/session.ts";
import { Callbacks } from "../deliveries/callbacks.ts";
import { type Deliveries, NO_DELIVERIES, nextCheck } from "../deliveries/pending.ts";
import { AlarmScheduler, type Tasks } from "../durable/alarm-scheduler.ts";
import { settingsOf } from "../env.ts";
import { sleep, within } from "../lib/async.ts";
import { ChangeNotifier } from "../lib/change-notifier.ts";
import { logWarning } from "../lib/log.ts";
import { deleteExecution } from "../records/executions.ts";
import type { RunningSession, SessionContext, SessionStart } from "./dependencies.ts";
import { EventStreams } from "./event-stream.ts";
import { keepFiles, takeOver } from "./fork.ts";
import type { StoredFact } from "./journal/facts.ts";
import { type Head, knownTimes, nextWakeup, TASKS, type Task } from "./journal/head.ts";
import type { Journal } from "./journal/journal.ts";
import { type Commit, SessionRecord } from "./journal/record.ts";
import { continueExecution, expire, startExecution, stopByUser } from "./machine/lifecycle.ts";
import { decideFirst } from "./machine/next.ts";
import { recover } from "./machine/recovery.ts";
import { initialState, type MachineState } from "./machine/state.ts";
import { Transition } from "./machine/transition.ts";
import { acceptMessage, answerDecision, stopExecution, withEditedCall } from "./messages.ts";
import { SessionReads } from "./reads.ts";
import { StepRuns } from "./runs.ts";
import {
  accountSubscriber,
  logEnd,
  requestLogSubscriber,
  StatusReporter,
  Troubles,
} from "./status-reporter.ts";
import { callbackView } from "./views.ts";
import { dueAfter } from "./wakeups.ts";

const CALL_TIMEOUT_MS = 10_000;
const REPORTS = ["report", "log"] as const;

/**
 * The session of one execution: its newest state, the only way to change it, and the work that follows
 * a change.
 *
 * A change and its consequences (events, pending callbacks, wake-ups) are stored in one transaction.
 * The consequences are then carried out at once; the wake-ups repeat them if this process dies.
 */
export class Session {
  /** The length of its inputs, which are by far the most that a resting session holds. */
  readonly inputsLength: number;
  readonly #record: SessionRecord;
  readonly #context: SessionContext;
  readonly #changes = new ChangeNotifier();
  readonly #streams: EventStreams;
  readonly #alarms: AlarmScheduler<Task>;
  readonly #reporters: Record<(typeof REPORTS)[number], StatusReporter>;
  /** What is read of it. */
  readonly reads: SessionReads;
  /** Its callbacks and their delivery. */
  readonly callbacks: Callbacks<MachineState>;
  readonly #runs: StepRuns;
  #isRemoved = false;
  readonly #troubles: Troubles;

  private constructor(record: SessionRecord, context: SessionContext) {
    const { env } = context;
    const { seed, journal } = record;
    this.#troubles = new Troubles(record.head.deliveries);
    this.inputsLength = seed.inputs === null ? 0 : JSON.stringify(seed.inputs).length;
    this.#record = record;
    this.#context = context;
    const session: RunningSession = {
      commit: (change, also) => this.commit(change, also),
      isDue: () => this.#isDue(),
      wrote: (text) => this.#streams.write(text),
      refused: (connection) => this.#troubles.refused(connection),
    };
    this.#runs = new StepRuns({ record, context, session });
    this.reads = new SessionReads(record, env, () => this.#runs.tools());
    this.#streams = new EventStreams({
      page: (after, limit) => this.reads.page(after, limit),
      last: () => this.#head.events,
    });
    const tasks: Tasks<Task> = {
      deadline: () => {
        this.commit((t) => expire(t, seed));
      },
      report: () => this.#reporters.report.send(seed, () => this.state),
      log: () => this.#reporters.log.send(seed, () => this.state),
      callbacks: () => this.callbacks.send(),
      step: (until) => this.#runs.run(until),
      compaction: () => null,
      retention: () => this.#remove(),
    };
    // The times are part of the head, and the host wakes the session.
    this.#alarms = new AlarmScheduler({
      store: {
        load: () => knownTimes(this.#head.due),
        save: (times) => this.#changeDue(Object.fromEntries(times)),
      },
      run: (name, until) => tasks[name](until),
      order: TASKS,
    });
    this.#alarms.load();
    const { executionId, accountId } = seed;
    this.callbacks = new Callbacks(seed, {
      send: (message) => env.CALLBACKS.send({ v: 1, accountId, executionId, ...message }),
      store: journal,
      state: () => this.state,
      deliveries: () => this.#head.deliveries,
      save: (deliveries, attempt) => this.#saveDeliveries(deliveries, attempt),
      body: (state) => JSON.stringify(callbackView(seed, state, record.history.work())),
      attempts: () => this.#record.history.attempts,
      sendNow: () => this.#alarms.run("callbacks"),
    });
    this.#reporters = {
      report: new StatusReporter(
        accountSubscriber(env, {
          storedBytes: () => context.storedBytes(),
          reported: (decisions) => this.#reported(decisions),
          troubles: () =>
            this.#troubles.report(this.#head.deliveries, () => record.history.attempts),
        }),
      ),
      log: new StatusReporter(requestLogSubscriber(env)),
    };
  }

  /**
   * Starts an execution that is not known yet: stores it, a fork with what it takes over, and runs its first
   * step, unless it is stopped before.
   */
  static start(accepted: ExecutionSeed, start: SessionStart): Session {
    const { journal, context } = start;
    const place = { settings: settingsOf(context.env), bindings: context.env };
    const names = [accepted.model, ...accepted.fallbacks];
    const chosen = accepted.chosen ?? names.map((name) => chosenModel(name, place));
    const begin = () => Session.#create(keepFiles({ ...accepted, chosen }, journal), start);
    const { fork, rehearsal, files } = accepted;
    const isAlone = (fork ?? rehearsal ?? files) === undefined;
    return isAlone ? begin() : journal.transaction(begin);
  }

  static #create(seed: ExecutionSeed, { journal, context, stop }: SessionStart): Session {
    const { fork } = seed;
    const initial = initialState(seed, Date.now());
    const taken = fork === undefined ? null : takeOver({ ...seed, fork }, journal);
    const { entries, events, state } = taken ?? { entries: 0, events: 0, state: initial };
    const head = {
      state: { ...initial, ...state },
      deliveries: NO_DELIVERIES,
      due: {},
      entries,
      events,
    };
    const session = new Session(new SessionRecord(seed, head, journal), context);
    session.commit(
      (t) => {
        if (fork === undefined || taken === null) startExecution(t, seed);
        else continueExecution(t, fork, taken);
        if (stop !== undefined) stopByUser(t, stop.reason);
        if (fork === undefined || taken !== null) session.#runs.first = decideFirst(t, seed);
        else t.fail("internal_error", "The execution that it continues is no longer kept.");
      },
      () => (taken === null ? [{ kind: "seed", seed }] : []),
    );
    return session;
  }

  /**
   * Returns the session of a stored execution, or null if there is none. What an earlier process left
   * is recovered.
   */
  static load(journal: Journal, context: SessionContext): Session | null {
    const record = SessionRecord.load(journal);
    if (record === null) return null;
    const session = new Session(record, context);
    session.commit((t) => recover(t, record.seed, context.pauseAfterLoss));
    session.#resume();
    return session;
  }

  get seed(): ExecutionSeed {
    return this.#record.seed;
  }

  get state(): MachineState {
    return this.#head.state;
  }

  /** Whether nothing of it needs to stay in memory: it ended, or waits, and nobody waits for it. */
  get isIdle(): boolean {
    const isBusy = this.#alarms.isBusy || this.#runs.isBusy || this.#isDue();
    return !isBusy && this.#changes.isQuiet && this.#streams.isQuiet;
  }

  /** Runs the wake-ups that are due. */
  async wake(): Promise<void> {
    if (this.#alarms.isDue(Date.now())) await this.#alarms.handleAlarm();
    // Only newer code knows what is due.
    else this.#changeDue(this.#head.due);
  }

  /** Stores which wake-ups are done. */
  save(): void {
    if (!this.#isRemoved) this.#record.save(Date.now());
  }

  /** Returns the status once its version has passed `sinceVersion`, it has ended, or the time is over. */
  async waitForStatus(sinceVersion: number, waitSeconds: number) {
    const until = Date.now() + waitSeconds * 1_000;
    while (this.state.version <= sinceVersion && !isFinal(this.state.status)) {
      const left = until - Date.now();
      if (left <= 0) break;
      await this.#changes.settled(left);
    }
    return this.reads.status();
  }

  async message(command: MessageCommand): Promise<MessageReply> {
    const checked = await withEditedCall(this, command);
    if (!checked.ok) return { kind: "invalid_input", violations: checked.violations };
    return acceptMessage(this, checked.command, (name) => this.#record.history.reply(name));
  }

  /** Answers a decision, and has the account know of it before the caller does. */
  async decide(id: string, body: DecideBody, answerer: Answerer): Promise<DecideReply> {
    const reply = await answerDecision(this, id, body, (message) =>
      this.message({ ...message, answerer }),
    );
    if (reply.kind === "answered") await this.#alarms.run("report");
    return reply;
  }

  stop(command: StopCommand): StopReply {
    return stopExecution(this, command);
  }

  /** Opens a stream of the events after the event `after`, unless there are none and none will come. */
  follow(after: number) {
    const { events, closed } = this.reads.page(after, 1);
    if (after > 0 && closed && events.length === 0) return { kind: "over" as const };
    return { kind: "found" as const, stream: this.#streams.open(after) };
  }

  /**
   * Applies a change to the newest state and stores it with its facts in one transaction; `also` adds
   * facts to them. Returns the change's value.
   */
  commit<T>(change: (t: Transition) => T, also?: (state: MachineState) => StoredFact[]): T {
    const { seed, state: before } = this;
    const now = Date.now();
    const t = new Transition(before, now);
    const value = change(t);
    if (!t.changed) return value;
    const state = t.close();
    const { history, place } = this.#record;
    this.#store(now, {
      version: state.version,
      facts: () => [...(also?.(state) ?? []), ...history.toStore(t.facts, place, now)],
      head: () => {
        const reached = t.facts.flatMap((fact) => (fact.kind === "announce" ? fact.status : []));
        const deliveries = this.callbacks.announced(reached, state, now);
        const reporters = this.#reporters;
        const change = { seed, before, state, deliveries, now, reporters };
        return { ...this.#head, state, deliveries, due: dueAfter(this.#head.due, change) };
      },
    });
    // While it waits, and after its end, only the head stays in memory.
    if (state.status !== "active") this.#record.forgetHistory();
    if (t.facts.some((fact) => fact.kind === "abort")) this.#abortRun();
    this.#changes.notify();
    this.#streams.notify();
    if (isFinal(state.status)) logEnd(seed, state, now);
    this.#follow(before, state);
    return value;
  }

  /** Does at once what a change asks for. */
  #follow(before: MachineState, after: MachineState): void {
    for (const name of REPORTS) {
      const delay = this.#reporters[name].delay(this.seed, before, after);
      if (delay === 0) this.#begin(name);
      else if (delay !== null) this.#alarms.setSooner(name, Date.now() + delay);
    }
    const hasCallbacks = this.#head.deliveries.pending.length > 0;
    if (before.status !== after.status && hasCallbacks) this.#begin("callbacks");
    this.#resume();
  }

  /** Runs the step that is due, unless it is running. */
  #resume(): void {
    if (this.#isDue() && !this.#runs.isRunning) this.#begin("step");
  }

  #begin(task: Task): void {
    const work = this.#alarms.run(task);
    // The others are quick, and their wake-ups repeat them: an object in use does not vanish at once.
    if (task === "step") this.#context.waitUntil(work);
  }

  /** Stores a commit, and points the alarms at what it makes due. */
  #store(at: number, commit: Commit): void {
    // A message that was on its way to the queue must not bring a removed execution back.
    if (this.#isRemoved) return;
    this.#record.store(at, commit);
    this.#alarms.adopt(this.#head.due);
    this.#context.wakeAt(nextWakeup(this.#head.due, at));
  }

  get #head(): Head {
    return this.#record.head;
  }

  /** Stores changed deliveries, and the attempt that changed them. */
  #saveDeliveries(deliveries: Deliveries, attempt: CallbackAttempt | null): void {
    const { callbacks: _, ...others } = this.#head.due;
    const check = nextCheck(deliveries);
    const now = Date.now();
    const isNews = attempt !== null && this.#troubles.attempted(deliveries);
    const due = {
      ...others,
      ...(check !== null && { callbacks: check }),
      ...(isNews && { report: now }),
    };
    this.#store(now, {
      version: this.state.version,
      facts: () => (attempt === null ? [] : [{ kind: "attempt", attempt }]),
      head: () => ({ ...this.#head, deliveries, due }),
    });
    if (isNews) this.#begin("report");
  }

  /** Forgets decisions that the account has. One that changed meanwhile is reported again. */
  #reported(decisions: readonly StoredDecision[]): void {
    const { state } = this;
    const unreported = state.unreported.filter((each) => !decisions.includes(each));
    if (unreported.length === state.unreported.length) return;
    this.#store(Date.now(), {
      version: state.version,
      facts: () => [],
      head: () => ({ ...this.#head, state: { ...state, unreported } }),
    });
  }

  /** Changes when wake-ups are due. */
  #changeDue(due: Head["due"]): void {
    if (!this.#isRemoved) this.#context.wakeAt(this.#record.changeDue(due, Date.now()));
  }

  #isDue(): boolean {
    return this.state.status === "active" && this.state.retryAt === null;
  }

  #abortRun(): void {
    this.#runs.abort();
    this.#alarms.abandon("step");
  }

  /** Returns the tools of the execution, to check calls and to describe them. */
  tools(): Promise<Toolset> {
    return this.#runs.tools();
  }

  /** Deletes everything of the execution once its retention time is over. */
  async #remove(): Promise<number | null> {
    const { executionId } = this.seed;
    try {
      await within("D1", CALL_TIMEOUT_MS, deleteExecution(this.#context.env, this.seed));
    } catch (error) {
      logWarning("execution not removed", { executionId }, error);
      return Date.now() + 3_600_000;
    }
    while (this.#record.journal.removeSlice()) await sleep(0);
    this.discard();
    this.#context.removed();
    return null;
  }

  /** Ends all work on an execution whose storage is or will be deleted; nothing is stored from now on. */
  discard(): void {
    this.#isRemoved = true;
    this.#abortRun();
    this.#alarms.clear();
    this.#streams.end();
  }
}
