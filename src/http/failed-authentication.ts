import type { MiddlewareHandler } from "hono";
import type { Denial } from "../contract/account.ts";
import { networkOf } from "../intake/ip-ranges.ts";
import { LruMap } from "../lib/lru-map.ts";
import type { AppEnv } from "./context.ts";
import { parentRequestId } from "./context.ts";
import { HttpProblem } from "./problem.ts";

/** The period of the limit, which wrangler.toml sets. */
const PERIOD_MS = 60_000;
/** The seconds after which an address that failed too often can try again. */
export const FAILURE_RETRY_SECONDS = PERIOD_MS / 1_000;

/** What counting a failure takes from a request. */
interface Failed {
  env: Pick<CloudflareEnv, "FAILED_AUTHENTICATION">;
  req: { header(name: string): string | undefined };
}

/**
 * Counts a failed authentication, and returns whether its address failed too often in this minute. The
 * addresses of an IPv6 network count together, and so do requests whose address is unknown.
 */
export async function hasFailedTooOften({ env, req }: Failed): Promise<boolean> {
  const key = networkOf(req.header("CF-Connecting-IP") ?? "");
  return !(await env.FAILED_AUTHENTICATION.limit({ key })).success;
}

/** Counts a failed authentication. Throws a 429 if its address failed too often. */
export async function countFailure(failed: Failed): Promise<void> {
  if (!(await hasFailedTooOften(failed))) return;
  throw new HttpProblem(
    "rate_limited",
    "Too many requests from your address failed to authenticate. Check the key; a valid one is accepted at once.",
    { headers: { "Retry-After": String(FAILURE_RETRY_SECONDS) } },
  );
}

/** Counts each 401 by the address of the caller; a call of the service to its own API has none. */
export const limitFailures: MiddlewareHandler<AppEnv> = async (http, next) => {
  await next();
  if (http.res.status === 401 && parentRequestId(http.req.raw) === undefined) {
    await countFailure(http);
  }
};

type Reason = Extract<Denial, { kind: "unauthorized" }>["reason"];

/** An unknown, expired or revoked key stays so: whoever repeats it must not wake the account's object. */
const refusedKeys = new LruMap<{ reason: Reason; at: number }>(1_000);

/** Notes that an account refused this key. */
export function noteRefused(key: string, reason: Reason): void {
  refusedKeys.set(key, { reason, at: Date.now() });
}

/** Returns why an account refused this key less than a minute ago; null if it did not. */
export function refusedLately(key: string): Reason | null {
  const refused = refusedKeys.get(key);
  return refused !== undefined && Date.now() - refused.at < PERIOD_MS ? refused.reason : null;
}
