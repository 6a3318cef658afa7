import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { routePath } from "hono/route";
import { executionId as executionIdSchema } from "../contract/execution.ts";
import { endpointId as endpointIdSchema } from "../contract/webhooks/endpoint.ts";
import { DeadlineError, within } from "../lib/async.ts";
import { isLoopbackHost } from "../lib/http.ts";
import { logInfo, shortEndpointId } from "../lib/log.ts";
import { type AppEnv, type Http, parentRequestId } from "./context.ts";
import { HttpProblem, problemOf } from "./problem.ts";

const WINDOW_SECONDS = 60;
const PREFLIGHT_MAX_AGE_SECONDS = 7_200; // the most that Chromium keeps

/**
 * Logs one line for each request once its response has begun. A Worker's clock stands still while it
 * computes, so the duration is the time spent waiting for objects, the database and the body.
 */
export const requestLog: MiddlewareHandler<AppEnv> = async (http, next) => {
  const begun = Date.now();
  http.set("subject", {});
  await next();
  const of = parentRequestId(http.req.raw);
  logInfo(of === undefined ? "request" : "call", {
    requestId: http.get("requestId"),
    of,
    method: http.req.method,
    // The pattern: the address itself may be a secret.
    route: routePath(http),
    status: http.res.status,
    durationMs: Date.now() - begun,
    ...idsIn(http),
    ...http.get("subject"),
    code: http.error && (problemOf(http.error)?.code ?? "internal_error"),
  });
};

/** Returns the ids in the address. A caller may write anything there, so only ids are logged. */
function idsIn(http: Http): AppEnv["Variables"]["subject"] {
  const { executionId, endpointId } = http.req.param();
  return {
    ...(executionIdSchema.safeParse(executionId).success && { executionId }),
    ...(endpointId !== undefined &&
      endpointIdSchema.safeParse(endpointId).success && {
        endpointId: shortEndpointId(endpointId),
      }),
  };
}

/** Adds the request id, the rate limit and security headers to every response, errors included. */
export const responseHeaders: MiddlewareHandler<AppEnv> = async (http, next) => {
  const requestId = crypto.randomUUID();
  http.set("requestId", requestId);
  await next();
  const { headers } = http.res;
  // What another request of this one answered has that one's id, as its body has.
  if (!headers.has("X-Request-Id")) headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const rate = http.get("rate");
  if (rate === undefined) return;
  // The fields of draft-ietf-httpapi-ratelimit-headers.
  const name = rate.rateClass === "agent" ? "default" : rate.rateClass;
  headers.set("RateLimit-Policy", `"${name}";q=${rate.limit};w=${WINDOW_SECONDS}`);
  headers.set("RateLimit", `"${name}";r=${rate.remaining};t=${rate.resetSeconds}`);
};

/**
 * Rejects a request whose `Host` header, or whose target, makes no address: two headers, for example.
 * Everything after this may parse the address.
 */
export const validAddress: MiddlewareHandler<AppEnv> = async (http, next) => {
  if (!URL.canParse(http.req.url)) {
    throw new HttpProblem("invalid_request", "The Host header and the path make no valid address.");
  }
  await next();
};

/**
 * Rejects plain HTTP, except on a loopback host. A redirect would hide that a key has already crossed
 * the network unencrypted.
 */
export const httpsOnly: MiddlewareHandler<AppEnv> = async (http, next) => {
  const { protocol, hostname } = new URL(http.req.url);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) {
    throw new HttpProblem("https_required", "Use https:// for this address.");
  }
  await next();
};

const EXPOSED_HEADERS = [
  "Allow",
  "Content-Disposition",
  "ETag",
  "Idempotency-Replayed",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
];

const answerPreflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_MAX_AGE_SECONDS,
});

/**
 * Lets pages of any origin call the API (Fetch §3.3). Callers are known by their key alone, never by a
 * cookie, so a page can do no more than the key that it was given.
 */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (http, next) => {
  const isPreflight =
    http.req.method === "OPTIONS" &&
    http.req.header("Origin") !== undefined &&
    http.req.header("Access-Control-Request-Method") !== undefined;
  if (isPreflight) return answerPreflight(http, next);
  await next();
  if (http.req.method === "OPTIONS") return;
  // Behind the handler: headers set before it would have its response made a second time.
  const { headers } = http.res;
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS.join(","));
};

/** A sender of more is cut off; it loses the answer, and its connection is reset. */
const MAX_DRAINED_BYTES = 64 * 1_048_576;
const MAX_DRAIN_MS = 5_000;

/**
 * Reads and drops what is left of a request's body before the answer is sent. The runtime closes a
 * connection with an unread body: a sender that is still writing then loses the answer, and the next
 * request on that connection fails.
 */
export const drainBody: MiddlewareHandler<AppEnv> = async (http, next) => {
  await next();
  const { body } = http.req.raw;
  if (body === null || body.locked) return;
  const reader = body.getReader();
  try {
    await within("the sender", MAX_DRAIN_MS, drain(reader));
  } catch (error) {
    // A sender that waits for the answer, or that has gone, loses its connection and nothing else.
    if (error instanceof DeadlineError) await reader.cancel();
  }
};

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let left = MAX_DRAINED_BYTES;
  while (left > 0) {
    const { done, value } = await reader.read();
    if (done) return;
    left -= value.length;
  }
  await reader.cancel();
}
