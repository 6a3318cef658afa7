import { v7 as uuidv7 } from "uuid";
import { triggerAccepted } from "../../contract/account.ts";
import { runWorkflowBody } from "../../contract/workflow.ts";
import { accountStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { draftOfWorkflow } from "../../workflows/draft.ts";
import { checkInputs } from "../../workflows/inputs.ts";
import { jsonAnswer } from "../answer.ts";
import { optionalJsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { acceptedReply } from "../executions/accepted.ts";
import { EXAMPLE_ID } from "../executions/ids.ts";
import { granted, keyCheckedByAct } from "../guard.ts";
import { idempotencyOf } from "../idempotency.ts";
import { invalidByFaults } from "../problem.ts";
import { noQuery } from "../query.ts";
import { route } from "../route.ts";
import { existing, WORKFLOWS, workflowParams } from "./routes.ts";

export const runWorkflow = route({
  method: "POST",
  path: `${WORKFLOWS}/:workflowId/run`,
  operationId: "runWorkflow",
  tag: "Workflows",
  summary: "Start an agent from a workflow",
  description:
    "Defaults fill the inputs that are left out; each value must be of its input's type.",
  guard: keyCheckedByAct("executions:write", "management"),
  params: workflowParams,
  query: noQuery,
  body: optionalJsonBody(runWorkflowBody, { inputs: { orderId: "1007" } }),
  answer: jsonAnswer(202, "Accepted: the agent runs.", triggerAccepted, {
    executionId: EXAMPLE_ID,
    status: "active",
    availableCredits: 980,
  }),
  errors: ["not_found", "insufficient_credits", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Location", "Idempotency-Replayed"],
  async handler({ http, caller: { accountId, credential }, params, body, bytes }) {
    const idempotency = await idempotencyOf(http, bytes);
    const { definition } = await existing(http, accountId, params.workflowId);
    const checked = checkInputs(body.inputs, definition.inputs);
    if (!checked.ok) {
      throw invalidByFaults(
        checked.faults.map((fault) => ({ ...fault, path: `inputs.${fault.path}` })),
      );
    }
    const run = { inputs: checked.inputs, origin: "workflow" as const, inbound: null };
    const draft = draftOfWorkflow(definition, run, settingsOf(http.env));
    // Chosen here: the call can be repeated when its answer is lost, and starts nothing twice.
    const executionId = uuidv7();
    const reply = await callWithRetry(
      () => accountStub(http.env, accountId).accept(credential, draft, idempotency, executionId),
      { idempotent: true },
    );
    return acceptedReply(http, granted(http, reply));
  },
});
