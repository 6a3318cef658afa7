/** Waits for `ms` milliseconds; 0 lets everything that is ready run first. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The other side did not answer in time; whether it acts on the call is unknown. */
export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} did not answer within ${ms} ms`);
    this.name = "DeadlineError";
  }
}

/** Waits at most `ms` milliseconds for `work`, then throws a `DeadlineError` that names `what`. */
export async function within<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(what, ms)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** Returns the pause after so many failures in a row: 1 s, then twice as long each time, up to 60 s. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
}

/** A signal for work with a time limit. Call `clear` once the work has ended. */
export interface Deadline {
  /** Aborts with the parent's signal, or when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  readonly expired: boolean;
  /** Gives the work all of its time again. */
  restart(): void;
  clear(): void;
}

/**
 * Starts a deadline of `ms` milliseconds under `parent`. Unlike the timer of `AbortSignal.timeout`, this
 * one ends with the work: a timer that is left behind keeps a Durable Object in memory, and billed, until
 * it fires.
 */
export function startDeadline(ms: number, parent: AbortSignal): Deadline {
  const late = new AbortController();
  const start = () => setTimeout(() => late.abort(), ms);
  let timer = start();
  return {
    signal: AbortSignal.any([parent, late.signal]),
    get expired() {
      return late.signal.aborted;
    },
    restart() {
      clearTimeout(timer);
      timer = start();
    },
    clear: () => clearTimeout(timer),
  };
}

/**
 * Runs work that takes no signal, and throws the reason of `signal` as soon as that aborts. The abandoned
 * work continues unobserved. If the signal is already aborted, no work starts.
 */
export async function unlessAborted<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([start(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Maps items in their order, with at most `most` calls of `work` at once. */
export async function mapConcurrently<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  async function takeTurns(): Promise<void> {
    for (const [at, item] of rest) results[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns));
  return results;
}

/** Limits how many pieces of work run at once; the others wait in the order of their calls. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a place and returns a function that gives it back; to call that again changes nothing. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
