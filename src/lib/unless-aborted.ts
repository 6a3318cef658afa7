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
