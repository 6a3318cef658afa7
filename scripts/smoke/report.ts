import * as z from "zod";
import { PrompthookError } from "../../src/client/error.ts";

/** How one check went. */
export interface Check {
  name: string;
  outcome: "passed" | "failed" | "skipped";
  durationMs: number;
  /** What was found, or what is wrong, in words. */
  detail: string;
}

/** Thrown by a check that cannot be tried here, which is no fault of the service. */
export class Skip extends Error {
  override name = "Skip";
}

/** Checks one after the other, and keeps how they went. */
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

  /**
   * Runs a check on what an earlier one gave, and answers what it gives itself. Where the earlier one
   * gave nothing, this one is not tried and gives nothing either.
   */
  async check<In, Out extends { detail: string }>(
    name: string,
    input: In | null,
    run: (input: In) => Promise<Out>,
  ): Promise<Out | null> {
    if (input === null) {
      this.#add({ name, outcome: "skipped", durationMs: 0, detail: "it needs what did not work" });
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

/** What went wrong, in words that name no stack. */
function reasonOf(error: unknown): string {
  if (error instanceof PrompthookError) {
    return `the service answered ${error.status} ${error.code}: ${error.message}`;
  }
  if (error instanceof z.ZodError) {
    return `the answer is not as the API describes it: ${z.prettifyError(error)}`;
  }
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (cause instanceof z.ZodError) return `${message} ${z.prettifyError(cause)}`;
  // `fetch` tells what went wrong in the cause only.
  return error instanceof TypeError && cause instanceof Error
    ? `${message}: ${cause.message}`
    : message;
}

const MARKS = { passed: "ok", failed: "FAILED", skipped: "skipped" };

/** A check as one line. */
export function lineOf({ name, outcome, durationMs, detail }: Check): string {
  return `  ${MARKS[outcome].padEnd(8)}${name.padEnd(11)}${`${durationMs} ms`.padStart(9)}  ${detail}`;
}
