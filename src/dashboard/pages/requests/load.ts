import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { Page } from "../../context.ts";
import { fingerprint } from "../../live.ts";
import { type RequestBody, requestBodyOf } from "./request-body.tsx";
import { shownOf } from "./request-table.tsx";

/** A logged request with its endpoint. */
export interface Logged {
  entry: LogEntry;
  endpoint: EndpointRecord;
  body: RequestBody;
  /** The hash of what the reader sees. */
  seen: string;
}

/** Loads a request of an endpoint's log. */
export async function loggedOf(http: Page, endpointId: string, requestId: string): Promise<Logged> {
  const { webhooks } = http.get("api");
  const [endpoint, entry] = await Promise.all([
    webhooks.get(endpointId),
    webhooks.request(endpointId, requestId),
  ]);
  const seen = await fingerprint(shownOf([entry]));
  return { endpoint, entry, body: await requestBodyOf(entry), seen };
}
