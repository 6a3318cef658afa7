import { callbackLog } from "../../contract/callbacks.ts";
import { redeliverBody } from "../../contract/trigger.ts";
import { settingsOf } from "../../env.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody, optionalJsonBody } from "../body.ts";
import { keyWith } from "../guard.ts";
import { invalid } from "../problem.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { checkCallbackUrl, serviceHosts } from "./callback.ts";
import { AGENT, EXAMPLE_ID, executionParams } from "./ids.ts";
import { resultNotReady } from "./result.ts";
import { askSession } from "./session-of.ts";

export const callbacks = route({
  method: "GET",
  path: `${AGENT}/trigger/:executionId/callbacks`,
  operationId: "listCallbackAttempts",
  tag: "Callbacks",
  summary: "Read how the callbacks of an execution went",
  description: "Every attempt with its answer, and when the next one is due.",
  guard: keyWith("executions:read"),
  params: executionParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "All attempts.", callbackLog, {
    attempts: [
      {
        attempt: 1,
        event: "execution.completed",
        webhookId: `msg_${EXAMPLE_ID}_9`,
        at: "2026-11-20T09:30:02.000Z",
        url: "https://receiver.example/callback",
        status: 200,
        durationMs: 48,
      },
    ],
    state: "delivered",
  }),
  errors: ["not_found"],
  async handler({ http, caller, params: { executionId } }) {
    const { log } = await askSession({
      env: http.env,
      caller,
      executionId,
      idempotent: true,
      ask: (session) => session.callbacks(caller.accountId),
    });
    return { value: log };
  },
});

export const redeliver = route({
  method: "POST",
  path: `${AGENT}/trigger/:executionId/callbacks/redeliver`,
  operationId: "redeliverCallback",
  tag: "Callbacks",
  summary: "Deliver the result again, now",
  description:
    "To the address of the trigger or to another one. The execution must have ended. The webhook-id is the same as before.",
  guard: keyWith("executions:write"),
  params: executionParams,
  query: noQuery,
  body: optionalJsonBody(redeliverBody, { callbackUrl: "https://receiver.example/other" }),
  answer: jsonAnswer(202, "Under way.", callbackLog, { attempts: [], state: "pending" }),
  errors: ["not_found", "result_not_ready"],
  callsBack: true,
  async handler({ http, caller, params: { executionId }, body: { callbackUrl = null } }) {
    const settings = settingsOf(http.env);
    if (callbackUrl !== null) {
      checkCallbackUrl(callbackUrl, serviceHosts(http.req.url, settings), settings);
    }
    const reply = await askSession({
      env: http.env,
      caller,
      executionId,
      idempotent: false,
      ask: (session) => session.redeliver(caller.accountId, callbackUrl),
    });
    if (reply.kind === "not_ready") throw resultNotReady(reply.status);
    if (reply.kind === "no_address") {
      throw invalid(
        "callbackUrl",
        "required",
        "is required because the execution was triggered without one",
      );
    }
    return { value: reply.log };
  },
});
