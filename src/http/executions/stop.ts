import { executionState } from "../../contract/execution.ts";
import { stopBody } from "../../contract/trigger.ts";
import { jsonAnswer } from "../answer.ts";
import { optionalJsonBody } from "../body.ts";
import { keyWith } from "../guard.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { etag, ifMatch, versionMismatch } from "../version.ts";
import { AGENT, EXAMPLE_ID, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

const stopped = executionState
  .pick({ executionId: true, status: true, statusDetail: true, version: true })
  .meta({ id: "Stopped" });

export const stop = route({
  method: "POST",
  path: `${AGENT}/trigger/:executionId/stop`,
  operationId: "stopExecution",
  tag: "Executions",
  summary: "Stop an execution at once",
  description: "Final: no further action starts. One that has ended already is answered as it is.",
  guard: keyWith("executions:write"),
  params: executionParams,
  query: noQuery,
  body: optionalJsonBody(stopBody, { reason: "No longer needed." }),
  answer: jsonAnswer(200, "How it ended.", stopped, {
    executionId: EXAMPLE_ID,
    status: "stopped",
    statusDetail: "user_request",
    version: 5,
  }),
  errors: ["not_found", "version_mismatch"],
  requestHeaders: ["If-Match"],
  responseHeaders: ["ETag"],
  async handler({ http, caller, params: { executionId }, body }) {
    const command = {
      reason: body.reason ?? null,
      ifVersion: ifMatch(http.req.header("If-Match")),
    };
    const reply = await askSession({
      env: http.env,
      caller,
      executionId,
      // A repeat of a stop that went through would find another version than the client named.
      idempotent: command.ifVersion === null,
      ask: (session) => session.stop(caller.accountId, command),
    });
    if (reply.kind === "version_mismatch") throw versionMismatch(reply.version);
    return { value: reply.body, headers: { ETag: etag(reply.body.version) } };
  },
});
