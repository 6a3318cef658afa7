import type { HookAnswer } from "../contract/inbound/answer.ts";
import { isBefore, type StageError } from "../contract/inbound/payload.ts";
import type { ProblemCode, Violation } from "../contract/problem.ts";
import type { Settled } from "../inbound/take-in.ts";
import type { Admission, Refusal } from "../inbound/types.ts";
import { HttpProblem, notFound } from "./problem.ts";

/** What a sender is told that nobody knows yet: what to do, and nothing about the endpoint. */
const BARE: Partial<Record<ProblemCode, string>> = {
  https_required: "Use https:// and a newer version of TLS for this address.",
  method_not_allowed: "The endpoint does not take this method.",
  ip_not_allowed: "The endpoint does not take requests from this address.",
  payload_too_large: "The body is larger than the endpoint takes.",
  unsupported_media_type: "The endpoint does not take a body of this kind.",
  unauthorized: "The request does not carry the credentials that the endpoint asks for.",
};

const MAX_ERRORS = 50;

/** The answer to a request that its inbox has logged. Throws the problem of one that was refused. */
export function answerOf({ verdict }: Admission, receipt: Settled, requestId: string): Response {
  if (verdict.kind === "refuse" && isBefore(verdict.refusal.stage, "rate")) {
    throw refusalProblem(verdict.refusal);
  }
  if (receipt.kind === "rate_limited") throw rateLimited(receipt.retryAfterSeconds);
  if (verdict.kind === "refuse") throw refusalProblem(verdict.refusal);
  if (verdict.kind === "challenge") {
    const { status, contentType, body } = verdict.answer;
    return new Response(body, { status, headers: { "Content-Type": contentType } });
  }
  return takenIn(receipt, requestId);
}

function takenIn(receipt: Settled, requestId: string): Response {
  switch (receipt.kind) {
    case "accepted": {
      const { executionId, duplicate } = receipt;
      const status = executionId === null ? "queued" : "accepted";
      return answer(202, { requestId, status, executionId, duplicate });
    }
    case "duplicate": {
      const { executionId } = receipt;
      return answer(200, { requestId, status: "duplicate", executionId, duplicate: true });
    }
    case "full":
      throw new HttpProblem("rate_limited", receipt.detail, { headers: { "Retry-After": "60" } });
    case "rate_limited":
    case "noted":
      throw new Error(`an accepted request got the receipt ${receipt.kind}`);
  }
}

const answer = (status: number, body: HookAnswer): Response => Response.json(body, { status });

function rateLimited(retryAfterSeconds: number): HttpProblem {
  return new HttpProblem("rate_limited", "The endpoint takes no more requests per minute.", {
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** The problem of a refusal, with what is wrong where the sender may know it. */
export function refusalProblem({ stage, code, errors, headers }: Refusal): HttpProblem {
  // An endpoint that is not enabled looks like none.
  if (stage === "endpoint") return notFound();
  if (!isBefore("signature", stage)) {
    return new HttpProblem(code, BARE[code] ?? "The endpoint refuses this.", { headers });
  }
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new HttpProblem(code, `${first ? sentenceOf(first) : "It is refused."}${more}`, {
    errors: errors.slice(0, MAX_ERRORS).map(violationOf),
    headers,
  });
}

const sentenceOf = ({ path = "", message }: StageError): string =>
  path === "" ? message : `${path}: ${message}`;

const violationOf = ({ path = "", rule, message }: StageError): Violation => ({
  path,
  rule,
  message,
});
