import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { HttpProblem } from "../problem.ts";

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Refuses plain HTTP, except on this machine. A redirect would hide that a key has already crossed the
 * network in the clear.
 */
export const httpsOnly: MiddlewareHandler<AppEnv> = async (http, next) => {
  const { protocol, hostname } = new URL(http.req.url);
  if (protocol !== "https:" && !LOOPBACK.test(hostname)) {
    throw new HttpProblem("https_required", "Use https:// for this address.");
  }
  await next();
};
