import * as z from "zod";
import { ChangeNotifier } from "../lib/change-notifier.ts";
import { logError } from "../lib/log.ts";
import type { TableStorage } from "./rows.ts";

/**
 * How long one alarm works; what is not done continues in the next one. The platform allows 15 minutes, 5
 * minutes of computing (`[limits]` in wrangler.toml) and 10,000 subrequests.
 */
const ALARM_BUDGET_MS = 2 * 60_000;
/** The pause before a task that failed runs again. */
const RETRY_MS = 10_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Where an object keeps the times of its wake-ups, in epoch milliseconds. */
export interface WakeupStore<Name extends string> {
  /** Returns the times that an earlier process stored. */
  load(): Iterable<readonly [Name, number]>;
  /** Stores the times with the rest of the turn that changed one of them. */
  save(times: ReadonlyMap<Name, number>): void;
  /** Stores what `save` has put off. Called when an alarm begins and ends. */
  flush?(): void;
}

/**
 * When a task is due again (epoch milliseconds), null for never, or undefined to leave the time as the task
 * has set it. What others asked for while it ran holds as well: the earlier time counts.
 */
export type Due = number | null | undefined;

/**
 * Does the work of one wake-up. Work that lasts longer than `until` (epoch milliseconds) returns by then
 * and continues in the next alarm.
 */
type Task = (until: number) => Due | Promise<Due>;

/** The work of an object's wake-ups by name. */
export type Tasks<Name extends string> = Readonly<Record<Name, Task>>;

/** What a scheduler needs of its object. */
interface SchedulerParts<Name extends string> {
  /** Keeps and fires the alarm; absent if another object's scheduler wakes this one. */
  alarm?: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  store: WakeupStore<Name>;
  /** Does the work of a wake-up. */
  run(name: Name, until: number): Due | Promise<Due>;
  /** The order in which wake-ups start that are due together. */
  order?: readonly Name[];
}

/** A task that runs. */
interface Run {
  done: Promise<void>;
  /** The time that was asked for since the task began, or null. */
  asked: number | null;
  /** The run that follows at once, if one was asked for. */
  next: PromiseWithResolvers<void> | null;
}

/**
 * Runs the many named wake-ups of an object over the single alarm that an object has.
 *
 * Times are stored with the rest of a turn, so they become durable in the same transaction as the state
 * that needs them. The alarm follows in `arm`, which every turn ends with. A crash at any instruction is
 * followed by a wake-up: the platform fires an alarm again until its handler has ended, every task stays
 * due until it has ended, and `recover` arms an alarm that was lost.
 *
 * A task may have passed what is asked of it while it runs, so that is done after it.
 */
export class AlarmScheduler<Name extends string> {
  readonly #parts: SchedulerParts<Name>;
  /** When each wake-up is due; of a task that runs, when it is due if this process dies. */
  readonly #times = new EarliestFirst<Name>();
  readonly #running = new Map<Name, Run>();
  /** The time of the alarm, as far as it is known to be set. */
  #armedFor = NEVER;
  #isHandling = false;
  readonly #changes = new ChangeNotifier();

  constructor(parts: SchedulerParts<Name>) {
    this.#parts = parts;
  }

  /** Reads the wake-ups that an earlier process stored. */
  load(): void {
    for (const [name, at] of this.#parts.store.load()) this.#times.set(name, at);
  }

  /** Schedules `name` at `at`, replacing its earlier time, or cancels it if that is null. */
  set(name: Name, at: number | null): void {
    this.#ask(name, at);
    this.#move(name, at);
  }

  /** Schedules `name` at `at` unless it is due sooner. */
  setSooner(name: Name, at: number): void {
    const asked = this.#running.get(name)?.asked ?? NEVER;
    this.#ask(name, Math.min(asked, at));
    // A task that runs stays due at its own time, in case this process dies.
    this.#move(name, Math.min(this.#times.at(name), at));
  }

  /**
   * Cancels every wake-up and abandons the running tasks, for an object that has nothing left to do. Its
   * alarm may be gone with its storage.
   */
  clear(): void {
    for (const name of [...this.#running.keys()]) this.abandon(name);
    this.#times.clear();
    this.#armedFor = NEVER;
    this.#save();
  }

  /** Takes over times that were stored with the change that planned them. */
  adopt(times: Readonly<Partial<Record<Name, number>>>): void {
    for (const name of this.#parts.order ?? []) {
      const at = times[name] ?? NEVER;
      if (at === this.#times.at(name)) continue;
      const planned = at === NEVER ? null : at;
      this.#ask(name, planned);
      this.#times.set(name, planned);
    }
    this.#changes.notify();
  }

  /** Whether a task is running. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Returns when `name` is due, or null. */
  at(name: Name): number | null {
    return this.#times.all.get(name) ?? null;
  }

  /** Returns the wake-ups that are due by a time. */
  dueBy(time: number): Name[] {
    return this.#times.upTo(time);
  }

  /** Whether any wake-up is due. */
  isDue(now: number): boolean {
    return this.#times.earliest <= now;
  }

  /**
   * Points the alarm at the next wake-up. Called in the turn that changed the times, without awaiting in
   * between, so that both are in one transaction. An alarm that comes too early is left: to move it costs
   * more than to handle it.
   */
  arm(): void {
    // The platform keeps the alarm that fired until its handler ends, which arms once for all changes.
    if (this.#isHandling) return;
    const next = this.#times.earliest;
    if (next >= this.#armedFor) return;
    this.#armedFor = next;
    // Not awaited: the write joins this turn's transaction, and the output gate waits for it.
    void this.#parts.alarm?.setAlarm(next);
  }

  /** Arms the alarm after a restart, or in case the platform has dropped it. */
  async recover(): Promise<void> {
    this.#armedFor = (await this.#parts.alarm?.getAlarm()) ?? NEVER;
    this.arm();
  }

  /**
   * Handles the object's alarm: runs every due task, until none is running or due, or the alarm's time is
   * used up. It never throws, and a task that hangs delays no other.
   */
  async handleAlarm(): Promise<void> {
    this.#isHandling = true;
    this.#parts.store.flush?.();
    const until = Date.now() + ALARM_BUDGET_MS;
    for (let now = Date.now(); now < until; now = Date.now()) {
      const due = this.#times.upTo(now);
      for (const name of this.#parts.order?.filter((each) => due.includes(each)) ?? due) {
        // Checked one by one: a task may cancel those after it.
        if (!this.#running.has(name) && this.#times.at(name) <= now) void this.run(name, until);
      }
      if (this.#running.size === 0 && !this.isDue(now)) break;
      await this.#changes.changed(Math.min(this.#times.after(now), until) - now);
    }
    this.#parts.store.flush?.();
    this.#isHandling = false;
    this.#armedFor = NEVER;
    this.arm();
  }

  /**
   * Runs a task now, and resolves when it ends. A task that is running already runs once more after that.
   * It never throws.
   */
  run(name: Name, until = Date.now() + ALARM_BUDGET_MS): Promise<void> {
    const known = this.#running.get(name);
    if (known !== undefined) {
      known.next ??= Promise.withResolvers();
      return known.next.promise;
    }
    const run: Run = { done: Promise.resolve(), asked: null, next: null };
    this.#running.set(name, run);
    run.done = this.#finish(name, run, until);
    return run.done;
  }

  /** Stops waiting for a running task: it may start anew, and the result of the old run is ignored. */
  abandon(name: Name): void {
    const run = this.#running.get(name);
    if (run === undefined) return;
    this.#running.delete(name);
    run.next?.resolve();
    this.#changes.notify();
  }

  async #finish(name: Name, run: Run, until: number): Promise<void> {
    let due: Due;
    try {
      due = await this.#parts.run(name, until);
    } catch (error) {
      logError("wake-up failed", { wakeup: name }, error);
      due = Date.now() + RETRY_MS;
    }
    if (this.#running.get(name) !== run) return;
    this.#running.delete(name);
    if (due !== undefined || run.asked !== null) {
      const next = Math.min(due ?? NEVER, run.asked ?? NEVER);
      this.#move(name, next === NEVER ? null : next);
    }
    if (run.next !== null) void this.run(name).then(run.next.resolve);
    this.arm();
    this.#changes.notify();
  }

  /** Notes what is asked of a task while it runs. */
  #ask(name: Name, at: number | null): void {
    const run = this.#running.get(name);
    if (run !== undefined) run.asked = at;
  }

  #move(name: Name, at: number | null): void {
    if (this.at(name) === at) return;
    this.#times.set(name, at);
    this.#save();
  }

  #save(): void {
    this.#parts.store.save(this.#times.all);
    this.#changes.notify();
  }
}

const KEY = "wakeups";
const storedTimes = z.record(z.string(), z.number());

/** Returns a store of an object's key-value storage that keeps the times of these wake-ups. */
export function keyValueStore<Name extends string>(
  kv: TableStorage["kv"],
  names: readonly Name[],
): WakeupStore<Name> {
  let known: string | null = null;
  return {
    load() {
      const stored = storedTimes.safeParse(kv.get(KEY));
      const times = names.flatMap((name) => {
        const at = stored.success ? stored.data[name] : undefined;
        return at === undefined ? [] : [[name, at] as const];
      });
      known = JSON.stringify(Object.fromEntries(times));
      return times;
    },
    save(times) {
      const kept = Object.fromEntries([...times].filter(([name]) => names.includes(name)));
      const text = JSON.stringify(kept);
      if (text === known) return;
      known = text;
      if (text !== "{}") kv.put(KEY, kept);
      else if (kv.get(KEY) !== undefined) kv.delete(KEY);
    },
  };
}

/** The times of many wake-ups by name, in epoch milliseconds. */
export class EarliestFirst<Name extends string> {
  readonly #times = new Map<Name, number>();
  /** The earliest time; null where it has to be looked for. */
  #earliest: number | null = Number.POSITIVE_INFINITY;

  /** The earliest time; infinity if there is none. */
  get earliest(): number {
    this.#earliest ??= this.after(Number.NEGATIVE_INFINITY);
    return this.#earliest;
  }

  /** All times by name. */
  get all(): ReadonlyMap<Name, number> {
    return this.#times;
  }

  /** Returns the time of `name`; infinity if it has none. */
  at(name: Name): number {
    return this.#times.get(name) ?? Number.POSITIVE_INFINITY;
  }

  /** Sets the time of `name`, or removes it. */
  set(name: Name, at: number | null): void {
    // Another may be the first now.
    if (this.at(name) === this.#earliest) this.#earliest = null;
    if (at === null) this.#times.delete(name);
    else this.#times.set(name, at);
    if (at !== null && this.#earliest !== null) this.#earliest = Math.min(this.#earliest, at);
  }

  /** Removes all. */
  clear(): void {
    this.#times.clear();
    this.#earliest = Number.POSITIVE_INFINITY;
  }

  /** Returns the names whose time is `now` or before. */
  upTo(now: number): Name[] {
    if (this.earliest > now) return [];
    return [...this.#times].filter(([, at]) => at <= now).map(([name]) => name);
  }

  /** Returns the earliest time after `now`; infinity if there is none. */
  after(now: number): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const at of this.#times.values()) if (at > now && at < earliest) earliest = at;
    return earliest;
  }
}
