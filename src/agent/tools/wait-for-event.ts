import {
  failedAnswer,
  type WaitForEventInput,
  waitForEventInput,
} from "../../contract/tools/call.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

/** Waits for a webhook: the endpoint's inbox answers the call with the event. */
export const waitForEvent: Tool<WaitForEventInput> = {
  name: "wait_for_event",
  description:
    "Waits for a webhook of an endpoint that fulfils a condition and returns its payload, or timedOut. Not to pass time. " +
    'Example: {"endpointId": "ep_1", "when": {"path": "order.id", "equals": 7}, "timeoutSeconds": 86400}.',
  input: waitForEventInput,
  kind: "local",
  describe: ({ endpointId }) => `Waiting for an event at ${endpointId}`,
  run,
};

async function run(
  input: WaitForEventInput,
  { ports, idempotencyKey }: ToolContext,
): Promise<ToolResult> {
  const waiting = await ports.events.wait(idempotencyKey, input);
  if (!waiting.ok) return { answer: failedAnswer("invalid_request", waiting.message), price: 0 };
  // The answer of a call that nothing woke in time.
  return { answer: { ok: true, content: { timedOut: true } }, waitUntil: waiting.until };
}
