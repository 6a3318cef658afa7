import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Latencies of repeated operations, in milliseconds. */
export interface Timings {
  count: number;
  p50: number;
  p99: number;
}

/** Summarises latencies in any order, at least one. */
export function summarise(latencies: number[]): Timings {
  const sorted = [...latencies].sort((a, b) => a - b);
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
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

/** What a load thread is asked to do against the service at `origin`. */
export type Load =
  /** Sends the shot over and over on each connection, the next as soon as the last is answered. */
  | { kind: "hammer"; origin: string; connections: number; durationMs: number; shot: Shot }
  /** Triggers and long-polls until the execution has ended, `runs` times, by so many clients at once. */
  | {
      kind: "roundtrip";
      origin: string;
      clients: number;
      runs: number;
      apiKey: string;
      body: string;
    };

/** How it went. */
export interface LoadResult {
  /** Per second. */
  rate: number;
  /** Of one request, or of one round trip. */
  timings: Timings;
  /** Requests whose connection was closed before they had an answer. */
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
