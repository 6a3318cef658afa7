import type { Check } from "./report.ts";

const MARKS = { passed: "ok", failed: "FAILED", skipped: "skipped" };

/** A check as one line. */
export function lineOf({ name, outcome, durationMs, detail }: Check): string {
  return `  ${MARKS[outcome].padEnd(8)}${name.padEnd(11)}${`${durationMs} ms`.padStart(9)}  ${detail}`;
}
