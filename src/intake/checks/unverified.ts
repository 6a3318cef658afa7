import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import type { Decision } from "../../contract/webhooks/inbox.ts";
import { isBefore } from "../../contract/webhooks/payload.ts";

/** Requests a minute that an endpoint logs without authentication, unless its own limit is lower. */
const UNVERIFIED_PER_MINUTE = 60;

/** Returns the limit of requests a minute that did not pass authentication. */
export function unverifiedLimit({ requestsPerMinute }: EndpointConfig): number {
  return Math.min(requestsPerMinute, UNVERIFIED_PER_MINUTE);
}

/** Whether a request was refused or answered before its sender was authenticated. */
export function isUnverified(decision: Decision): boolean {
  if (decision.kind === "answer") return decision.isVerified === false;
  if (decision.kind !== "refuse") return false;
  if (decision.isVerified !== undefined) return !decision.isVerified;
  const stage = decision.errors[0]?.stage;
  return stage !== undefined && isBefore(stage, "parse");
}

/** Counts the requests of an endpoint that are refused before their senders are authenticated. */
export interface UnverifiedPort {
  /** Counts a request. Returns the seconds until the next try if there is no room for it. */
  take(config: EndpointConfig, sourceIp: string | null): Promise<number | null>;
}
