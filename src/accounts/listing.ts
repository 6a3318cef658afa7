import type { ListPosition, ListQuery } from "../contract/account.ts";
import type { ExecutionRow } from "../contract/execution.ts";
import type { StoredPage } from "../records/executions.ts";

/** Where the rows of a list come from. */
export interface ListSources {
  /** Rows that D1 may not have yet, filtered, from after the query's cursor. */
  unconfirmed(query: ListQuery, limit: number): ExecutionRow[];
  /** Which of these ids have their row among the unconfirmed, whatever the filters say. */
  unconfirmedAmong(executionIds: readonly string[]): Set<string>;
  /** D1's rows, filtered, from after the position. */
  confirmed(position: ListPosition | null, limit: number): Promise<StoredPage>;
}

/**
 * One page of executions, the newest first. A row that is not confirmed replaces D1's before the
 * filters apply: it is the newer one, and D1's may pass a filter that it no longer passes.
 */
export async function listPage(
  query: ListQuery,
  sources: ListSources,
): Promise<{ executions: ExecutionRow[]; next: ListPosition | null }> {
  const wanted = query.limit + 1;
  const confirmed: ExecutionRow[] = [];
  let position = query.cursor;
  for (;;) {
    const { rows, next } = await sources.confirmed(position, wanted);
    confirmed.push(...rows);
    // Looked at anew after each read: a row that changes, or is confirmed, while D1 is being asked
    // must be found in exactly one of the two.
    const replaced = sources.unconfirmedAmong(confirmed.map((row) => row.executionId));
    const stored = confirmed.filter((row) => !replaced.has(row.executionId));
    const merged = [...sources.unconfirmed(query, wanted), ...stored].sort((a, b) =>
      newestFirst(positionOf(a), positionOf(b)),
    );
    const last = merged[wanted - 1];
    // What D1 has after `next` comes after `last` too: it would change nothing on this page.
    const isFull = last !== undefined && next !== null && newestFirst(positionOf(last), next) <= 0;
    if (next === null || isFull) return pageOf(query, merged);
    position = next;
  }
}

function pageOf(query: ListQuery, merged: ExecutionRow[]) {
  const executions = merged.slice(0, query.limit);
  const last = executions.at(-1);
  const more = merged.length > query.limit && last !== undefined;
  return { executions, next: more ? positionOf(last) : null };
}

function positionOf(row: ExecutionRow): ListPosition {
  return { createdAt: Date.parse(row.createdAt), executionId: row.executionId };
}

function newestFirst(a: ListPosition, b: ListPosition): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  if (a.executionId === b.executionId) return 0;
  return a.executionId < b.executionId ? 1 : -1;
}
