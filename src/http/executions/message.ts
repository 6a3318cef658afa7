import * as z from "zod";
import { executionId, executionStatus } from "../../contract/execution.ts";
import type { MessageReply, Unknown } from "../../contract/session.ts";
import { messageBody } from "../../contract/trigger.ts";
import { jsonAnswer } from "../answer.ts";
import { jsonBody } from "../body.ts";
import { keyWith } from "../guard.ts";
import { idempotencyOf, replayedHeader } from "../idempotency.ts";
import { HttpProblem, invalid } from "../problem.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { ifMatch, versionMismatch } from "../version.ts";
import { AGENT, EXAMPLE_ID, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

const messageAccepted = z
  .object({
    executionId,
    messageId: z.string().describe("Names the message in the log."),
    status: executionStatus,
    delivery: z.literal("queued").describe("It waits for the next step."),
    position: z.int().meta({ description: "Its place among the waiting messages, from 1." }),
  })
  .meta({ id: "MessageAccepted" });

export const message = route({
  method: "POST",
  path: `${AGENT}/trigger/:executionId/message`,
  operationId: "sendMessage",
  tag: "Executions",
  summary: "Send a message, an answer or an approval to a running execution",
  description:
    "Messages are delivered in their order, at the next step; an execution completes only when none is left. To answer a question, send the answer as a message.",
  guard: keyWith("executions:write"),
  params: executionParams,
  query: noQuery,
  body: jsonBody(messageBody, { message: "Only the links of the footer.", mode: "next_step" }),
  answer: jsonAnswer(202, "Queued for the next step.", messageAccepted, {
    executionId: EXAMPLE_ID,
    messageId: "msg_1",
    status: "active",
    delivery: "queued",
    position: 1,
  }),
  errors: ["not_found", "execution_not_active", "version_mismatch", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key", "If-Match"],
  responseHeaders: ["Idempotency-Replayed"],
  async handler({ http, caller, params: { executionId }, body, bytes }) {
    const command = {
      text: body.message ?? null,
      mode: body.mode,
      messageId: body.messageId ?? null,
      approval: body.approval ?? null,
      idempotency: await idempotencyOf(http, bytes),
      ifVersion: ifMatch(http.req.header("If-Match")),
    };
    const reply = await askSession({
      env: http.env,
      caller,
      executionId,
      idempotent: command.idempotency !== null || command.messageId !== null,
      ask: (session) => session.message(caller.accountId, command),
    });
    return answered(reply);
  },
});

function answered(reply: Exclude<MessageReply, Unknown>) {
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
        "This Idempotency-Key or messageId came before with another request.",
      );
    case "no_such_call":
      throw invalid(
        "approval.callId",
        "pending_call",
        reply.pending === null
          ? "names a call, but none waits for approval"
          : `must be the call that waits for approval: ${reply.pending}`,
      );
    case "inbox_full":
      throw new HttpProblem("rate_limited", `${reply.limit} messages wait already.`, {
        headers: { "Retry-After": "5" },
      });
  }
}
