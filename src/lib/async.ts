/** Waits for `ms` milliseconds; with 0, for the things that are ready now to have their turn. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The other side did not answer in time; what it does with the call is not known. */
export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} did not answer within ${ms} ms`);
    this.name = "DeadlineError";
  }
}

/** Waits for `work`, at most `ms` milliseconds; then fails with a `DeadlineError` naming `what`. */
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

/** A signal for work that may take only so long. `clear` is to be called once the work has ended. */
export interface Deadline {
  /** Aborted with the parent's signal, or when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time was over first. */
  readonly expired: boolean;
  clear(): void;
}

/**
 * Starts a deadline of `ms` milliseconds under `parent`. Unlike that of `AbortSignal.timeout`, its
 * timer ends with the work: a timer that is left behind keeps a Durable Object in memory, and billed,
 * until it fires.
 */
export function startDeadline(ms: number, parent: AbortSignal): Deadline {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  return {
    signal: AbortSignal.any([parent, late.signal]),
    get expired() {
      return late.signal.aborted;
    },
    clear: () => clearTimeout(timer),
  };
}

/**
 * Starts work that knows no signals and waits for it, at most until `signal` aborts; then fails with
 * its reason. Work that is given up goes on unheard; under a signal already aborted none is started.
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

/** What `work` makes of each item, in their order, with at most `most` of them under way at once. */
export async function mapConcurrently<Item, Made>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  const rest = items.entries();
  async function takeTurns(): Promise<void> {
    for (const [at, item] of rest) made[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns));
  return made;
}
