import type * as z from "zod";
import { type ProblemCode, problem } from "../contract/problem.ts";
import { retryAfterMs } from "../lib/retry-after.ts";

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

/** An answer that is not the service's: of something in between, or of another version of it. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
  readonly status: number;
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    { status, cause, retryAfterSeconds = null }: UnexpectedAnswerDetails,
  ) {
    super(message, { cause });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface UnexpectedAnswerDetails {
  status: number;
  cause?: unknown;
  retryAfterSeconds?: number | null;
}

/** No answer came, or not the whole of it. Whether the request was acted on is not known. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** The time that a caller gave to `wait` is over; the execution goes on. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  readonly executionId: string;

  constructor(executionId: string, timeoutMs: number) {
    super(`Execution ${executionId} has not ended within ${timeoutMs} ms; it goes on.`);
    this.executionId = executionId;
  }
}

/** The error that an answer stands for; one that is no problem document is told as it is. */
export async function errorOf(
  response: Response,
  now: number,
): Promise<PrompthookError | UnexpectedAnswerError> {
  const text = await response.text();
  const waitMs = retryAfterMs(response.headers.get("Retry-After"), now);
  const retryAfterSeconds = waitMs === null ? null : waitMs / 1_000;
  const parsed = problem.safeParse(jsonOf(text));
  if (parsed.success) return new PrompthookError(parsed.data, retryAfterSeconds);
  const { status } = response;
  const beginning = text.slice(0, 200);
  return new UnexpectedAnswerError(`The answer is ${status}: ${beginning}`, {
    status,
    retryAfterSeconds,
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
