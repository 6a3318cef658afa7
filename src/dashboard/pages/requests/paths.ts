import { endpointPath } from "../webhooks/paths.ts";

/** Where the log of an endpoint is. */
export function logPath(endpointId: string): string {
  return endpointPath(endpointId, "/requests");
}

/** Where an entry of it is. */
export function entryPath(endpointId: string, requestId: string): string {
  return `${logPath(endpointId)}/${encodeURIComponent(requestId)}`;
}
