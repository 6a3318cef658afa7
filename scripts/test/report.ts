import { stripVTControlCharacters } from "node:util";

/** What workerd prints of each refused connection and aborted request, which tests provoke. */
const NOISE = /^(stack: |uncaught exception; |exception = |e = )/;

const LONGEST_REPORT = 200;

/** Returns the end of a lane's output that says how it went: the totals of each vitest run in it. */
export function totalsOf(output: string): string[] {
  return linesOf(output).filter((line) => /^ +(Test Files|Tests|Errors|Duration) /.test(line));
}

/**
 * Returns what a failed lane said of its failures: all from the first list of failed tests on, or the
 * last lines where a command failed before any test ran. At most 200 lines.
 */
export function failuresOf(output: string): string[] {
  const lines = linesOf(output).filter((line) => !NOISE.test(line));
  const first = lines.findIndex((line) =>
    /Failed (Tests|Suites)|Unhandled (Errors|Rejection)/.test(line),
  );
  return first < 0 ? lines.slice(-LONGEST_REPORT / 4) : lines.slice(first, first + LONGEST_REPORT);
}

/** Returns the names of the tests that failed, each once. */
export function failedTests(output: string): string[] {
  const names = linesOf(output).flatMap((line) => /^ *FAIL +(.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(names)];
}

function linesOf(output: string): string[] {
  return stripVTControlCharacters(output).split("\n");
}
