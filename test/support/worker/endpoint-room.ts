import { expect } from "vitest";
import { endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { signedIn } from "./dashboard.ts";
import { newEndpoint } from "./webhooks.ts";

/** A new endpoint of an account of its own, and somebody who has signed in to see its pages. */
export async function newEndpointRoom(...settings: Parameters<typeof newEndpoint>) {
  const endpoint = await newEndpoint(...settings);
  const me = await signedIn(endpoint.apiKey);
  const at = `/dashboard/webhooks/${endpoint.endpointId}`;
  return {
    endpoint,
    /** Where its pages begin. */
    at,
    me,
    /** The HTML of one of its pages. */
    page: (rest = "") => me.read(`${at}${rest}`),
    log: `${at}/requests`,
    /** The HTML of an entry of its log. */
    entry: (requestId: string | null) => me.read(`${at}/requests/${requestId}`),
    /** The endpoint as the API shows it. */
    record: async () => endpointRecord.parse(await (await endpoint.call("")).json()),
  };
}

export type EndpointRoom = Awaited<ReturnType<typeof newEndpointRoom>>;

/** Where an answer leads to. */
export function leadsTo(response: Response): string {
  expect(response.status).toBe(303);
  return response.headers.get("Location") ?? "";
}
