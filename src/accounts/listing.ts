import type { ListPosition, ListQuery } from "../contract/account.ts";
import type { ExecutionRow } from "../contract/execution.ts";

/** Where the rows of a list come from. */
export interface ListSources {
  /** Rows that D1 may not have yet, filtered, from after the query's cursor. */
  unconfirmed(query: ListQuery, limit: number): ExecutionRow[];
  /** Which of these ids have their row among the unconfirmed, whatever the filters say. */
  unconfirmedAmong(executionIds: readonly string[]): Set<string>;
  /** D1's rows, filtered, from after the position. */
  confirmed(position: ListPosition | null, limit: number): Promise<ExecutionRow[]>;
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
  const fresh = sources.unconfirmed(query, wanted);
  const stored: ExecutionRow[] = [];
  let position = query.cursor;
  while (stored.length < wanted) {
    const rows = await sources.confirmed(position, wanted);
    const replaced = sources.unconfirmedAmong(rows.map((row) => row.executionId));
    stored.push(...rows.filter((row) => !replaced.has(row.executionId)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < wanted) break;
    position = positionOf(last);
  }
  const merged = [...fresh, ...stored].sort(newestFirst);
  const executions = merged.slice(0, query.limit);
  const last = executions.at(-1);
  const more = merged.length > query.limit && last !== undefined;
  return { executions, next: more ? positionOf(last) : null };
}

function positionOf(row: ExecutionRow): ListPosition {
  return { createdAt: Date.parse(row.createdAt), executionId: row.executionId };
}

function newestFirst(a: ExecutionRow, b: ExecutionRow): number {
  const byTime = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  if (byTime !== 0) return byTime;
  return a.executionId < b.executionId ? 1 : -1;
}
