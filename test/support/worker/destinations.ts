import { expect } from "vitest";
import * as z from "zod";
import {
  type DeliveryRecord,
  deliveryRecord,
  destinationRecord,
} from "../../../src/contract/destinations.ts";
import { newAccount, send } from "./client.ts";
import { mailbox } from "./objects.ts";

export const DESTINATIONS = "/api/v1/destinations";
const page = z.object({ deliveries: z.array(deliveryRecord), nextCursor: z.string().nullable() });
const event = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) });

/** A destination with a receiver of its own, of a new account if none is given. */
export async function newDestination(
  body: Record<string, unknown> = {},
  owner?: { accountId: string; apiKey: string },
) {
  const receiver = mailbox();
  const account = owner ?? (await newAccount());
  const given = { name: "test", format: "standard", url: receiver.url, ...body };
  const response = await send(DESTINATIONS, { method: "POST", token: account.apiKey, body: given });
  expect(response.status).toBe(201);
  const destination = destinationRecord.parse(await response.json());
  const path = `${DESTINATIONS}/${destination.destinationId}`;
  const call = (rest: string, method = "POST", sent?: unknown) =>
    send(`${path}${rest}`, {
      method,
      token: account.apiKey,
      ...(sent !== undefined && { body: sent }),
    });
  const deliveries = async (): Promise<DeliveryRecord[]> =>
    page.parse(await (await call("/deliveries", "GET")).json()).deliveries;
  return {
    ...account,
    receiver,
    destination,
    call,
    deliveries,
    until: (state: DeliveryRecord["state"]) =>
      expect.poll(async () => (await deliveries()).map((each) => each.state)).toEqual([state]),
    /** The first events that came, at least so many. */
    events: async (atLeast: number) =>
      (await receiver.letters(atLeast)).map(({ body: text }) => event.parse(JSON.parse(text))),
  };
}
