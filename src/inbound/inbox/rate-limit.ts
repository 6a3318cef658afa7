import * as z from "zod";
import { RateLimiter, WINDOW_MS } from "../../durable/rate-limiter.ts";

const arrivalRow = z.object({ arrived_at: z.int(), counted: z.int() });

/**
 * Returns an endpoint's rate limiter. It needs no table: after a restart the window is read from the
 * request log.
 */
export function restoreRateLimiter(sql: SqlStorage, now: number): RateLimiter {
  const counted: number[] = [];
  // Reads uncounted requests too: skipping them in SQL could scan the whole log.
  const newestFirst = sql.exec("SELECT arrived_at, counted FROM requests ORDER BY seq DESC");
  for (const row of newestFirst) {
    const { arrived_at: at, counted: counts } = arrivalRow.parse(row);
    if (at <= now - WINDOW_MS) break;
    if (counts === 1) counted.push(at);
  }
  const limiter = new RateLimiter();
  for (const at of counted.reverse()) limiter.restore(at, 1);
  return limiter;
}
