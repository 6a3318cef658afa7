import { expect } from "vitest";
import { signedIn } from "./dashboard.ts";
import { newEndpoint } from "./webhooks.ts";

/** A new endpoint, and the entries of its log in a browser that has signed in. */
export async function newEntryPage(...settings: Parameters<typeof newEndpoint>) {
  const endpoint = await newEndpoint(...settings);
  const session = await signedIn(endpoint.apiKey);
  const path = `/dashboard/webhooks/${endpoint.endpointId}/requests`;
  return {
    endpoint,
    session,
    path,
    /** The page of an entry. */
    async read(requestId: string | null): Promise<string> {
      const response = await session.get(`${path}/${requestId}`);
      expect(response.status).toBe(200);
      return response.text();
    },
  };
}
