import * as z from "zod";
import { type Quota, quotaReached } from "../contract/operators.ts";
import { PROBLEMS, type ProblemCode, type Violation } from "../contract/problem.ts";
import { isUnreadableState } from "../durable/schema.ts";
import { callFailure } from "../durable/stubs.ts";
import { LockedEndpointError } from "../intake/secrets.ts";
import { logError } from "../lib/log.ts";
import { BODY_DEADLINE_MS, BrokenStreamError } from "../lib/read-up-to.ts";
import { describeIssue, violationsOf } from "../lib/zod-messages.ts";

// Set where issues become answers, so that no caller reads the validator's own words.
z.config({ localeError: describeIssue });

const MAX_VIOLATIONS = 50;

interface ProblemOptions {
  errors?: Violation[] | undefined;
  headers?: Record<string, string>;
  /** When to try again. */
  retryAfterSeconds?: number;
}

/** An error that a request is answered with. Its code determines the status and the title. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly errors: Violation[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    const { errors, headers, retryAfterSeconds: wait } = options;
    this.name = "HttpProblem";
    this.code = code;
    this.errors = errors;
    this.headers = { ...headers, ...(wait !== undefined && { "Retry-After": String(wait) }) };
  }
}

/** Returns a 503 that asks the client to try again after `retryAfterSeconds`. */
export function unavailable(detail: string, retryAfterSeconds = 1): HttpProblem {
  return new HttpProblem("unavailable", detail, { retryAfterSeconds });
}

/** Returns a 409. */
export function conflict(detail: string, errors?: Violation[]): HttpProblem {
  return new HttpProblem("conflict", detail, { errors });
}

/** Returns the 404 of a resource that does not exist or belongs to another account: both look alike. */
export function notFound(): HttpProblem {
  return new HttpProblem("not_found", "No resource was found at this address.");
}

/** Returns what was found. Throws a 404 where nothing was. */
export function foundOr404<Found>(found: Found | null | undefined): Found {
  if (found === null || found === undefined) throw notFound();
  return found;
}

/** Returns the 409 of a resource that would be one more than its account may have. */
export function quotaFull(quota: Quota, most: number): HttpProblem {
  return conflict(quotaReached(quota, most), [
    { path: "", rule: "quota", message: `exceeds the quota ${quota} of ${most}` },
  ]);
}

/** Returns the 405 of an address that takes only these methods. */
export function methodNotAllowed(methods: readonly string[]): HttpProblem {
  const allow = methods.join(", ");
  return new HttpProblem("method_not_allowed", `Allowed methods: ${allow}.`, {
    headers: { Allow: allow },
  });
}

/** Returns the 400 of a request that breaks one rule. `message` continues the path: "must be ...". */
export function invalid(path: string, rule: string, message: string): HttpProblem {
  return invalidRequest("request", [{ path, rule, message }]);
}

/** Returns the 400 of a body that breaks several rules. */
export function invalidByFaults(faults: readonly Violation[]): HttpProblem {
  return invalidRequest("body", faults.slice(0, MAX_VIOLATIONS));
}

/** Returns the 400 of inputs that a workflow does not take. */
export function invalidInputs(faults: readonly Violation[]): HttpProblem {
  return invalidByFaults(faults.map((fault) => ({ ...fault, path: `inputs.${fault.path}` })));
}

/** Returns the 400 of a request whose `part` (body, query) does not match its schema. */
export function invalidByIssues(part: string, issues: z.core.$ZodIssue[]): HttpProblem {
  return invalidRequest(part, violationsOf(issues).slice(0, MAX_VIOLATIONS));
}

function invalidRequest(part: string, errors: Violation[]): HttpProblem {
  const [first] = errors;
  const detail = first === undefined ? `The ${part} is not valid.` : sentenceOf(first, part);
  const more = errors.length > 1 ? ` ${errors.length - 1} more in \`errors\`.` : "";
  return new HttpProblem("invalid_request", `${detail}${more}`, { errors });
}

/**
 * Returns a violation as a sentence. A message is a predicate ("must be a number"), which gets its path
 * or the `whole` as its subject, or begins with a capital and is a sentence already.
 */
function sentenceOf({ path, message }: Violation, whole: string): string {
  const subject = path === "" ? `The ${whole}` : `\`${path}\``;
  const text = /^[a-z]/.test(message) ? `${subject} ${message}` : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns the problem that an error stands for, or null for an unexpected error. */
export function problemOf(error: unknown): HttpProblem | null {
  if (error instanceof HttpProblem) return error;
  if (!(error instanceof BrokenStreamError)) return null;
  if (error.cause instanceof HttpProblem) return error.cause;
  // RFC 9112, section 7.1.
  const broken = "The body broke off, or its chunks are malformed.";
  if (!error.isLate) return new HttpProblem("malformed_json", broken);
  const seconds = BODY_DEADLINE_MS / 1_000;
  return new HttpProblem("request_timeout", `The body did not arrive within ${seconds} seconds.`);
}

/** Returns any error as the body of its answer. An unexpected one reveals nothing but the id of its line in the log. */
export function problemBody(error: unknown, requestId: string) {
  const { code, message, errors } = problemOf(error) ?? unexpected(error, requestId);
  const { status, title } = PROBLEMS[code];
  return { type: `/docs#problem-${code}`, title, status, detail: message, code, requestId, errors };
}

/** Renders any error. */
export function problemResponse(error: unknown, requestId: string): Response {
  const problem = problemOf(error) ?? unexpected(error, requestId);
  const body = problemBody(problem, requestId);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { ...problem.headers, "Content-Type": "application/problem+json" },
  });
}

const UNREADABLE =
  "What is stored here cannot be read by this version of the service: another version stored it, or it is damaged. It stays as it is. The operators have to start the version that stored it.";

function unexpected(error: unknown, requestId: string): HttpProblem {
  if (isUnreadableState(error)) return unavailable(UNREADABLE, 60);
  // The stack without its message, which may quote a query with its parameters.
  const places = error instanceof Error ? error.stack?.match(/^\s+at .*$/gm) : undefined;
  logError("internal error", { requestId, at: places?.join("\n") }, error);
  return new HttpProblem(
    "internal_error",
    `An internal error occurred. Contact the operators and include the request id ${requestId}.`,
  );
}

/**
 * Calls an object or the database, and once more if that fails: a repeat must change nothing. Throws a 503
 * if neither succeeds. `call` must take a new stub each time, because a stub stays broken after its
 * object was reset.
 */
export async function callWithRetry<Answer>(
  call: (isRepeat: boolean) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(false);
  } catch (error) {
    const { isOverloaded, isOwnFault } = callFailure(error);
    if (isOverloaded || isOwnFault || isUnreadableState(error)) throw asProblem(error);
  }
  return callOnce(() => call(true));
}

/** Calls an object or the database. Throws a 503 if that fails. */
export async function callOnce<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw asProblem(error);
  }
}

/** Opens an endpoint's secrets. Throws a 503 if they cannot be decrypted, so that senders retry. */
export async function secretsOr503<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof LockedEndpointError)) throw error;
    throw unavailable("The endpoint's secrets cannot be decrypted. Try again later.", 60);
  }
}

/** Returns the problem of a failed call. An exception in the object's own code is a 500. */
function asProblem(error: unknown): unknown {
  if (isUnreadableState(error) || error instanceof HttpProblem) return error;
  if (callFailure(error).isOwnFault) return error;
  logError("object call failed", {}, error);
  return unavailable("The service is temporarily unavailable. Try again in a moment.");
}
