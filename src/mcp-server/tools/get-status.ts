import { executionState } from "../../contract/execution.ts";
import { closed } from "../../contract/fields.ts";
import { executionId, waitSeconds } from "../fields.ts";
import { follow, isSettled } from "../follow.ts";
import { tool } from "../tool.ts";

export const getStatus = tool({
  name: "get_status",
  title: "Look how an agent stands",
  description:
    "Tells how an execution stands: active, waiting_for_input (then `question` says for what: answer or approve with send_message), or ended as completed, failed or stopped. With waitSeconds it waits until the execution has ended or asks for something, which is better than asking again and again.",
  input: closed({ executionId, waitSeconds }),
  output: executionState,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ executionId: id, waitSeconds: seconds }, call) {
    const { executions } = call.api;
    const state = await executions.status(id, {}, call);
    if (seconds === 0 || isSettled(state)) return state;
    await follow(call, id, { version: state.version, seconds });
    return await executions.status(id, {}, call);
  },
});
