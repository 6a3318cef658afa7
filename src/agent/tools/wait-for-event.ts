import {
  failedAnswer,
  type WaitForEventInput,
  waitForEventInput,
} from "../../contract/tools/call.ts";
import type { Tool } from "./tool.ts";

/** The webhooks of the account, for tools that wait for one. */
export interface EventSource {
  /**
   * Has the call with this key answered by the next event that fulfils the condition. A repeat changes
   * nothing. Returns until when it waits (epoch milliseconds), or why it cannot, as a sentence for the model.
   */
  wait(
    idempotencyKey: string,
    input: WaitForEventInput,
  ): Promise<{ ok: true; until: number } | { ok: false; message: string }>;
}

/** Waits for a webhook: the endpoint's inbox answers the call with the event. */
export const waitForEvent = (events: EventSource): Tool<WaitForEventInput> => ({
  name: "wait_for_event",
  description:
    "Waits for a webhook of an endpoint that fulfils a condition and returns its payload, or timedOut. Not to pass time. " +
    'Example: {"endpointId": "ep_1", "when": {"path": "order.id", "equals": 7}, "timeoutSeconds": 86400}.',
  input: waitForEventInput,
  kind: "local",
  describe: ({ endpointId }) => `Waiting for an event at ${endpointId}`,
  async run(input, { idempotencyKey }) {
    const waiting = await events.wait(idempotencyKey, input);
    if (!waiting.ok) return { answer: failedAnswer("invalid_request", waiting.message), price: 0 };
    // The answer of a call that nothing woke in time.
    return { answer: { ok: true, content: { timedOut: true } }, waitUntil: waiting.until };
  },
});
