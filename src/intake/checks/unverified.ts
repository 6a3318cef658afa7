import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import type { Arrival, Decision } from "../../contract/webhooks/inbox.ts";
import type { UnverifiedPort } from "../../ports/webhooks.ts";

/** Requests a minute that an endpoint logs without authentication, unless its own limit is lower. */
const UNVERIFIED_PER_MINUTE = 60;

/** Returns the limit of requests a minute that did not pass authentication. */
export function unverifiedLimit({ requestsPerMinute }: EndpointConfig): number {
  return Math.min(requestsPerMinute, UNVERIFIED_PER_MINUTE);
}

/** Whether a request was refused or answered before its sender was authenticated. */
export function isUnverified(decision: Decision): boolean {
  return decision.kind !== "accept" && !decision.isVerified;
}

/**
 * Checks that there is room for a request whose sender is not authenticated: a stranger beyond the budget
 * costs no object. Returns the seconds until the next try, or null if the request goes on.
 */
export async function unverifiedWait(
  { decision, request }: Arrival,
  config: EndpointConfig,
  budget: UnverifiedPort,
): Promise<number | null> {
  return isUnverified(decision) ? await budget.take(config, request.sourceIp) : null;
}
