import type * as z from "zod";
import { PROBLEMS, type ProblemCode, type Violation } from "../contract/problem.ts";
import { logError } from "../lib/log.ts";

const MAX_VIOLATIONS = 50;
const MAX_MESSAGE_LENGTH = 500;
const MAX_NAME_LENGTH = 100;
const MAX_UNKNOWN = 5;

interface ProblemOptions {
  errors?: Violation[];
  headers?: Record<string, string>;
}

/** A request that is answered with an error. Its code fixes the status and the title. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly errors: Violation[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, { errors, headers = {} }: ProblemOptions = {}) {
    super(detail);
    this.name = "HttpProblem";
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}

/** The service cannot take the request now: 503, to be tried again after `retryAfterSeconds`. */
export function unavailable(detail: string, retryAfterSeconds = 1): HttpProblem {
  return new HttpProblem("unavailable", detail, {
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** There is no such thing, or it is somebody else's: both look the same. */
export function notFound(): HttpProblem {
  return new HttpProblem("not_found", "There is nothing at this address.");
}

/** A request that breaks one rule, found at `path`. */
export function invalid(path: string, rule: string, message: string): HttpProblem {
  return invalidRequest("request", [{ path, rule, message }]);
}

/** A request that breaks several rules. */
export function invalidByFaults(faults: readonly Violation[]): HttpProblem {
  return invalidRequest("body", faults.slice(0, MAX_VIOLATIONS));
}

/** A request whose `part` (body, query) breaks the rules of its schema. */
export function invalidByIssues(part: string, issues: z.core.$ZodIssue[]): HttpProblem {
  const violations = issues.flatMap(leavesOf).flatMap(violationsOf);
  return invalidRequest(part, violations.slice(0, MAX_VIOLATIONS));
}

/** Where a value may have several shapes, what is wrong by the one that it comes closest to. */
function leavesOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [first, ...others] = issue.errors;
  if (first === undefined) return [issue];
  const closest = others.reduce((best, each) => (each.length < best.length ? each : best), first);
  return closest
    .flatMap(leavesOf)
    .map((leaf) => ({ ...leaf, path: [...issue.path, ...leaf.path] }));
}

function invalidRequest(part: string, errors: Violation[]): HttpProblem {
  const [first] = errors;
  const which = first ? `${first.path === "" ? "" : `${first.path}: `}${first.message}` : "";
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new HttpProblem("invalid_request", `The ${part} is not valid. ${which}${more}`, {
    errors,
  });
}

/** One for each of the first fields that are not known, at its own path; the first tells the allowed ones. */
function violationsOf(issue: z.core.$ZodIssue): Violation[] {
  const { path, code } = issue;
  const message = issue.message.slice(0, MAX_MESSAGE_LENGTH);
  if (issue.code !== "unrecognized_keys") return [{ path: dotted(path), rule: code, message }];
  return issue.keys.slice(0, MAX_UNKNOWN).map((key, at) => ({
    path: dotted([...path, key.slice(0, MAX_NAME_LENGTH)]),
    rule: code,
    message: at === 0 ? message : "unknown field",
  }));
}

/** `items[0].sku`: fields by dots, places in a list in brackets. */
function dotted(path: PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

/** Any error as the answer to its request. One that nobody foresaw tells the client nothing. */
export function problemResponse(error: unknown, requestId: string): Response {
  const problem = error instanceof HttpProblem ? error : unforeseen(error, requestId);
  const { status, title } = PROBLEMS[problem.code];
  const body = {
    type: `/docs#problem-${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    requestId,
    errors: problem.errors,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...problem.headers, "Content-Type": "application/problem+json" },
  });
}

function unforeseen(error: unknown, requestId: string): HttpProblem {
  logError("internal error", { requestId, at: placesOf(error) }, error);
  return new HttpProblem("internal_error", `Something failed on our side: request ${requestId}.`);
}

/** The stack without the message above it, which may quote a query with its parameters. */
function placesOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
