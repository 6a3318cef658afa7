import { callbackLog } from "../../contract/callbacks.ts";
import { EXAMPLE_ID } from "../../contract/execution.ts";
import { redeliverBody } from "../../contract/trigger.ts";
import { settingsOf } from "../../env.ts";
import { assertAddress, serviceHosts } from "../agent-settings.ts";
import { apiKey } from "../authentication.ts";
import { optionalJsonBody } from "../body.ts";
import { invalid } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { resultNotReady } from "./read.ts";
import { AGENT, callSession, readForCaller } from "./session.ts";

export const callbacks = route("GET", `${AGENT}/trigger/:executionId/callbacks`, {
  operationId: "listCallbackAttempts",
  summary: "List callback attempts",
  description:
    "Returns every attempt to deliver the execution's callbacks, with the receiver's response and the time of the next attempt.",
  auth: apiKey("executions:read"),
  response: jsonResponse(200, "The attempts.", callbackLog, {
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
  async handler(asked) {
    const { log } = await readForCaller(asked, (host, id) => host.callbacks(id));
    return { value: log };
  },
});

export const redeliver = route("POST", `${AGENT}/trigger/:executionId/callbacks/redeliver`, {
  operationId: "redeliverCallback",
  summary: "Redeliver a callback",
  description:
    "Delivers the result of an execution that has ended once more, to its `callbackUrl` or to another address. The `webhook-id` stays the same.",
  auth: apiKey("executions:write"),
  body: optionalJsonBody(redeliverBody, { callbackUrl: "https://receiver.example/other" }),
  response: jsonResponse(202, "The delivery is scheduled.", callbackLog, {
    attempts: [],
    state: "pending",
  }),
  problems: ["result_not_ready"],
  sendsCallback: true,
  async handler({ http, caller, params: { executionId }, body: { callbackUrl = null } }) {
    const settings = settingsOf(http.env);
    if (callbackUrl !== null) {
      assertAddress("callbackUrl", callbackUrl, serviceHosts(http.req.url, settings), settings);
    }
    const reply = await callSession({
      env: http.env,
      caller,
      executionId,
      idempotent: false,
      call: (host, id) => host.redeliver(id, callbackUrl),
    });
    if (reply.kind === "not_ready") throw resultNotReady(reply.status);
    if (reply.kind === "no_address") {
      throw invalid("callbackUrl", "required", "is required: the execution has no `callbackUrl`");
    }
    return { value: reply.log };
  },
});
