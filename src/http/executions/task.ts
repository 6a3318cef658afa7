import { executionTask } from "../../contract/task.ts";
import { jsonAnswer } from "../answer.ts";
import { noBody } from "../body.ts";
import { keyWith } from "../guard.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { AGENT, EXAMPLE_ID, executionParams } from "./ids.ts";
import { askSession } from "./session-of.ts";

export const task = route({
  method: "GET",
  path: `${AGENT}/trigger/:executionId/task`,
  operationId: "getExecutionTask",
  tag: "Executions",
  summary: "Read what an execution was asked to do",
  description:
    "The prompt and everything that was set beside it, with what the defaults came to. Secrets are not shown.",
  guard: keyWith("executions:read"),
  params: executionParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "Its prompt, its data and its limits.", executionTask, {
    executionId: EXAMPLE_ID,
    prompt: "Open https://example.com and list its links as a table.",
    inputs: null,
    outputSchema: null,
    model: "builtin/planner",
    tools: ["browse", "process_data", "emit_output"],
    approvals: [],
    interactive: false,
    maxCredits: 50,
    maxSteps: 30,
    timeoutSeconds: 1_800,
    inputTimeoutSeconds: 86_400,
    metadata: { order: "1007" },
    callbackUrl: "https://receiver.example/callbacks",
    callbackEvents: ["completed", "failed", "stopped"],
    isCallbackSigned: true,
    origin: "api",
    workflowId: null,
    inbound: null,
    createdAt: "2026-11-20T09:30:00.000Z",
  }),
  errors: ["not_found"],
  async handler({ http, caller, params: { executionId } }) {
    const { task } = await askSession({
      env: http.env,
      caller,
      executionId,
      idempotent: true,
      ask: (session) => session.task(caller.accountId),
    });
    return { value: task };
  },
});
