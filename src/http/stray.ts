import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./context.ts";
import { keyWith } from "./guard.ts";
import { HttpProblem } from "./problem.ts";

/** Any key will do: what it may do is not asked. */
const counted = keyWith("credits:read");

/**
 * Counts what asks the agent API for a path or a method that it has not. Its limit is for all of it;
 * else whoever tries paths could do so without one. Without a good key there is no account to count for.
 */
export const countStray: MiddlewareHandler<AppEnv> = async (http, next) => {
  try {
    await counted.admit(http);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    if (error.code === "rate_limited") throw error;
  }
  await next();
};
