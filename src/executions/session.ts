import { chosenModel, describeRequest } from "../agent/models/registry.ts";
import type { Toolset } from "../agent/tools/registry.ts";
import type { KeptEffect } from "../contract/backup.ts";
import type { CallbackAttempt } from "../contract/callbacks.ts";
import type { Answerer, DecideBody, StoredDecision } from "../contract/decisions.ts";
import { isFinal } from "../contract/execution.ts";
import type {
  CallsReply,
  DecideReply,
  EventsReply,
  ExecutionSeed,
  FileReply,
  FollowReply,
  ForkQuery,
  ForkReply,
  MessageCommand,
  MessageReply,
  ResultReply,
  StatusReply,
  StepReply,
  StopCommand,
  StopReply,
  TaskReply,
  TraceReply,
} from "../contract/session.ts";
import { type Deliveries, NO_DELIVERIES, nextCheck } from "../deliveries/pending.ts";
import { AlarmScheduler, type Tasks } from "../durable/alarm-scheduler.ts";
import { settingsOf } from "../env.ts";
import { type Semaphore, sleep, within } from "../lib/async.ts";
import { ChangeNotifier } from "../lib/change-notifier.ts";
import { logError, logWarning } from "../lib/log.ts";
import { deleteExecution } from "../records/executions.ts";
import { loadWorkflow } from "../records/workflows.ts";
import { Callbacks } from "./callbacks.ts";
import { createLoopDependencies, modelPlaceOf } from "./dependencies.ts";
import { type EventPage, EventStreams } from "./event-stream.ts";
import { ExecutionLog } from "./execution-log.ts";
import { type ForkSeed, forkPoint, stateOfFork, takeOver } from "./fork.ts";
import type { StoredFact } from "./journal/facts.ts";
import { type Head, knownTimes, nextWakeup, TASKS, type Task } from "./journal/head.ts";
import { History } from "./journal/history.ts";
import type { Journal } from "./journal/journal.ts";
import { type Commit, SessionRecord } from "./journal/record.ts";
import { type LoopDependencies, runSteps } from "./loop.ts";
import { continueExecution, expire, startExecution } from "./machine/lifecycle.ts";
import { decideFirst, type NextAction } from "./machine/next.ts";
import { type PauseAfterLoss, recover, stepFailed } from "./machine/recovery.ts";
import { initialState, type MachineState } from "./machine/state.ts";
import { Transition } from "./machine/transition.ts";
import { acceptMessage, answerDecision, stopExecution, withEditedCall } from "./messages.ts";
import { callsOf } from "./rehearsal.ts";
import { accountSubscriber, requestLogSubscriber, StatusReporter } from "./status-reporter.ts";
import { findStep, requestOf, stepView } from "./step-view.ts";
import { traceOf } from "./trace.ts";
import { Troubles } from "./troubles.ts";
import { callbackView, resultView, statusView, taskView } from "./views.ts";
import { dueAfter } from "./wakeups.ts";

const CALL_TIMEOUT_MS = 10_000;
const REPORTS = ["report", "log"] as const;

/** What a session needs of the object that hosts it. */
export interface SessionContext {
  env: CloudflareEnv;
  /** Keeps working on this after the current request has been answered. */
  waitUntil(work: Promise<unknown>): void;
  /** Returns the bytes that the host stores, for all of its sessions. */
  storedBytes(): number;
  /** The model calls of all sessions of the host. */
  modelCalls: LoopDependencies["modelCalls"];
  /** The steps of all its sessions that were lost with the process more than once. */
  suspects: Semaphore;
  /** Returns the effects of an account's executions that it had before it went back in time. */
  keptEffects(accountId: string): Promise<KeptEffect[]>;
  /** Wakes the session at `at` (epoch milliseconds), not before; null for never. It is stored already. */
  wakeAt(at: number | null): void;
  /** Paces the sessions whose step was lost with the process more than once. */
  pauseAfterLoss: PauseAfterLoss;
  /** The execution has been removed. */
  removed(): void;
}

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
  readonly #log: ExecutionLog;
  readonly #alarms: AlarmScheduler<Task>;
  readonly #reporters: Record<(typeof REPORTS)[number], StatusReporter>;
  /** Its callbacks and their delivery. */
  readonly callbacks: Callbacks;
  #run: AbortController | null = null;
  /** The runs that have not ended, those that were aborted included. */
  #runs = 0;
  #isRemoved = false;
  readonly #troubles: Troubles;
  /** The first action, decided when the execution was stored. */
  #first: NextAction | null = null;

  private constructor(record: SessionRecord, context: SessionContext) {
    const { env } = context;
    const { seed, journal } = record;
    this.#troubles = new Troubles(record.head.deliveries);
    this.inputsLength = seed.inputs === null ? 0 : JSON.stringify(seed.inputs).length;
    this.#record = record;
    this.#context = context;
    this.#log = new ExecutionLog(seed);
    this.#streams = new EventStreams({
      page: (after, limit) => this.#eventPage(after, limit),
      last: () => this.#head.events,
    });
    const tasks: Tasks<Task> = {
      deadline: () => {
        this.commit((t) => expire(t, seed));
      },
      report: () => this.#reporters.report.send(seed, () => this.state),
      log: () => this.#reporters.log.send(seed, () => this.state),
      callbacks: () => this.callbacks.send(),
      step: (until) => this.#runSteps(until),
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

  /** Starts an execution that is not known yet: stores it and runs its first step. */
  static start(accepted: ExecutionSeed, journal: Journal, context: SessionContext): Session {
    const now = Date.now();
    const { env } = context;
    const place = { settings: settingsOf(env), bindings: env };
    const names = [accepted.model, ...accepted.fallbacks];
    const chosen = accepted.chosen ?? names.map((name) => chosenModel(name, place));
    const seed = { ...accepted, chosen };
    const state = initialState(seed, now);
    const head: Head = { state, deliveries: NO_DELIVERIES, due: {}, entries: 0, events: 0 };
    const { fork } = seed;
    if (fork !== undefined) {
      return journal.transaction(() =>
        Session.#continue({ ...seed, fork }, head, journal, context),
      );
    }
    const session = new Session(SessionRecord.begin(seed, head, journal), context);
    session.commit(
      (t) => {
        startExecution(t, seed);
        session.#first = decideFirst(t, seed);
      },
      () => [{ kind: "seed", seed }],
    );
    return session;
  }

  /** Stores a fork with what it takes over, and runs its first step. */
  static #continue(seed: ForkSeed, head: Head, journal: Journal, context: SessionContext): Session {
    const taken = takeOver(seed, journal);
    const { entries, events } = taken ?? head;
    const state = taken === null ? head.state : stateOfFork(head.state, seed, taken);
    const begun = { ...head, state, entries, events };
    const session = new Session(SessionRecord.continued(seed, begun, journal), context);
    session.commit(
      (t) => {
        if (taken === null) {
          startExecution(t, seed);
          const summary = "The execution that it continues is no longer kept.";
          t.end({ status: "failed", detail: "internal_error", summary });
          return;
        }
        continueExecution(t, seed.fork, taken);
        session.#first = decideFirst(t, seed);
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
    const isBusy = this.#alarms.isBusy || this.#runs > 0 || this.#isDue();
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

  status(): StatusReply {
    return { kind: "found", state: statusView(this.seed, this.state) };
  }

  async waitForStatus(sinceVersion: number, waitSeconds: number): Promise<StatusReply> {
    await this.#whileActive(() => this.state.version <= sinceVersion, waitSeconds * 1_000);
    return this.status();
  }

  task(): TaskReply {
    return { kind: "found", task: taskView(this.seed, this.#record.journal.forks()) };
  }

  result({ partial }: { partial: boolean }): ResultReply {
    const { state } = this;
    if (!partial && !isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const result = resultView(this.seed, state, this.#record.history.work());
    return { kind: "ready", result };
  }

  async message(command: MessageCommand): Promise<MessageReply> {
    const checked = await withEditedCall(this, command);
    if (!checked.ok) return { kind: "invalid_input", violations: checked.violations };
    return acceptMessage(this, checked.command, (name) => this.#record.history.reply(name));
  }

  /** Answers a decision, and has the account know of it before the caller does. */
  async decide(id: string, body: DecideBody, answerer: Answerer): Promise<DecideReply> {
    const plain = {
      mode: "next_step",
      messageId: null,
      idempotency: null,
      ifVersion: null,
    } as const;
    const send = (message: Pick<MessageCommand, "text" | "approval" | "decisionId">) =>
      this.message({ ...plain, ...message, answerer });
    const reply = await answerDecision(this, id, body, send);
    if (reply.kind === "answered") await this.#alarms.run("report");
    return reply;
  }

  stop(command: StopCommand): StopReply {
    return stopExecution(this, command);
  }

  calls(): CallsReply {
    return callsOf(this.#record.history);
  }

  fork(query: ForkQuery): ForkReply {
    const { journal } = this.#record;
    if (this.seed.rehearsal !== undefined)
      return { kind: "refused", detail: "A rehearsal did nothing that could be continued." };
    const { retry } = query;
    const [by] = journal.forks().filter((id) => id !== retry?.forkId);
    if (retry !== undefined && by !== undefined) return { kind: "continued", by };
    const point = forkPoint(journal, this.state, query);
    if ("kind" in point) return point;
    if (retry?.forkId != null) journal.addFork(retry.forkId);
    const isCompleted = this.state.status === "completed";
    return { kind: "ready", seed: this.seed, point, isCompleted };
  }

  events({ after, limit }: { after: number; limit: number }): EventsReply {
    return { kind: "found", ...this.#eventPage(after, limit) };
  }

  follow(after: number): FollowReply {
    const { events, closed } = this.#eventPage(after, 1);
    if (after > 0 && closed && events.length === 0) return { kind: "over" };
    return { kind: "found", stream: this.#streams.open(after) };
  }

  #eventPage(after: number, limit: number): EventPage {
    const events = this.#record.journal.events(after, limit);
    const read = events.at(-1)?.seq ?? after;
    // A page that is not full is the last one, even if newer code logged more that this code skips.
    const isLast = events.length < limit || read >= this.#head.events;
    return { events, closed: isFinal(this.state.status) && isLast };
  }

  /** Returns a step with what the model was sent and what came of it. */
  async step(step: number): Promise<StepReply> {
    const { history } = this.#record;
    const found = findStep(history.turns, history.tries, step);
    if (found === null) return { kind: "unknown" };
    const { seed } = this;
    const { env } = this.#context;
    const settings = settingsOf(env);
    const tools = await this.tools();
    const request = requestOf(found, seed, [...tools.descriptions]);
    const model = found.tries.at(-1)?.model ?? seed.model;
    const sent = await describeRequest(model, await modelPlaceOf(seed, env, settings), request);
    return { kind: "found", step: stepView(found, sent, seed) };
  }

  /** Returns the execution as a trace, once it has ended. */
  async trace(options: { content: boolean }): Promise<TraceReply> {
    const { seed, state } = this;
    if (!isFinal(state.status)) return { kind: "unknown" };
    const { turns, tries } = this.#record.history;
    const { workflowId, accountId } = seed;
    const { DB } = this.#context.env;
    const workflow =
      workflowId === null
        ? null
        : await within("D1", CALL_TIMEOUT_MS, loadWorkflow(DB, accountId, workflowId));
    const agent = workflow?.definition.name ?? workflowId;
    const events = this.#record.journal.events(0, Number.MAX_SAFE_INTEGER);
    return { kind: "found", trace: traceOf({ seed, state, turns, tries, events, agent }, options) };
  }

  /** Returns the tools of the execution, to check calls and to describe them. */
  async tools(): Promise<Toolset> {
    const { tools } = await this.#loopDependencies(new AbortController().signal, () => {});
    return tools;
  }

  #loopDependencies(signal: AbortSignal, onText: (text: string) => void) {
    const { env, modelCalls, suspects, keptEffects } = this.#context;
    return createLoopDependencies({
      seed: this.seed,
      env,
      settings: settingsOf(env),
      history: () => this.#record.history,
      original: (id) => History.read(this.#record.journal.other(id)),
      commit: (change, also) => this.commit(change, also),
      modelCalls,
      suspects,
      keptEffects,
      onText,
      onRefused: (connection) => this.#troubles.refused(connection),
      signal,
    });
  }

  file(outputId: string): FileReply {
    const found = this.#record.history.output(outputId);
    if (found === null || found.type !== "file") return { kind: "unknown" };
    const { mediaType, filename } = found;
    const bytes = this.#record.journal.blob(outputId);
    return { kind: "found", mediaType, filename: filename ?? outputId, bytes };
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
        const deliveries = this.callbacks.announced(t.facts, state, now);
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
    this.#log.record({ before, after: state, facts: t.facts, now });
    this.#follow(before, state);
    return value;
  }

  /** Waits while this holds and the execution has not ended, at most `waitMs` milliseconds. */
  async #whileActive(holds: () => boolean, waitMs: number): Promise<void> {
    const until = Date.now() + waitMs;
    while (holds() && !isFinal(this.state.status)) {
      const left = until - Date.now();
      if (left <= 0) return;
      await this.#changes.settled(left);
    }
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
    if (this.#isDue() && this.#run === null) this.#begin("step");
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

  async #runSteps(until: number): Promise<undefined> {
    const run = new AbortController();
    const { signal } = run;
    this.#run = run;
    this.#runs += 1;
    const first = this.#first;
    this.#first = null;
    try {
      const dependencies = await this.#loopDependencies(signal, (text) =>
        this.#streams.write(text),
      );
      await runSteps(dependencies, signal, until, first);
      // To rest while a step is due would wake the alarm for ever.
      if (!signal.aborted && Date.now() < until && this.#isDue())
        throw new Error("A step is due, but the loop found none to run.");
    } catch (error) {
      if (signal.aborted) return;
      logError("step failed", { executionId: this.seed.executionId }, error);
      this.commit((t) => {
        if (t.state.status === "active") stepFailed(t);
      });
    } finally {
      if (this.#run === run) this.#run = null;
      this.#runs -= 1;
    }
  }

  #isDue(): boolean {
    return this.state.status === "active" && this.state.retryAt === null;
  }

  #abortRun(): void {
    this.#run?.abort();
    // A tool may notice late; its result then carries an old generation and is dropped.
    this.#run = null;
    this.#alarms.abandon("step");
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
