import type { MiddlewareHandler } from "hono";
import type { RateState } from "../../contract/account.ts";
import type { AppEnv } from "../context.ts";

const WINDOW_SECONDS = 60;
const POLICY_NAMES = { agent: "default", management: "management" } as const;

/** Gives every answer, errors included, its request's id, its limit and the headers of safety. */
export const responseHeaders: MiddlewareHandler<AppEnv> = async (http, next) => {
  const requestId = crypto.randomUUID();
  http.set("requestId", requestId);
  await next();
  const { headers } = http.res;
  headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const rate = http.get("rate");
  if (rate) setRate(headers, rate);
};

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
function setRate(headers: Headers, { rateClass, limit, remaining, resetSeconds }: RateState): void {
  const name = POLICY_NAMES[rateClass];
  headers.set("RateLimit-Policy", `"${name}";q=${limit};w=${WINDOW_SECONDS}`);
  headers.set("RateLimit", `"${name}";r=${remaining};t=${resetSeconds}`);
}
