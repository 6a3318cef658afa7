import type { CallbackAttempt, DeliveryOrder, DeliveryReport } from "../contract/callbacks.ts";
import { isFinal } from "../contract/execution.ts";
import type {
  CallbacksReply,
  EventsReply,
  ExecutionSeed,
  FileReply,
  MessageAccepted,
  MessageCommand,
  MessageReply,
  RedeliverReply,
  ResultReply,
  StatusReply,
  StopReply,
  TaskReply,
} from "../contract/session.ts";
import { AlarmScheduler, type AlarmStorage } from "../durable/alarm-scheduler.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/async.ts";
import { logError, logWarning } from "../lib/log.ts";
import { deleteExecution } from "../records/executions.ts";
import { CallbackSender } from "./callback-sender.ts";
import { ChangeNotifier } from "./change-notifier.ts";
import { NO_DELIVERIES, nextCheck } from "./deliveries.ts";
import { createLoopDependencies } from "./dependencies.ts";
import { ExecutionLog } from "./execution-log.ts";
import type { StoredFact } from "./journal/facts.ts";
import { type Deliveries, dueTimes, type Head, TASKS, type Task } from "./journal/head.ts";
import { History } from "./journal/history.ts";
import type { Journal, Place } from "./journal/journal.ts";
import { runSteps } from "./loop.ts";
import { INBOX_LIMIT, queueMessage } from "./machine/inbox.ts";
import { expire, startExecution, stopByUser } from "./machine/lifecycle.ts";
import { recover, stepFailed } from "./machine/replies.ts";
import { initialState, type MachineState } from "./machine/state.ts";
import { Transition } from "./machine/transition.ts";
import { accountSubscriber, requestLogSubscriber, StatusReporter } from "./status-reporter.ts";
import { resultView, statusView, taskView, toIso } from "./views.ts";
import { dueAfter, nextWakeup } from "./wakeups.ts";

const CALL_TIMEOUT_MS = 10_000;
const REPORTS = ["report", "log"] as const;

/** What a session needs of the object that hosts it. */
export interface SessionContext {
  env: CloudflareEnv;
  /** Keeps working on this after the current request has been answered. */
  waitUntil(work: Promise<unknown>): void;
  /** A wake-up has changed: points the host's alarm at the next one of all sessions. */
  armed(): void;
  /** The execution has been removed. */
  removed(executionId: string): void;
}

/**
 * The session of one execution: its newest state, the only way to change it, and the work that follows
 * a change.
 *
 * A change and its consequences (events, pending callbacks, wake-ups) are stored in one transaction.
 * The consequences are then carried out at once; the wake-ups repeat them if this process dies.
 */
export class Session {
  readonly seed: ExecutionSeed;
  readonly #journal: Journal;
  readonly #context: SessionContext;
  readonly #changes = new ChangeNotifier();
  readonly #log: ExecutionLog;
  readonly #alarms: AlarmScheduler<Task>;
  readonly #reporters: Record<(typeof REPORTS)[number], StatusReporter>;
  readonly #callbacks: CallbackSender;
  #head: Head;
  #history: History | null = null;
  #run: AbortController | null = null;
  #isRemoved = false;

  private constructor(seed: ExecutionSeed, head: Head, journal: Journal, context: SessionContext) {
    const { env } = context;
    this.seed = seed;
    this.#head = head;
    this.#journal = journal;
    this.#context = context;
    this.#log = new ExecutionLog(seed);
    this.#alarms = new AlarmScheduler(this.#wakeupStorage(), TASKS, {
      deadline: () => this.#expire(),
      report: () => this.#report("report"),
      log: () => this.#report("log"),
      callbacks: () => this.#callbacks.send(),
      step: (until) => this.#runSteps(until),
      retention: () => this.#remove(),
    });
    this.#callbacks = new CallbackSender(env, seed, {
      journal,
      state: () => this.state,
      deliveries: () => this.#head.deliveries,
      save: (deliveries, attempt) => this.#saveDeliveries(deliveries, attempt),
      body: (state) => this.#callbackBody(state),
    });
    this.#reporters = {
      report: new StatusReporter(accountSubscriber(env)),
      log: new StatusReporter(requestLogSubscriber(env)),
    };
  }

  /** Starts an execution that is not known yet: stores it and runs its first step. */
  static start(seed: ExecutionSeed, journal: Journal, context: SessionContext): Session {
    const now = Date.now();
    const state = initialState(seed, now);
    const head: Head = { state, deliveries: NO_DELIVERIES, due: {}, entries: 0, events: 0 };
    const session = new Session(seed, head, journal, context);
    session.commit(
      (t) => startExecution(t, seed),
      () => [{ kind: "seed", seed }],
    );
    return session;
  }

  /**
   * Returns the session of a stored execution, or null if there is none. What an earlier process left
   * is recovered.
   */
  static load(journal: Journal, context: SessionContext): Session | null {
    const head = journal.head();
    if (head === null) return null;
    const [first] = journal.entry(0).facts;
    if (first?.kind !== "seed") throw new Error("The journal does not begin with a seed.");
    const { seed } = first;
    const session = new Session(seed, head, journal, context);
    session.commit((t) => recover(t, seed));
    session.#resume();
    return session;
  }

  get state(): MachineState {
    return this.#head.state;
  }

  /** Whether nothing of it needs to stay in memory. */
  get isIdle(): boolean {
    return isFinal(this.state.status) && this.#changes.isQuiet && !this.#alarms.isBusy;
  }

  /** Runs the wake-ups that are due. It never throws. */
  async wake(): Promise<void> {
    await this.#alarms.handleAlarm();
  }

  status(): StatusReply {
    return { kind: "found", state: statusView(this.seed, this.state) };
  }

  async waitForStatus(sinceVersion: number, waitSeconds: number): Promise<StatusReply> {
    const until = Date.now() + waitSeconds * 1_000;
    while (this.state.version <= sinceVersion && !isFinal(this.state.status)) {
      const left = until - Date.now();
      if (left <= 0) break;
      await this.#changes.settled(left);
    }
    return this.status();
  }

  task(): TaskReply {
    return { kind: "found", task: taskView(this.seed) };
  }

  result({ partial }: { partial: boolean }): ResultReply {
    const { state } = this;
    if (!partial && !isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const { effects } = this.#read();
    const outputs = this.#read().outputs();
    return { kind: "ready", result: resultView(this.seed, state, { outputs, effects }) };
  }

  /**
   * Accepts a message of the user. A repeat, recognised by its Idempotency-Key or its message id,
   * returns the first reply, even after the end, and changes nothing.
   */
  message(command: MessageCommand): MessageReply {
    const names = repeatNames(command);
    for (const { name, content } of names) {
      const known = this.#read().reply(name);
      if (known === null) continue;
      if (known.content !== content) return { kind: "key_reused" };
      return { kind: "accepted", replayed: true, body: known.body };
    }
    const refusal = refuse(this.state, command);
    if (refusal !== null) return refusal;

    const { executionId } = this.seed;
    const messageId = command.messageId ?? `msg_${crypto.randomUUID()}`;
    const body = (after: MachineState): MessageAccepted => ({
      executionId,
      messageId,
      status: after.status,
      delivery: "queued",
      position: after.inbox.length,
    });
    this.commit(
      (t) => {
        queueMessage(t, { ...command, messageId });
        t.touch();
      },
      (after) => [{ kind: "reply", names, body: body(after) }],
    );
    return { kind: "accepted", replayed: false, body: body(this.state) };
  }

  stop(command: { reason: string | null; ifVersion: number | null }): StopReply {
    const { version } = this.state;
    if (command.ifVersion !== null && command.ifVersion !== version) {
      return { kind: "version_mismatch", version };
    }
    if (!isFinal(this.state.status)) this.commit((t) => stopByUser(t, command.reason));
    const { executionId, status, statusDetail, version: now } = statusView(this.seed, this.state);
    return { kind: "stopped", body: { executionId, status, statusDetail, version: now } };
  }

  async events(query: { after: number; limit: number; waitMs: number }): Promise<EventsReply> {
    const until = Date.now() + query.waitMs;
    while (this.#head.events <= query.after && !isFinal(this.state.status)) {
      const left = until - Date.now();
      if (left <= 0) break;
      await this.#changes.settled(left);
    }
    const events = this.#journal.events(query.after, query.limit);
    const read = events.at(-1)?.seq ?? query.after;
    return {
      kind: "found",
      events,
      closed: isFinal(this.state.status) && read >= this.#head.events,
    };
  }

  file(outputId: string): FileReply {
    const found = this.#read()
      .outputs()
      .find((item) => item.outputId === outputId);
    if (found === undefined || found.type !== "file") return { kind: "unknown" };
    const { mediaType, filename } = found;
    const bytes = this.#journal.blob(outputId);
    return { kind: "found", mediaType, filename: filename ?? outputId, bytes };
  }

  callbacks(): CallbacksReply {
    return { kind: "found", log: this.#callbacks.log(this.#read().attempts) };
  }

  async redeliver(url: string | null): Promise<RedeliverReply> {
    const { seed, state } = this;
    if (!isFinal(state.status)) return { kind: "not_ready", status: state.status };
    const target = url ?? seed.callback?.url ?? null;
    if (target === null) return { kind: "no_address" };
    this.#callbacks.redeliver(state, target, Date.now());
    await this.#alarms.run("callbacks");
    return { kind: "queued", log: this.#callbacks.log(this.#read().attempts) };
  }

  beginDelivery(deliveryId: string, attempt: number): DeliveryOrder | null {
    return this.#callbacks.begin(deliveryId, attempt);
  }

  endDelivery(deliveryId: string, attempt: number, report: DeliveryReport): void {
    this.#callbacks.end(deliveryId, attempt, report);
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
    const history = this.#read();
    this.#store(now, () => {
      const deliveries = this.#callbacks.announced(t.facts, state, now);
      const due = dueAfter(this.#head.due, {
        seed,
        before,
        state,
        deliveries,
        now,
        reporters: this.#reporters,
      });
      const facts = [...(also?.(state) ?? []), ...history.toStore(t.facts, this.#place, now)];
      return { head: { ...this.#head, state, deliveries, due }, facts };
    });
    // While it waits, and after its end, only the head stays in memory.
    if (state.status !== "active") this.#history = null;
    if (t.facts.some((fact) => fact.kind === "abort")) this.#abortRun();
    this.#changes.notify();
    this.#log.record({ before, after: state, facts: t.facts, now });
    this.#follow(before, state);
    return value;
  }

  /** Does at once what a change asks for. */
  #follow(before: MachineState, after: MachineState): void {
    for (const name of REPORTS) {
      if (this.#reporters[name].delay(this.seed, before, after) === 0) this.#begin(name);
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
    this.#context.waitUntil(this.#alarms.run(task));
  }

  /** Stores a head, and an entry if there are facts, in one transaction. */
  #store(at: number, change: () => { head: Head; facts: StoredFact[] }): void {
    const { seq, eventsBefore } = this.#place;
    const { head, facts } = this.#journal.transaction(() => {
      const { head: next, facts } = change();
      const events = eventsBefore + facts.filter(({ kind }) => kind === "event").length;
      const entries = facts.length === 0 ? seq : seq + 1;
      const head = { ...next, entries, events };
      if (facts.length > 0) {
        this.#journal.append({ seq, eventsBefore }, { at, version: head.state.version, facts });
      }
      this.#journal.saveHead(head, nextWakeup(head.due));
      return { head, facts };
    });
    this.#head = head;
    if (facts.length > 0) this.#history?.add(seq, at, facts);
    this.#alarms.adopt(head.due);
    this.#context.armed();
  }

  get #place(): Place {
    return { seq: this.#head.entries, eventsBefore: this.#head.events };
  }

  #read(): History {
    this.#history ??= History.read(this.#journal);
    return this.#history;
  }

  /** Stores changed deliveries, and the attempt that changed them. */
  #saveDeliveries(deliveries: Deliveries, attempt: CallbackAttempt | null): void {
    const { callbacks: _, ...others } = this.#head.due;
    const check = nextCheck(deliveries);
    const due = check === null ? others : { ...others, callbacks: check };
    const facts: StoredFact[] = attempt === null ? [] : [{ kind: "attempt", attempt }];
    this.#store(Date.now(), () => ({ head: { ...this.#head, deliveries, due }, facts }));
  }

  /** The scheduler's times are part of the head, and its alarm is one of many of the host. */
  #wakeupStorage(): AlarmStorage {
    const save = (due: Head["due"]) => {
      if (this.#isRemoved) return;
      this.#head = { ...this.#head, due };
      this.#journal.saveHead(this.#head, nextWakeup(due));
    };
    const armed = async () => this.#context.armed();
    return {
      kv: {
        get: () => this.#head.due,
        put: (_, times) => save(dueTimes.parse(times)),
        delete: () => save({}),
      },
      getAlarm: async () => null,
      setAlarm: armed,
      deleteAlarm: armed,
    };
  }

  #expire(): undefined {
    this.commit((t) => expire(t, this.seed));
  }

  async #runSteps(until: number): Promise<undefined> {
    const { seed } = this;
    const { env } = this.#context;
    const run = new AbortController();
    const { signal } = run;
    this.#run = run;
    try {
      const dependencies = await createLoopDependencies({
        seed,
        env,
        settings: settingsOf(env),
        history: () => this.#read(),
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
    return this.state.status === "active" && this.state.retryAt === null;
  }

  #abortRun(): void {
    this.#run?.abort();
    // A tool may notice late; its result then carries an old generation and is dropped.
    this.#run = null;
    this.#alarms.abandon("step");
  }

  #report(name: (typeof REPORTS)[number]): Promise<number | null> {
    return this.#reporters[name].send(this.seed, () => this.state);
  }

  /** Returns the body of a callback: the result with the event's type and time. */
  #callbackBody(state: MachineState): string {
    const history = this.#read();
    const made = { outputs: history.outputs(), effects: history.effects };
    return JSON.stringify({
      type: `execution.${state.status}`,
      timestamp: toIso(state.finishedAt ?? state.updatedAt),
      ...resultView(this.seed, state, made),
    });
  }

  /** Deletes everything of the execution once its retention time is over. */
  async #remove(): Promise<number | null> {
    const { accountId, executionId } = this.seed;
    try {
      const deletion = deleteExecution(this.#context.env.DB, accountId, executionId);
      await within("D1", CALL_TIMEOUT_MS, deletion);
    } catch (error) {
      logWarning("execution not removed", { executionId }, error);
      return Date.now() + 3_600_000;
    }
    this.#journal.remove();
    this.#isRemoved = true;
    this.#alarms.clear();
    this.#context.removed(executionId);
    return null;
  }
}

/** Returns the keys that recognise a repeat, each with the content that must match. */
function repeatNames(command: MessageCommand): { name: string; content: string }[] {
  const { idempotency, messageId, text, mode, approval } = command;
  return [
    ...(idempotency === null
      ? []
      : [{ name: `key:${idempotency.key}`, content: idempotency.bodyHash }]),
    ...(messageId === null
      ? []
      : [{ name: `id:${messageId}`, content: JSON.stringify([text, mode, approval]) }]),
  ];
}

/** Returns why a message is refused, or null. */
function refuse(state: MachineState, command: MessageCommand): MessageReply | null {
  const { status, version, inbox, question } = state;
  if (isFinal(status)) return { kind: "not_active", status };
  if (command.ifVersion !== null && command.ifVersion !== version) {
    return { kind: "version_mismatch", version };
  }
  const pending = question?.kind === "approval" ? question.callId : null;
  if (command.approval !== null && command.approval.callId !== pending) {
    return { kind: "no_such_call", pending };
  }
  if (command.text !== null && inbox.length >= INBOX_LIMIT) {
    return { kind: "inbox_full", limit: INBOX_LIMIT };
  }
  return null;
}
