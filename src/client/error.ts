import type * as z from "zod";
import { type ProblemCode, problem } from "../contract/problem.ts";

type Problem = z.infer<typeof problem>;

/** What the service answered instead of what was asked for (RFC 9457). */
export class PrompthookError extends Error {
  override readonly name = "PrompthookError";
  readonly status: number;
  readonly code: ProblemCode;
  readonly requestId: string;
  /** What is wrong with the request, found by path. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** When it is worth trying again; null where the service does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The error that an answer stands for; one that is no problem document is told as it is. */
export async function errorOf(response: Response): Promise<Error> {
  const text = await response.text();
  const parsed = problem.safeParse(jsonOf(text));
  if (!parsed.success) {
    return new Error(`The service answered ${response.status}: ${text.slice(0, 200)}`);
  }
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new PrompthookError(parsed.data, Number.isFinite(seconds) ? seconds : null);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
