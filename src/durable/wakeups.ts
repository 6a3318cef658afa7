import * as z from "zod";

const KEY = "wakeups";
const stored = z.record(z.string(), z.number());

/** The part of an object's storage that wake-ups need. */
export interface WakeupStorage {
  kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    delete(key: string): unknown;
  };
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** One of an object's wake-ups. Times are epoch milliseconds. */
export interface Wakeup {
  set(at: number): void;
  setSooner(at: number): void;
  cancel(): void;
  /** Sets it, or cancels it where there is no time. */
  plan(at: number | null): void;
}

/**
 * Many named wake-ups over the one alarm that an object has.
 *
 * The times are written with the rest of a turn, so they become durable in the same transaction as
 * the state that needs them. The alarm itself follows in `arm`, which every turn ends with.
 */
export class Wakeups<Name extends string> {
  readonly #storage: WakeupStorage;
  readonly #times: Map<Name, number>;
  #armedFor: number | null | undefined;
  #handling = false;

  constructor(storage: WakeupStorage, names: readonly Name[]) {
    this.#storage = storage;
    const times = stored.safeParse(storage.kv.get(KEY));
    this.#times = new Map(
      names.flatMap((name) => {
        const at = times.success ? times.data[name] : undefined;
        return at === undefined ? [] : [[name, at] as const];
      }),
    );
  }

  /** Wakes at `at` (epoch milliseconds), in place of an earlier time under this name. */
  set(name: Name, at: number): void {
    if (this.#times.get(name) === at) return;
    this.#times.set(name, at);
    this.#save();
  }

  /** Wakes at `at` unless this name is due sooner anyway. */
  setSooner(name: Name, at: number): void {
    const known = this.#times.get(name);
    if (known === undefined || known > at) this.set(name, at);
  }

  cancel(name: Name): void {
    if (this.#times.delete(name)) this.#save();
  }

  /** Sets the wake-up of this name, or cancels it where there is no time. */
  plan(name: Name, at: number | null): void {
    if (at === null) this.cancel(name);
    else this.set(name, at);
  }

  /** Cancels all of them and leaves nothing behind, for an object that has nothing to wake for. */
  clear(): void {
    if (this.#times.size === 0) return;
    this.#times.clear();
    this.#storage.kv.delete(KEY);
  }

  /** The wake-up of this name, for a part that has no business with the others. */
  of(name: Name): Wakeup {
    return {
      set: (at) => this.set(name, at),
      setSooner: (at) => this.setSooner(name, at),
      cancel: () => this.cancel(name),
      plan: (at) => this.plan(name, at),
    };
  }

  at(name: Name): number | null {
    return this.#times.get(name) ?? null;
  }

  /** The names whose time has come, the longest overdue first. */
  due(now: number): Name[] {
    return [...this.#times]
      .filter(([, at]) => at <= now)
      .sort(([, a], [, b]) => a - b)
      .map(([name]) => name);
  }

  /** The next time, or null when nothing is planned. */
  next(): number | null {
    let next: number | null = null;
    for (const at of this.#times.values()) if (next === null || at < next) next = at;
    return next;
  }

  /**
   * Points the alarm at the next time. Called in the turn that changed the times, without awaiting
   * in between, so that both are in one transaction. Each change of the alarm is a write of its own.
   */
  arm(): void {
    if (!this.#handling) this.#armAt(0);
  }

  /**
   * To be called first by the alarm handler. Until it has ended, the platform keeps the alarm that
   * fired and fires it again if the process dies: in between, nothing has to be armed.
   */
  fired(): void {
    this.#handling = true;
  }

  /**
   * To be called last by the alarm handler: what is still to come needs an alarm of its own. It is not
   * before `earliest`, so that what a handler failed at is not tried again without a pause.
   */
  rearm(earliest = 0): void {
    this.#handling = false;
    this.#armedFor = null;
    this.#armAt(earliest);
  }

  /** Arms anew after a restart, in case the alarm was lost with the turn that should have set it. */
  async recover(): Promise<void> {
    this.#armedFor = await this.#storage.getAlarm();
    const next = this.next();
    if (next !== null && (this.#armedFor === null || this.#armedFor > next)) this.arm();
  }

  #armAt(earliest: number): void {
    const due = this.next();
    const next = due === null ? null : Math.max(due, earliest);
    if (next === this.#armedFor) return;
    this.#armedFor = next;
    // Not awaited: the write joins this turn's transaction, and the output gate waits for that.
    if (next === null) void this.#storage.deleteAlarm();
    else void this.#storage.setAlarm(next);
  }

  #save(): void {
    this.#storage.kv.put(KEY, Object.fromEntries(this.#times));
  }
}
