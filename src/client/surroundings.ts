/** What the client takes from the world besides the network. */
export interface Surroundings {
  /** Epoch milliseconds. */
  now(): number;
  /** Waits; rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  /** An id that nobody else makes. */
  randomId(): string;
}

/** The runtime's own: Node, Workers and browsers have the same. */
export const RUNTIME: Surroundings = {
  now: Date.now,
  sleep,
  random: Math.random,
  randomId: () => crypto.randomUUID(),
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(done, ms);
    function done() {
      signal.removeEventListener("abort", aborted);
      resolve();
    }
    function aborted() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener("abort", aborted, { once: true });
  });
}
