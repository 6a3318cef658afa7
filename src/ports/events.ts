import type { WaitForEventInput } from "../contract/webhooks/waiter.ts";

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
