import * as z from "zod";
import { PrompthookError } from "../../src/client/error.ts";

/** The outcome of one check. */
export interface Check {
  name: string;
  outcome: "passed" | "failed" | "skipped";
  durationMs: number;
  /** The finding, or the problem. */
  detail: string;
}

/** Thrown by a check that is not possible here, through no fault of the service. */
export class Skip extends Error {
  override name = "Skip";
}

/** Runs checks one after the other, and keeps their outcomes. */
export class Report {
  readonly checks: Check[] = [];
  readonly #tell: (check: Check) => void;

  constructor(tell: (check: Check) => void) {
    this.#tell = tell;
  }

  /** Whether nothing failed. */
  get passed(): boolean {
    return this.checks.every(({ outcome }) => outcome !== "failed");
  }

  /** The names of the checks that proved nothing. */
  get unproven(): string[] {
    return this.checks.flatMap(({ name, outcome }) => (outcome === "skipped" ? [name] : []));
  }

  /**
   * Runs a check on the result of an earlier one and returns its own, or null when it fails. Skips a check
   * whose input is null.
   */
  async check<In, Out extends { detail: string }>(
    name: string,
    input: In | null,
    run: (input: In) => Promise<Out>,
  ): Promise<Out | null> {
    if (input === null) {
      this.#add({
        name,
        outcome: "skipped",
        durationMs: 0,
        detail: "it depends on a check that failed",
      });
      return null;
    }
    const begun = performance.now();
    const add = (outcome: Check["outcome"], detail: string) =>
      this.#add({ name, outcome, durationMs: Math.round(performance.now() - begun), detail });
    try {
      const found = await run(input);
      add("passed", found.detail);
      return found;
    } catch (error) {
      add(error instanceof Skip ? "skipped" : "failed", reasonOf(error));
      return null;
    }
  }

  #add(check: Check): void {
    this.checks.push(check);
    this.#tell(check);
  }
}

/** Describes an error in one line, without a stack. */
function reasonOf(error: unknown): string {
  if (error instanceof PrompthookError) {
    return `the service returned ${error.status} ${error.code}: ${error.message}`;
  }
  if (error instanceof z.ZodError) {
    return `the response does not match the API reference: ${z.prettifyError(error)}`;
  }
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (cause instanceof z.ZodError) return `${message} ${z.prettifyError(cause)}`;
  // `fetch` states the reason in the cause only.
  return error instanceof TypeError && cause instanceof Error
    ? `${message}: ${cause.message}`
    : message;
}

const MARKS = { passed: "ok", failed: "FAILED", skipped: "skipped" };

/** Says in one line what the checks did not prove; null if they proved all. */
export function unprovenLine({ unproven }: Report): string | null {
  return unproven.length === 0 ? null : `  Not proven: ${unproven.join(", ")}`;
}

/** Formats a check as one line. */
export function lineOf({ name, outcome, durationMs, detail }: Check): string {
  return `  ${MARKS[outcome].padEnd(8)}${name.padEnd(11)}${`${durationMs} ms`.padStart(9)}  ${detail}`;
}
