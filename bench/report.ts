import type { Baseline } from "./baseline.ts";
import type { Cost } from "./cost.ts";
import { pricePerMillion } from "./cost.ts";
import type { LoadResult, Timings } from "./load.ts";
import type { Waiting } from "./model.ts";

const MB = 1_048_576;

/** The rows as text, each column as wide as its widest cell; the first row is the head. */
export function formatTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

/** A figure with as many decimals as matter at its size. */
function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** A ratio, as `0.52 x`. */
function ratio(value: number): string {
  return `${value.toFixed(2)} x`;
}

export function rate(
  name: string,
  { rate, timings }: LoadResult,
  { route, write }: Baseline,
): string[] {
  return [
    name,
    figure(rate),
    figure(timings.p50),
    figure(timings.p99),
    ratio(rate / route.rate),
    ratio(rate / write.rate),
  ];
}

export function rateOnly(name: string, rate: number, { route, write }: Baseline): string[] {
  return [name, figure(rate), "", "", ratio(rate / route.rate), ratio(rate / write.rate)];
}

/** For what has no rate the ratios are of the medians. */
export function times(name: string, { p50, p99 }: Timings, { route, write }: Baseline): string[] {
  const ratios = [route, write].map(({ timings }) => `${ratio(p50 / timings.p50)} p50`);
  return [name, "", figure(p50), figure(p99), ...ratios];
}

export function lostOf(results: [number, LoadResult][]): number {
  return results.reduce((sum, [, { lost }]) => sum + lost, 0);
}

export function memoryLine({ sessions, memoryBefore, memoryWaiting }: Waiting): string {
  const each = (memoryWaiting - memoryBefore) / sessions / 1_024;
  return `${sessions} sessions waiting for a slow model: workerd takes ${figure(memoryWaiting / MB)} MB, ${figure(memoryBefore / MB)} MB before: ${figure(each)} KB a session.`;
}

export function costRows(costs: Cost[]): string[][] {
  const head = [
    "",
    "object requests",
    "alarms",
    "object rows read",
    "object rows written",
    "D1 queries",
    "D1 rows read",
    "D1 rows written",
    "queue sends",
    "queue receipts",
    "$ per million",
  ];
  return [
    head,
    ...costs.map(({ kind, counters }) => [
      kind,
      ...Object.values(counters).map(figure),
      figure(pricePerMillion(counters)),
    ]),
  ];
}
