import { vi } from "vitest";
import { tableStorage } from "./table-storage.ts";

/** The platform repeats an alarm that failed so often, the first time after 2 s, then after twice as long each time. */
const RETRIES = 6;
const FIRST_RETRY_MS = 2_000;

interface Awakable {
  alarm(info?: AlarmInvocationInfo): Promise<void>;
}

/**
 * An object of a class of the service, under the platform's rules for constructors and alarms, on a clock
 * that tests drive (`vi.useFakeTimers`). Its storage is SQLite.
 */
export class DrivenObject<T extends Awakable> {
  /**
   * What becomes of its processes: one that `refuses` throws in its constructor, one that `dies` crashes in
   * its alarm, at the first thing that it reads.
   */
  process: "works" | "refuses" | "dies" = "works";
  /** How often a process failed. */
  failures = 0;
  readonly #make: (state: DurableObjectState) => T;
  readonly #storage = tableStorage();
  /** The stored alarm, until it has been handled or dropped. */
  #alarm: number | null = null;
  /** When the platform calls its handler next, and how often that failed. */
  #ring: { at: number; failures: number } | null = null;
  /** Its handler is called: it counts as unset unless it is set anew. */
  #isHandling = false;
  #isMortal = false;
  #living: { object: T; end(): void } | null = null;

  constructor(make: (state: DurableObjectState) => T) {
    this.#make = make;
  }

  /** Calls the object, in a new process if it has none. */
  async call<Result>(use: (object: T) => Promise<Result>): Promise<Result> {
    return settled(use(await settled(this.#object())));
  }

  /** Ends its process. */
  end(): void {
    this.#living?.end();
    this.#living = null;
  }

  /** Lets time pass, and the alarms with it. */
  async drive(ms: number): Promise<void> {
    const end = Date.now() + ms;
    for (;;) {
      const next = Math.min(this.#ring?.at ?? end, end);
      await vi.advanceTimersByTimeAsync(Math.max(next - Date.now(), 0));
      if (Date.now() >= end || this.#ring === null) return;
      await this.#call(this.#ring);
    }
  }

  async #call(ring: { at: number; failures: number }): Promise<void> {
    try {
      const object = await settled(this.#object());
      this.#isHandling = this.#ring === ring;
      const { at: scheduledTime, failures: retryCount } = ring;
      this.#isMortal = this.process === "dies";
      await settled(object.alarm({ scheduledTime, retryCount, isRetry: retryCount > 0 }));
      if (this.#isMortal) throw new Error("The process has died.");
      if (this.#ring === ring) this.#set(null);
    } catch {
      this.failures += 1;
      this.end();
      // An alarm that was set meanwhile is in its place.
      if (this.#ring === ring) this.#failed(ring.failures + 1);
    }
    this.#isHandling = false;
    this.#isMortal = false;
  }

  #failed(failures: number): void {
    if (failures > RETRIES) this.#set(null);
    else this.#ring = { at: Date.now() + FIRST_RETRY_MS * 2 ** (failures - 1), failures };
  }

  #set(at: number | null): void {
    this.#alarm = at;
    this.#ring = at === null ? null : { at, failures: 0 };
    this.#isHandling = false;
  }

  async #object(): Promise<T> {
    if (this.#living !== null) return this.#living.object;
    let isAlive = true;
    const starts: Promise<unknown>[] = [];
    const { sql, kv, transactionSync } = this.#storage;
    const exec: typeof sql.exec = (...args) => {
      if (this.process === "refuses") throw new Error("The storage is not readable.");
      if (this.#isMortal) isAlive = false;
      if (!isAlive) throw new Error("The process has ended.");
      return sql.exec(...args);
    };
    const storage = {
      kv,
      transactionSync,
      sql: {
        exec: (...args: Parameters<typeof sql.exec>) => {
          const cursor = exec(...args);
          return { ...cursor, [Symbol.iterator]: () => cursor.toArray()[Symbol.iterator]() };
        },
      },
      getAlarm: async () => (this.#isHandling ? null : this.#alarm),
      setAlarm: async (at: number) => {
        if (isAlive) this.#set(at);
      },
      deleteAlarm: async () => {
        if (isAlive) this.#set(null);
      },
      sync: async () => undefined,
    };
    const state = {
      storage,
      waitUntil: () => undefined,
      blockConcurrencyWhile: (work: () => Promise<unknown>) => {
        const start = work();
        starts.push(start);
        return start;
      },
    };
    const object = this.#make(state as unknown as DurableObjectState);
    await Promise.all(starts);
    this.#living = {
      object,
      end: () => {
        isAlive = false;
      },
    };
    return object;
  }
}

/** Lets time pass until work is done. */
async function settled<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) await vi.advanceTimersByTimeAsync(1);
  return work;
}
