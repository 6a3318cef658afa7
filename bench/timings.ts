/** Latencies of many like things, in milliseconds. */
export interface Timings {
  count: number;
  p50: number;
  p99: number;
}

/** Sums up latencies in milliseconds; the order does not matter, and there must be at least one. */
export function summarise(latencies: number[]): Timings {
  const sorted = [...latencies].sort((a, b) => a - b);
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** The nearest-rank quantile of an ascending list. */
function quantile(sorted: number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
