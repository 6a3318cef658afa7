import * as z from "zod";
import { ChangeNotifier } from "../lib/change-notifier.ts";
import { logError } from "../lib/log.ts";

const KEY = "wakeups";
const storedTimes = z.record(z.string(), z.number());

/**
 * How long one alarm works; what is not done continues in the next one. The platform allows 15 minutes, 5
 * minutes of computing (`[limits]` in wrangler.toml) and 10,000 subrequests.
 */
export const ALARM_BUDGET_MS = 2 * 60_000;
/** The pause before a task that failed runs again. */
const RETRY_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;

/** The part of an object's storage that the scheduler needs. */
export interface AlarmStorage {
  kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    delete(key: string): unknown;
  };
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** When a task is due again (epoch milliseconds), null for never, or undefined if the task set that itself. */
type Due = number | null | undefined;

/**
 * Does the work of one wake-up. Work that lasts longer than `until` (epoch milliseconds) returns by then
 * and continues in the next alarm.
 */
type Task = (until: number) => Due | Promise<Due>;

/** The work of an object's wake-ups by name. Tasks that are due together start in this order. */
export type Tasks<Name extends string> = Readonly<Record<Name, Task>>;

/** One of an object's wake-ups. Times are epoch milliseconds. */
export interface Wakeup {
  set(at: number): void;
  setSooner(at: number): void;
  plan(at: number | null): void;
}

/**
 * Runs the many named wake-ups of an object over the single alarm that an object has.
 *
 * Times are written with the rest of a turn, so they become durable in the same transaction as the state
 * that needs them. The alarm follows in `arm`, which every turn ends with. A crash at any instruction is
 * followed by a wake-up: the platform fires an alarm again until its handler has ended, every task stays
 * due until it has ended, and `recover` arms an alarm that was lost.
 */
export class AlarmScheduler<Name extends string> {
  readonly #storage: AlarmStorage;
  readonly #tasks: Tasks<Name>;
  readonly #names: readonly Name[];
  readonly #times = new Map<Name, number>();
  readonly #running = new Map<Name, { done: Promise<void> }>();
  /** The time of the alarm: infinity without one, null while unknown. */
  #armedFor: number | null = null;
  #isHandling = false;
  readonly #changes = new ChangeNotifier();

  constructor(storage: AlarmStorage, names: readonly Name[], tasks: Tasks<Name>) {
    this.#storage = storage;
    this.#names = names;
    this.#tasks = tasks;
  }

  /** Reads the wake-ups that an earlier process stored. */
  load(): void {
    const stored = storedTimes.safeParse(this.#storage.kv.get(KEY));
    for (const name of this.#names) {
      const at = stored.success ? stored.data[name] : undefined;
      if (at !== undefined) this.#times.set(name, at);
    }
  }

  /** Schedules `name` at `at`, replacing its earlier time. */
  set(name: Name, at: number): void {
    if (this.#times.get(name) === at) return;
    this.#times.set(name, at);
    this.#save();
  }

  /** Schedules `name` at `at` unless it is due sooner. */
  setSooner(name: Name, at: number): void {
    const known = this.#times.get(name);
    if (known === undefined || known > at) this.set(name, at);
  }

  /** Schedules `name` at `at`, or cancels it if that is null. */
  plan(name: Name, at: number | null): void {
    if (at !== null) this.set(name, at);
    else if (this.#times.delete(name)) this.#save();
  }

  /** Cancels every wake-up and abandons the running tasks, for an object that has nothing left to do. */
  clear(): void {
    this.#running.clear();
    this.#times.clear();
    if (this.#storage.kv.get(KEY) !== undefined) this.#storage.kv.delete(KEY);
    this.#changes.notify();
  }

  /** Takes over times that were stored with the change that planned them. */
  adopt(times: Partial<Record<Name, number>>): void {
    this.#times.clear();
    for (const name of this.#names) {
      const at = times[name];
      if (at !== undefined) this.#times.set(name, at);
    }
    this.#changes.notify();
  }

  /** Whether a task is running. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Returns the wake-up of `name`, for a component that must not touch the others. */
  of(name: Name): Wakeup {
    return {
      set: (at) => this.set(name, at),
      setSooner: (at) => this.setSooner(name, at),
      plan: (at) => this.plan(name, at),
    };
  }

  /** Returns when `name` is due, or null. */
  at(name: Name): number | null {
    return this.#times.get(name) ?? null;
  }

  /**
   * Points the alarm at the next wake-up. Called in the turn that changed the times, without awaiting in
   * between, so that both are in one transaction. Each change of the alarm is a write of its own.
   */
  arm(): void {
    // The platform keeps the alarm that fired until its handler ends, which arms once for all changes.
    if (this.#isHandling) return;
    const next = this.#next();
    if (next === this.#armedFor) return;
    this.#armedFor = next;
    // Not awaited: the write joins this turn's transaction, and the output gate waits for it.
    if (next === NEVER) void this.#storage.deleteAlarm();
    else void this.#storage.setAlarm(next);
  }

  /** Arms the alarm after a restart, in case it was lost with the turn that should have set it. */
  async recover(): Promise<void> {
    this.#armedFor = (await this.#storage.getAlarm()) ?? NEVER;
    if (this.#next() < this.#armedFor) this.arm();
  }

  /**
   * Handles the object's alarm: runs every due task, until none is running or due, or the alarm's time is
   * used up. It never throws, and a task that hangs delays no other.
   */
  async handleAlarm(): Promise<void> {
    this.#isHandling = true;
    const until = Date.now() + ALARM_BUDGET_MS;
    for (let now = Date.now(); now < until; now = Date.now()) {
      for (const name of this.#names) {
        // Checked one by one: a task may cancel those after it.
        if (!this.#running.has(name) && this.#next([name]) <= now) void this.run(name, until);
      }
      const next = this.#next(this.#names.filter((name) => !this.#running.has(name)));
      if (this.#running.size === 0 && next > now) break;
      await this.#changes.changed(Math.min(next, until) - now);
    }
    this.#isHandling = false;
    this.#armedFor = NEVER;
    this.arm();
  }

  /** Runs a task now unless it is running already, and resolves when it ends. It never throws. */
  run(name: Name, until = Date.now() + ALARM_BUDGET_MS): Promise<void> {
    const known = this.#running.get(name);
    if (known !== undefined) return known.done;
    const run = { done: Promise.resolve() };
    this.#running.set(name, run);
    run.done = this.#finish(name, run, until);
    return run.done;
  }

  /** Stops waiting for a running task: it may start anew, and the result of the old run is ignored. */
  abandon(name: Name): void {
    if (this.#running.delete(name)) this.#changes.notify();
  }

  async #finish(name: Name, run: { done: Promise<void> }, until: number): Promise<void> {
    let due: Due;
    try {
      due = await this.#tasks[name](until);
    } catch (error) {
      logError("wake-up failed", { wakeup: name }, error);
      due = Date.now() + RETRY_MS;
    }
    if (this.#running.get(name) !== run) return;
    this.#running.delete(name);
    if (due !== undefined) this.plan(name, due);
    this.arm();
    this.#changes.notify();
  }

  #next(names = this.#names): number {
    return Math.min(...names.map((name) => this.#times.get(name) ?? NEVER));
  }

  #save(): void {
    this.#storage.kv.put(KEY, Object.fromEntries(this.#times));
    this.#changes.notify();
  }
}
