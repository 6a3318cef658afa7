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
