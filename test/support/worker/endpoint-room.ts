import { expect } from "vitest";
import { type EndpointRecord, endpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { signedIn } from "./dashboard.ts";
import { newEndpoint, type TestEndpoint } from "./webhooks.ts";

/** An endpoint and somebody who has signed in to see its pages. */
export interface EndpointRoom {
  endpoint: TestEndpoint;
  /** Where its pages begin. */
  at: string;
  me: Awaited<ReturnType<typeof signedIn>>;
  /** The HTML of one of its pages. */
  page(rest?: string): Promise<string>;
  /** Where its log is. */
  log: string;
  /** The HTML of an entry of its log. */
  entry(requestId: string | null): Promise<string>;
  /** The endpoint as the API shows it. */
  record(): Promise<EndpointRecord>;
}

/** A new endpoint of an account of its own, and its pages. */
export async function newEndpointRoom(
  ...settings: Parameters<typeof newEndpoint>
): Promise<EndpointRoom> {
  const endpoint = await newEndpoint(...settings);
  const me = await signedIn(endpoint.apiKey);
  const at = `/dashboard/webhooks/${endpoint.endpointId}`;
  return {
    endpoint,
    at,
    me,
    page: (rest = "") => me.read(`${at}${rest}`),
    log: `${at}/requests`,
    entry: (requestId) => me.read(`${at}/requests/${requestId}`),
    record: async () => endpointRecord.parse(await (await endpoint.call("")).json()),
  };
}

/** Where an answer leads to. */
export function leadsTo(response: Response): string {
  expect(response.status).toBe(303);
  return response.headers.get("Location") ?? "";
}
