import * as z from "zod";
import { callbackLog } from "../../contract/callbacks.ts";
import { outcomeLine } from "../../contract/decisions.ts";
import { executionState } from "../../contract/execution.ts";
import { violationLine } from "../../contract/problem.ts";
import { scoreBody, scoreRecord } from "../../contract/rehearsals.ts";
import { type MessageReply, messageAccepted, type Unknown } from "../../contract/session.ts";
import { messageBody, redeliverBody, stopBody } from "../../contract/trigger.ts";
import { settingsOf } from "../../env.ts";
import { putScore, scoresOf } from "../../records/scores.ts";
import { assertAddress, serviceHosts } from "../agent-settings.ts";
import { apiKey } from "../authentication.ts";
import { answererOf } from "../context.ts";
import { etag, idempotencyOf, ifMatch, replayedHeader, versionMismatch } from "../headers.ts";
import { callOnce, callWithRetry, conflict, HttpProblem, invalid } from "../problem.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { resultNotReady } from "./read.ts";
import { AGENT, callSession, type SessionCalls } from "./session.ts";

const message = route("POST", `${AGENT}/trigger/:executionId/message`, {
  operationId: "sendMessage",
  summary: "Send a message to an execution",
  description:
    "Sends further instructions, the answer to a question, or the decision about a tool call that requires approval. Messages are delivered in order at the next step; an execution completes only once all of them are delivered.",
  auth: apiKey("executions:write"),
  body: jsonBody(messageBody, { message: "Only the links of the footer.", mode: "next_step" }),
  response: jsonResponse(202, "The message is queued.", messageAccepted),
  problems: [
    "execution_not_active",
    "conflict",
    "version_mismatch",
    "validation_failed",
    "idempotency_key_reused",
  ],
  requestHeaders: ["Idempotency-Key", "If-Match"],
  responseHeaders: ["Idempotency-Replayed"],
  async handler(asked) {
    const { http, caller, body, bytes } = asked;
    const command = {
      text: body.message ?? null,
      mode: body.mode,
      messageId: body.messageId ?? null,
      approval: body.approval ?? null,
      answerer: answererOf(http, caller),
      idempotency: await idempotencyOf(http, bytes),
      ifVersion: ifMatch(http.req.header("If-Match")),
    };
    const isRepeatable = command.idempotency !== null || command.messageId !== null;
    const calling = isRepeatable ? callWithRetry : callOnce;
    return replyOf(await callSession(asked, (host, id) => host.message(id, command), calling));
  },
});

/** Returns the problem of an answer that does not count. A decision that it was for stays open. */
export function refusalOf(
  reply: Extract<MessageReply, { kind: "invalid_input" | "inbox_full" }>,
): HttpProblem {
  if (reply.kind === "inbox_full") {
    const detail = `The execution already has ${reply.limit} undelivered messages. Try again in a moment.`;
    return new HttpProblem("rate_limited", detail, { retryAfterSeconds: 5 });
  }
  const { violations: errors } = reply;
  const why = errors.slice(0, 1).map((first) => `: ${violationLine(first)}`);
  const detail = `The tool refuses this input${why.join("")}. The decision is still open.`;
  return new HttpProblem("validation_failed", detail, { errors });
}

function replyOf(reply: Exclude<MessageReply, Unknown>) {
  switch (reply.kind) {
    case "accepted":
      return { value: reply.body, headers: replayedHeader(reply.replayed) };
    case "not_active":
      throw new HttpProblem("execution_not_active", `The execution is ${reply.status}.`);
    case "version_mismatch":
      throw versionMismatch(reply.version);
    case "key_reused":
      throw new HttpProblem(
        "idempotency_key_reused",
        "This Idempotency-Key or messageId was used for a different message. Use a new one.",
      );
    case "decided":
      throw conflict(outcomeLine(reply.decision));
    case "no_such_call":
      throw invalid(
        "approval.callId",
        "pending_call",
        reply.pending === null
          ? "names a tool call, but none waits for approval"
          : `must be the tool call that waits for approval: ${reply.pending}`,
      );
    case "invalid_input":
    case "inbox_full":
      throw refusalOf(reply);
  }
}

const stopped = executionState
  .pick({ executionId: true, status: true, statusDetail: true, version: true })
  .meta({ id: "Stopped" });

const stop = route("POST", `${AGENT}/trigger/:executionId/stop`, {
  operationId: "stopExecution",
  summary: "Stop an execution",
  description: "Stops an execution for good. One that has already ended is returned unchanged.",
  auth: apiKey("executions:write"),
  body: jsonBody(stopBody, { reason: "No longer needed." }),
  response: jsonResponse(200, "The final status.", stopped),
  problems: ["version_mismatch"],
  requestHeaders: ["If-Match"],
  responseHeaders: ["ETag"],
  async handler(asked) {
    const { http, body } = asked;
    const ifVersion = ifMatch(http.req.header("If-Match"));
    // A stop that went through has changed the version, so its repeat would fail.
    const calling = ifVersion === null ? callWithRetry : callOnce;
    const reply = await callSession(
      asked,
      (host, id) => host.stop(id, { reason: body.reason ?? null, ifVersion }),
      calling,
    );
    if (reply.kind === "version_mismatch") throw versionMismatch(reply.version);
    return { value: reply.body, headers: { ETag: etag(reply.body.version) } };
  },
});

const callbacks = route("GET", `${AGENT}/trigger/:executionId/callbacks`, {
  operationId: "listCallbackAttempts",
  summary: "List callback attempts",
  description: "Returns every attempt to deliver callbacks, and the time of the next one.",
  auth: apiKey("executions:read"),
  response: jsonResponse(200, "The attempts.", callbackLog),
  async handler(asked) {
    const { log } = await callSession(asked, (host, id) => host.callbacks(id));
    return { value: log };
  },
});

const redeliver = route("POST", `${AGENT}/trigger/:executionId/callbacks/redeliver`, {
  operationId: "redeliverCallback",
  summary: "Redeliver a callback",
  description: "Delivers the result again, also to another address, with the same `webhook-id`.",
  auth: apiKey("executions:write"),
  body: jsonBody(redeliverBody, { callbackUrl: "https://receiver.example/other" }),
  response: jsonResponse(202, "The delivery is scheduled.", callbackLog),
  problems: ["result_not_ready"],
  sendsCallback: true,
  async handler(asked) {
    const { http, body } = asked;
    const { callbackUrl = null } = body;
    const settings = settingsOf(http.env);
    if (callbackUrl !== null) {
      assertAddress("callbackUrl", callbackUrl, serviceHosts(http.req.url, settings), settings);
    }
    const redelivery = (host: SessionCalls, id: string) => host.redeliver(id, callbackUrl);
    const reply = await callSession(asked, redelivery, callOnce);
    if (reply.kind === "not_ready") throw resultNotReady(reply.status);
    if (reply.kind === "no_address") {
      throw invalid("callbackUrl", "required", "is required: the execution has no `callbackUrl`");
    }
    return { value: reply.log };
  },
});

const SCORES = `${AGENT}/trigger/:executionId/scores`;
const score = route("POST", SCORES, {
  operationId: "scoreExecution",
  summary: "Score an execution",
  description: "Stores a judgement, in place of the caller's earlier one of the same name.",
  auth: apiKey("executions:write"),
  body: jsonBody(scoreBody, { name: "helpful", value: true, comment: "Just what I needed." }),
  response: jsonResponse(201, "The score.", scoreRecord),
  async handler(asked) {
    const { http, caller, params, body } = asked;
    const { executionId } = params;
    const { task } = await callSession(asked, (host, id) => host.task(id));
    const reply = await callSession(asked, (host, id) => host.result(id, { partial: true }));
    const model = reply.kind === "ready" ? reply.result.model : String(task.model);
    const { workflowId, revision } = task;
    const at = new Date().toISOString();
    const score = { ...body, comment: body.comment ?? null, by: caller.by, at };
    const judged = { executionId, workflowId, revision, model };
    await callWithRetry(() => putScore(http.env.DB, caller.accountId, judged, score));
    return { value: score };
  },
});

const scores = route("GET", SCORES, {
  operationId: "listScores",
  summary: "List the scores of an execution",
  description: "Returns the scores of an execution.",
  auth: apiKey("executions:read"),
  response: jsonResponse(200, "The scores.", z.object({ scores: z.array(scoreRecord) })),
  async handler(asked) {
    const { http, caller, params } = asked;
    await callSession(asked, (host, id) => host.status(id));
    const scores = await callWithRetry(() =>
      scoresOf(http.env.DB, caller.accountId, params.executionId),
    );
    return { value: { scores } };
  },
});

export const controlRoutes = [message, stop, score, scores, callbacks, redeliver];
