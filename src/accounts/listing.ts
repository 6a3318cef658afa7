import type { ExecutionPage, ListPosition, ListQuery } from "../contract/account.ts";
import type { ExecutionRow } from "../contract/execution.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { firstOf } from "../lib/pages.ts";
import { selectExecutions } from "../records/executions.ts";
import type { RowOutbox } from "./outbox.ts";
import type { RowPlacements } from "./projector.ts";

const TIMEOUT_MS = 10_000;

/** Returns one page of an account's executions, or null while D1 does not answer. */
export async function listExecutions(
  env: CloudflareEnv,
  account: { accountId: string; outbox: RowOutbox; placements: RowPlacements },
  query: ListQuery,
): Promise<ExecutionPage | null> {
  const { accountId, outbox, placements } = account;
  const placed = { accountId, placements: placements.all };
  try {
    return await outbox.whileListing(Date.now(), () =>
      listPage(query, {
        pending: (filter, limit) => outbox.page(filter, limit),
        pendingAmong: (ids) => outbox.among(ids),
        confirmed: (position, limit) =>
          within("D1", TIMEOUT_MS, selectExecutions(env, placed, query, position, limit)),
      }),
    );
  } catch (error) {
    logWarning("list not read", { accountId }, error);
    return null;
  }
}

/** The sources of a list's rows. */
export interface ListSources {
  /** Returns filtered rows that D1 may not have yet, after the query's cursor. */
  pending(query: ListQuery, limit: number): ExecutionRow[];
  /** Returns which of these executions have a row that D1 may not have, regardless of the filters. */
  pendingAmong(executionIds: readonly string[]): Set<string>;
  /** Returns filtered rows of D1, after the position. */
  confirmed(position: ListPosition | null, limit: number): Promise<ExecutionPage>;
}

/**
 * Returns one page of executions, the newest first. A pending row replaces D1's row before the filters
 * apply: it is the newer one, and D1's may pass a filter that the newer one does not.
 */
export async function listPage(query: ListQuery, sources: ListSources): Promise<ExecutionPage> {
  const wanted = query.limit + 1;
  const confirmed: ExecutionRow[] = [];
  let position = query.cursor;
  for (;;) {
    const { executions, next } = await sources.confirmed(position, wanted);
    confirmed.push(...executions);
    // Read again after each page of D1: a row that changes, or is confirmed, while D1 answers must be
    // found in exactly one of the two.
    const replaced = sources.pendingAmong(confirmed.map((row) => row.executionId));
    const stored = confirmed.filter((row) => !replaced.has(row.executionId));
    const merged = [...sources.pending(query, wanted), ...stored].sort((a, b) =>
      newestFirst(positionOf(a), positionOf(b)),
    );
    const last = merged[wanted - 1];
    // Rows of D1 after `next` come after `last` too: they cannot be on this page.
    const isFull = last !== undefined && next !== null && newestFirst(positionOf(last), next) <= 0;
    if (next === null || isFull) {
      const page = firstOf(merged, query.limit, positionOf);
      return { executions: page.items, next: page.next };
    }
    position = next;
  }
}

function positionOf(row: ExecutionRow): ListPosition {
  return { createdAt: Date.parse(row.createdAt), executionId: row.executionId };
}

function newestFirst(a: ListPosition, b: ListPosition): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  if (a.executionId === b.executionId) return 0;
  return a.executionId < b.executionId ? 1 : -1;
}
