import { executionState } from "../../contract/execution.ts";
import { closed } from "../../contract/fields.ts";
import { stopBody } from "../../contract/trigger.ts";
import { executionId } from "../fields.ts";
import { tool } from "../tool.ts";

export const stopAgent = tool({
  name: "stop_agent",
  title: "Stop an agent",
  description:
    "Stops an execution at once and for good: no further action starts, and nothing more is charged. What it did until then stays done, and get_result keeps its outputs. One that has ended already is answered as it is.",
  input: closed({ executionId, reason: stopBody.shape.reason }),
  output: executionState.pick({
    executionId: true,
    status: true,
    statusDetail: true,
    version: true,
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  run: ({ executionId: id, ...body }, call) => call.api.executions.stop(id, body, call),
});
