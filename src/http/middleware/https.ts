import type { MiddlewareHandler } from "hono";
import { isLoopbackHost } from "../../lib/http.ts";
import type { AppEnv } from "../context.ts";
import { HttpProblem } from "../problem.ts";

/**
 * Refuses plain HTTP, except on this machine. A redirect would hide that a key has already crossed the
 * network in the clear.
 */
export const httpsOnly: MiddlewareHandler<AppEnv> = async (http, next) => {
  const { protocol, hostname } = new URL(http.req.url);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) {
    throw new HttpProblem("https_required", "Use https:// for this address.");
  }
  await next();
};
