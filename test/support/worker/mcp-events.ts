import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import * as z from "zod";
import { toBase64 } from "../../../src/lib/encoding.ts";
import type { Era } from "../mcp/connect.ts";
import { connectMcp } from "./mcp-client.ts";
import { mailbox } from "./objects.ts";

const subscribed = z.looseObject({
  id: z.string(),
  refreshBefore: z.string(),
  cursor: z.string(),
  truncated: z.boolean(),
  deliveryStatus: z.looseObject({ lastError: z.string().nullable() }).optional(),
});
const occurrence = z.looseObject({
  eventId: z.string(),
  name: z.string(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
});
const polled = z.looseObject({
  events: z.array(occurrence),
  cursor: z.string(),
  truncated: z.boolean(),
  hasMore: z.boolean(),
});
const listed = z.looseObject({
  events: z.array(
    z.looseObject({
      name: z.string(),
      delivery: z.array(z.string()),
      payloadSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  nextCursor: z.string().optional(),
});

type Params = Record<string, unknown>;

/** The methods of the extension, over the official client. */
export async function eventsOver(apiKey: string, era: Era = "current") {
  const { client } = await connectMcp(apiKey, era);
  const request = <Result extends z.ZodType>(method: string, params: Params, result: Result) =>
    client.request({ method, params }, result);
  return {
    client,
    list: (params: Params = {}) => request("events/list", params, listed),
    poll: (params: Params) => request("events/poll", params, polled),
    subscribe: (params: Params) => request("events/subscribe", params, subscribed),
    unsubscribe: (params: Params) => request("events/unsubscribe", params, z.looseObject({})),
  };
}

/** A secret as clients make one. */
export const newSecret = () => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;

/** A receiver that answers the challenge, and what it got since. */
export async function eventReceiver() {
  const box = mailbox();
  await box.answer("echo");
  return {
    ...box,
    /** The events that came, once there are so many; each must be signed with the secret. */
    async events(count: number, secret: string) {
      // The first letter is the challenge.
      const letters = (await box.letters(count + 1)).slice(1);
      return letters.map(({ headers, body }) => {
        const event = occurrence.parse(new Webhook(secret).verify(body, headers));
        expect(headers["webhook-id"]).toBe(event.eventId);
        return { ...event, subscriptionId: headers["x-mcp-subscription-id"] };
      });
    },
  };
}
