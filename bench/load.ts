import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Latencies of repeated operations, in milliseconds; NaN when there were none. */
export interface Timings {
  p50: number;
  p99: number;
}

/** Summarises latencies in any order. */
export function summarise(latencies: number[]): Timings {
  const sorted = [...latencies].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** The nearest-rank quantile of an ascending list. */
function quantile(sorted: number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** One request, repeated. */
export interface Shot {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** A header that gets a value of its own in each request. */
  uniqueHeader?: string;
}

interface Clients {
  origin: string;
  /** How many work at once, each over a connection of its own. */
  clients: number;
  durationMs: number;
  /** How many shots end the load, if the time does not. */
  shots?: number;
  shot: Shot;
}

/** A load: every client does the same over and over until the time is up. */
export type Load =
  /** Sends the shot. */
  | ({ kind: "hammer" } & Clients)
  /**
   * Sends the shot, which starts an execution, and long-polls until it has ended. In `pollPath`, `:id`
   * stands for the execution and `:version` for the last version seen.
   */
  | ({ kind: "roundtrip"; pollPath: string } & Clients);

/** The outcome of a load. */
export interface LoadResult {
  count: number;
  perSecond: number;
  /** Of one request, or of one round trip. */
  timings: Timings;
  /** Requests whose connection was closed before they had a response, or whose response was a 5xx. */
  lost: number;
}

/** Runs the load on a thread of its own, so that measuring and serving do not wait for each other. */
export function runLoad(load: Load): Promise<LoadResult> {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  const worker = new Worker(join(import.meta.dirname, "load-thread.ts"), { workerData: load });
  worker.once("message", resolve);
  worker.once("error", reject);
  return promise;
}
