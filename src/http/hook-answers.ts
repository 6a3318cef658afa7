import { type ProblemCode, violationLine } from "../contract/problem.ts";
import type { AnsweredItem, HookAnswer } from "../contract/webhooks/log.ts";
import { isBefore } from "../contract/webhooks/payload.ts";
import type { AcceptResult, Decided, FinalReceipt } from "../intake/accept.ts";
import { answerTo } from "../intake/answer.ts";
import type { Refusal } from "../intake/types.ts";
import { HttpProblem, notFound, unavailable } from "./problem.ts";

/** A request that its inbox has logged, or the items of a batch. */
export type Received = Extract<AcceptResult, { kind: "decided" }>;

/** Senders give up after some hours or days; a suspension rarely ends sooner than after one. */
const SUSPENDED_RETRY_SECONDS = 3_600;

export const suspended = () =>
  unavailable("The account of this endpoint is suspended.", SUSPENDED_RETRY_SECONDS);
export const gone = () => new HttpProblem("gone", "The endpoint is deleted.");

/** Returns a request that its inbox has logged. Throws the problem of an endpoint that takes none. */
export function decidedBy(taken: AcceptResult): Received {
  switch (taken.kind) {
    case "decided":
      return taken;
    case "gone":
      throw gone();
    case "suspended":
      throw suspended();
    case "unsettled":
      throw unavailable("The endpoint is being changed. Try again shortly.");
  }
}

/**
 * Returns the response to a request that its inbox has logged under this id. Throws the problem of a refused
 * one, and of a batch all of whose items are.
 */
export function answerOf(received: Received, requestId: string, headers: Headers): Response {
  const { admission, receipt, request } = received.first;
  const { verdict } = admission;
  if (verdict.kind === "refuse" && isBefore(verdict.refusal.stage, "rate")) {
    throw refusalProblem(verdict.refusal);
  }
  if (receipt.kind === "rate_limited" || receipt.kind === "full") throw overLimit(receipt);
  if (verdict.kind === "handshake" && verdict.answer.isUsual !== true) {
    const { status, contentType, body, headers: own = {} } = verdict.answer;
    // A 204 has no body, not even an empty one.
    const content = body === "" ? null : body;
    return new Response(content, { status, headers: { "Content-Type": contentType, ...own } });
  }
  const isBatch = request.batch != null || verdict.kind === "handshake";
  const json = isBatch ? batchAnswer(received, requestId) : usualAnswer(received.first);
  const status = json.status === "duplicate" ? 200 : 202;
  const { body, ...init } = answerTo(received.config.response, { status, json, headers });
  return new Response(body, init);
}

/** Returns what the sender of a request gets that is accepted. Throws the problem of a refused one. */
function usualAnswer({ request, admission, receipt }: Decided): HookAnswer {
  const { requestId } = request;
  if (admission.verdict.kind === "refuse") throw refusalProblem(admission.verdict.refusal);
  switch (receipt.kind) {
    case "accepted": {
      const { executionId, duplicate } = receipt;
      return { requestId, status: statusOf(receipt), executionId, duplicate };
    }
    case "duplicate":
      return { requestId, status: "duplicate", executionId: receipt.executionId, duplicate: true };
    case "full":
    case "rate_limited":
    case "noted":
      throw new Error(`unexpected receipt for an accepted request: ${receipt.kind}`);
  }
}

const STATUSES = ["accepted", "queued", "unrouted", "logged", "duplicate"] as const;

/** Returns what the sender of a batch gets. Throws the problem of the first item if all are refused. */
function batchAnswer({ first, others }: Received, requestId: string): HookAnswer {
  const nothing = { requestId, executionId: null, duplicate: false };
  if (first.request.batch == null) return { ...nothing, status: "accepted", requests: [] };
  const requests = [first, ...others].map(answeredItem);
  const status = STATUSES.find((one) => requests.some((item) => item.status === one));
  if (status === undefined) return usualAnswer(first);
  const main = requests.find((item) => item.status === status);
  const { executionId, duplicate } = main ?? nothing;
  return { requestId, status, executionId, duplicate, requests };
}

function answeredItem(item: Decided): AnsweredItem {
  const { verdict } = item.admission;
  if (verdict.kind !== "refuse") return usualAnswer(item);
  const { requestId } = item.request;
  const errors = verdict.refusal.errors.slice(0, MAX_ERRORS);
  return { requestId, status: "rejected", executionId: null, duplicate: false, errors };
}

/** Returns what a response says about an accepted request. */
export function statusOf({
  executionId,
  isUnrouted = false,
  isLogged = false,
}: Pick<Extract<FinalReceipt, { kind: "accepted" }>, "executionId" | "isUnrouted" | "isLogged">) {
  if (isLogged) return "logged";
  if (isUnrouted) return "unrouted";
  return executionId === null ? "queued" : "accepted";
}

/** Details for senders that are not authenticated: what to do, and nothing about the endpoint. */
const PUBLIC_DETAIL: Partial<Record<ProblemCode, string>> = {
  https_required: "Send requests over HTTPS with a current TLS version.",
  method_not_allowed: "The endpoint does not allow this method.",
  ip_not_allowed: "The endpoint does not allow requests from this IP address.",
  payload_too_large: "The body exceeds the size limit of the endpoint.",
  unsupported_media_type: "The endpoint does not support this Content-Type or Content-Encoding.",
  unauthorized: "The request lacks the credentials that the endpoint requires.",
};

const MAX_ERRORS = 50;

/** Returns the problem of a request over a limit of its endpoint or account, or that nobody has room to hold. */
export function overLimit(receipt: Extract<FinalReceipt, { kind: "rate_limited" | "full" }>) {
  const { detail = "The endpoint has reached its limit of requests per minute." } = receipt;
  const retryAfterSeconds = receipt.kind === "full" ? 60 : receipt.retryAfterSeconds;
  return new HttpProblem("rate_limited", detail, { retryAfterSeconds });
}

/** Returns the problem of a refusal, with its errors only if the sender is authenticated. */
export function refusalProblem({ stage, code, errors, headers }: Refusal): HttpProblem {
  // A disabled endpoint looks like an unknown one.
  if (stage === "endpoint") return notFound();
  if (!isBefore("signature", stage)) {
    const detail = PUBLIC_DETAIL[code] ?? "The endpoint rejects this request.";
    return new HttpProblem(code, detail, { headers });
  }
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const detail = `${first ? violationLine(first) : "The request is rejected."}${more}`;
  const violations = errors
    .slice(0, MAX_ERRORS)
    .map(({ path = "", rule, message }) => ({ path, rule, message }));
  return new HttpProblem(code, detail, { errors: violations, headers });
}
