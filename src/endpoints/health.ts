import * as z from "zod";
import { type EndpointHealth, type FailureCause, failureCause } from "../contract/alerts.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import { requestStatus } from "../contract/webhooks/log.ts";
import { rowsOf, type TableStorage } from "../durable/rows.ts";
import { BUDGETS, BY_STATUS } from "./tables.ts";

const WINDOW_MS = 10 * 60_000;
const LEAST_REQUESTS = 5;
/** A recovery is seen in the last requests, of which fewer than a tenth may have failed. */
const RECENT = 20;
/** The newest requests of the window: a busier endpoint shows in a part of it what it is like. */
const MOST_REQUESTS = 1_000;
const MOST_CAUSES = 10;
/** How often a failing endpoint is reported again. */
const REPORT_MS = 60_000;
const KEY = "health";

const STRANGER = BUDGETS.indexOf("unverified");
const state = z.object({ reportedAt: z.int() });
const requestRow = z.object({ status: requestStatus, counted: z.int() });

type Counted = z.infer<typeof requestRow>;
/** What is watched; a deleted endpoint does not fail any more. */
type Watched = Pick<EndpointConfig, "endpointId" | "name" | "deleted">;

/** Counts requests and failures. Those that did not authenticate count while none was accepted. */
export function countFailures(requests: readonly Counted[]): { requests: number; failed: number } {
  const isAccepted = ({ status }: Counted) => status !== "rejected";
  const hasAccepted = requests.some(isAccepted);
  const counted = requests.filter(({ counted: budget }) => !hasAccepted || budget !== STRANGER);
  const failed = counted.filter(({ status }) => status === "rejected" || status === "failed");
  return { requests: counted.length, failed: failed.length };
}

/**
 * Whether requests of an endpoint are refused or fail. It is looked up in the log after a failure, and after
 * requests of an endpoint that is failing: a healthy endpoint pays nothing.
 */
export class EndpointWatch {
  readonly #storage: Pick<TableStorage, "sql" | "kv">;
  /** When it was last reported as failing; null if it was not, or has recovered since. */
  #reportedAt: number | null;

  constructor(storage: Pick<TableStorage, "sql" | "kv">) {
    this.#storage = storage;
    const known = state.safeParse(storage.kv.get(KEY));
    this.#reportedAt = known.success ? known.data.reportedAt : null;
  }

  /** Whether it was reported as failing, and not as recovered since. */
  get isFailing(): boolean {
    return this.#reportedAt !== null;
  }

  /** Returns what to report of the endpoint, or null. */
  check({ endpointId, name, deleted }: Watched, now: number): EndpointHealth | null {
    const endpoint = { endpointId, name };
    const reportedAt = this.#reportedAt;
    const recent = this.#requests(RECENT, 0);
    const isWell = deleted || countFailures(recent).failed * 10 < RECENT;
    if (reportedAt !== null && isWell) return { state: "recovered", ...endpoint };
    if (reportedAt !== null && now - reportedAt < REPORT_MS) return null;
    const from = now - WINDOW_MS;
    const window = this.#requests(MOST_REQUESTS, from);
    const { requests, failed } = countFailures(window);
    const isFailing = requests >= LEAST_REQUESTS && failed * 2 >= requests;
    if (!isFailing) return null;
    const since = this.#requests(MOST_REQUESTS, reportedAt ?? from);
    const { failed: count } = countFailures(since);
    if (count === 0) return null;
    const causes = this.#causes(from, requests < window.length ? STRANGER : null);
    return { state: "failing", ...endpoint, count, requests, failed, causes };
  }

  /** Returns when to check for failures since the last report, which are not reported before, or null. */
  nextCheck(now: number): number | null {
    const due = this.#reportedAt === null ? now : this.#reportedAt + REPORT_MS;
    return due > now ? due : null;
  }

  /** Notes that a report has arrived. */
  reported(health: EndpointHealth, now: number): void {
    this.#reportedAt = health.state === "recovered" ? null : now;
    if (health.state === "recovered") this.#storage.kv.delete(KEY);
    else this.#storage.kv.put(KEY, { reportedAt: now } satisfies z.infer<typeof state>);
  }

  /** Returns the newest requests from a time on. */
  #requests(most: number, from: number): Counted[] {
    const query = `SELECT status, counted FROM requests WHERE received_at >= ?
      ORDER BY received_at DESC, request_id DESC LIMIT ?`;
    return rowsOf(this.#storage.sql, requestRow, query, from, most);
  }

  /** Groups the failures from a time on by their first error, the most frequent first, but for one budget. */
  #causes(from: number, uncounted: number | null): FailureCause[] {
    const query = `SELECT outcome ->> '$.errors[0].stage' AS stage, outcome ->> '$.errors[0].path' AS path,
        outcome ->> '$.errors[0].rule' AS rule, max(outcome ->> '$.errors[0].message') AS message,
        count(*) AS count
      FROM (SELECT outcome FROM requests
        WHERE received_at >= ? AND status IN ('rejected', 'failed') AND ${BY_STATUS} AND counted IS NOT ?
          AND json_array_length(outcome, '$.errors') > 0
        ORDER BY received_at DESC LIMIT ?)
      GROUP BY 1, 2, 3 ORDER BY count DESC LIMIT ?`;
    const bound = [from, uncounted, MOST_REQUESTS, MOST_CAUSES];
    return rowsOf(this.#storage.sql, failureCause, query, ...bound);
  }
}
