import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { AppEnv } from "../context.ts";

const answer = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
  exposeHeaders: [
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
  ],
  maxAge: 7_200, // seconds; the most that Chromium keeps
});

/**
 * Lets pages of any origin call the API (Fetch §3.3). It knows callers by the key alone that they send,
 * never by a cookie, so a page can do no more than the key that was given to it.
 */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (http, next) => {
  const isPreflight =
    http.req.method === "OPTIONS" &&
    http.req.header("Origin") !== undefined &&
    http.req.header("Access-Control-Request-Method") !== undefined;
  if (http.req.method === "OPTIONS" && !isPreflight) return next();
  return answer(http, next);
};
