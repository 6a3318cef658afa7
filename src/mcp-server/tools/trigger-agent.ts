import { closed } from "../../contract/fields.ts";
import { triggerBody } from "../../contract/trigger.ts";
import { approvals, idempotencyKey, tools, waitSeconds } from "../fields.ts";
import { outcome, outcomeOf } from "../outcome.ts";
import { tool } from "../tool.ts";

const { prompt, inputs, outputSchema, interactive, maxCredits, model, timeoutSeconds } =
  triggerBody.shape;

export const triggerAgent = tool({
  name: "trigger_agent",
  title: "Start an agent",
  description:
    "Starts an autonomous agent that works on a task by itself: it opens web pages, calls APIs, runs code, processes data, writes spreadsheets and sends e-mail. Answers with an executionId at once, or with the result if it comes within waitSeconds; the agent goes on either way. Each call starts another agent and costs credits: give idempotencyKey if you may have to repeat it.",
  input: closed({
    prompt,
    inputs,
    outputSchema,
    tools,
    approvals,
    interactive,
    maxCredits,
    model,
    timeoutSeconds,
    waitSeconds,
    idempotencyKey,
  }),
  output: outcome,
  annotations: {
    readOnlyHint: false,
    // What it sends or changes outside is for its prompt to say.
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  async run({ waitSeconds: seconds, idempotencyKey: key, ...body }, call) {
    const { signal, idempotencyKey: sent } = call;
    const once = key ?? sent;
    const accepted = await call.api.executions.trigger(body, {
      signal,
      ...(once !== undefined && { idempotencyKey: once }),
    });
    return await outcomeOf(call, accepted, seconds);
  },
});
