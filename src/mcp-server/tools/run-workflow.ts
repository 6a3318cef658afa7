import { closed } from "../../contract/fields.ts";
import { runWorkflowBody, workflowId } from "../../contract/workflow.ts";
import { idempotencyKey, waitSeconds } from "../fields.ts";
import { outcome, outcomeOf } from "../outcome.ts";
import { tool } from "../tool.ts";

export const runWorkflow = tool({
  name: "run_workflow",
  title: "Start a workflow",
  description:
    "Starts an agent on a prepared task, with values for its inputs (list_workflows says which). Answers like trigger_agent.",
  input: closed({ workflowId, inputs: runWorkflowBody.shape.inputs, waitSeconds, idempotencyKey }),
  output: outcome,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  async run({ workflowId: id, inputs, waitSeconds: seconds, idempotencyKey: key }, call) {
    const once = key ?? call.idempotencyKey;
    const accepted = await call.api.workflows.run(id, inputs, {
      signal: call.signal,
      ...(once !== undefined && { idempotencyKey: once }),
    });
    return await outcomeOf(call, accepted, seconds);
  },
});
