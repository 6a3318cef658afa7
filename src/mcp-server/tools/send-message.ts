import { closed } from "../../contract/fields.ts";
import { messageAccepted } from "../../contract/session.ts";
import { messageBody } from "../../contract/trigger.ts";
import { executionId, idempotencyKey } from "../fields.ts";
import { tool } from "../tool.ts";

const { message, mode, messageId, approval } = messageBody.shape;

export const sendMessage = tool({
  name: "send_message",
  title: "Talk to a running agent",
  description:
    "Sends a message to an execution that has not ended: more instructions, the answer to its question, or with approval the decision about the call that it waits for (callId is in the question of get_status). An approved call is made: what it sends or changes cannot be taken back.",
  input: closed({ executionId, message, approval, mode, messageId, idempotencyKey }),
  output: messageAccepted,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  run({ executionId: id, idempotencyKey: key, ...body }, { api, signal, idempotencyKey: sent }) {
    const once = key ?? sent;
    return api.executions.message(id, body, {
      signal,
      ...(once !== undefined && { idempotencyKey: once }),
    });
  },
});
