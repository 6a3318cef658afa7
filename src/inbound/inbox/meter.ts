import * as z from "zod";
import { type Count, SlidingWindow, WINDOW_MS } from "../../lib/sliding-window.ts";

const arrivalRow = z.object({ arrived_at: z.int(), counted: z.int() });

/**
 * Counts an endpoint's requests in an exact sliding window. It needs no table: what was counted is in
 * the log, from which the window is made anew after a restart.
 */
export class Meter {
  readonly #window = new SlidingWindow();

  constructor(sql: SqlStorage, now: number) {
    const counted: number[] = [];
    // Those that do not count are read as well: to search for others could take the whole log.
    const newestFirst = sql.exec("SELECT arrived_at, counted FROM requests ORDER BY seq DESC");
    for (const row of newestFirst) {
      const { arrived_at: at, counted: counts } = arrivalRow.parse(row);
      if (at <= now - WINDOW_MS) break;
      if (counts === 1) counted.push(at);
    }
    for (const at of counted.reverse()) this.#window.add(at, 1);
  }

  take(now: number, limit: number): Count {
    return this.#window.take(now, limit);
  }
}
