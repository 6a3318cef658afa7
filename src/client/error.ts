import type * as z from "zod";
import type { ProblemCode, problem } from "../contract/problem.ts";
import { retryAfterMs } from "../lib/http.ts";
import { jsonOrNull } from "../lib/json-values.ts";

type Problem = z.infer<typeof problem>;

/** An error of the client. */
abstract class ClientError extends Error {
  /** The execution that was started or waited for, if there is one: it continues. */
  executionId?: string;
}

/** An error response of the service (RFC 9457). */
export class PrompthookError extends ClientError {
  override readonly name = "PrompthookError";
  readonly status: number;
  readonly code: ProblemCode;
  readonly requestId: string;
  /** What is wrong with the request, by path. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** Seconds to wait before a retry; null if the service does not say. */
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

/** A response that the service does not send: from a proxy, or from another version. */
export class UnexpectedResponseError extends ClientError {
  override readonly name = "UnexpectedResponseError";
  readonly status: number;
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    details: { status: number; cause?: unknown; retryAfterSeconds?: number | null },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** No complete response arrived. The request may or may not have taken effect. */
export class ConnectionError extends ClientError {
  override readonly name = "ConnectionError";
}

/** The timeout of `wait` expired. The execution continues. */
export class WaitTimeoutError extends ClientError {
  override readonly name = "WaitTimeoutError";
  override executionId: string;

  constructor(executionId: string, timeoutMs: number) {
    super(`Execution ${executionId} did not finish within ${timeoutMs} ms. It continues.`);
    this.executionId = executionId;
  }
}

/** Whether the service, or a proxy before it, refused a request for its rate. */
export function isRateLimited(error: unknown): error is PrompthookError | UnexpectedResponseError {
  return (
    (error instanceof PrompthookError || error instanceof UnexpectedResponseError) &&
    error.status === 429
  );
}

/** Adds the execution to an error, which stays the same: it may be the reason of the caller's abort. */
export function withExecution(error: unknown, executionId: string): unknown {
  return error instanceof Error && Object.isExtensible(error)
    ? Object.assign(error, { executionId })
    : error;
}

/** Converts an error response to an error. */
export async function errorOf(response: Response, now: number) {
  const text = await response.text();
  const waitMs = retryAfterMs(response.headers.get("Retry-After"), now);
  const retryAfterSeconds = waitMs === null ? null : waitMs / 1_000;
  const body = jsonOrNull(text);
  if (isProblem(body)) return new PrompthookError(body, retryAfterSeconds);
  const { status } = response;
  return new UnexpectedResponseError(`Unexpected response ${status}: ${text.slice(0, 200)}`, {
    status,
    retryAfterSeconds,
  });
}

/** A proxy's own error lacks these. */
function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "requestId" in body;
}
