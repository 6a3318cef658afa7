import * as z from "zod";
import type { ListQuery } from "../contract/account.ts";
import { type ExecutionRow, executionRow } from "../contract/execution.ts";
import { jsonColumn, rowShape, type TableSql, Tables } from "../durable/rows.ts";
import { idsFrom } from "../lib/execution-id.ts";
import { logError } from "../lib/log.ts";
import { readableRows } from "../lib/readable-rows.ts";
import { ALL_IDS, type IdRange } from "../records/placement.ts";

/** A caller that lost the reply to its request repeats it within this time, and finds the execution. */
const KEPT_MS = 60_000;

/** How long the row of an execution that goes on waits for its end. */
const LIVE_DELAY_MS = 5_000;

const AMONG = "execution_id IN (SELECT value FROM json_each(?))";
const confirmedRow = rowShape({ executionId: z.string(), isEnded: z.int(), changedAt: z.int() });
const waitingRow = rowShape({
  executionId: z.string(),
  version: z.number(),
  row: jsonColumn(executionRow),
});
type WaitingRow = z.infer<typeof waitingRow>;
type Stored = Record<string, SqlStorageValue>;

/**
 * The rows of an account that D1 may not have yet, at least as new as those in D1. A row that cannot be
 * read stays and is skipped.
 */
export class RowOutbox extends Tables {
  /** Executions whose newest row D1 may not have, in the order of their changes, and when it is due there. */
  readonly #changed = new Map<string, number>();
  /** Changed rows that this code cannot read: they wait for newer code, which begins with a new process. */
  readonly #unreadable = new Set<string>();
  /** Ended executions whose last row D1 has. Times are epoch milliseconds. */
  readonly #confirmed = new Map<string, { changedAt: number; confirmedAt: number }>();
  readonly #logged = new Set<string>();
  /** When the lists that are being read began. */
  readonly #lists = new Set<{ since: number }>();

  constructor(sql: TableSql) {
    super(sql);
    for (const id of this.#ids("WHERE version > projected")) this.#changed.set(id, 0);
  }

  /** The number of rows that D1 may lack. */
  get waiting(): number {
    return this.#changed.size;
  }

  /** Returns when the first row within a range of ids is due (epoch milliseconds), or null for none. */
  dueWithin({ from, until }: IdRange): number | null {
    let first = Number.POSITIVE_INFINITY;
    for (const [id, due] of this.#changed)
      if (id >= from && id < until) first = Math.min(first, due);
    return first === Number.POSITIVE_INFINITY ? null : first;
  }

  /**
   * Notes that the row of an execution was stored or changed. The row of one that goes on waits a while:
   * most have ended by then, and are written once.
   */
  changed(executionId: string, { now, isEnded }: { now: number; isEnded: boolean }): void {
    const due = isEnded ? now : now + LIVE_DELAY_MS;
    this.#changed.set(executionId, Math.min(due, this.#changed.get(executionId) ?? due));
    this.#unreadable.delete(executionId);
    this.#confirmed.delete(executionId);
  }

  /**
   * Reads a list from here and from D1. No row leaves the outbox meanwhile that D1 did not have before: the
   * list would miss it in both.
   */
  async whileListing<T>(since: number, read: () => Promise<T>): Promise<T> {
    const list = { since };
    this.#lists.add(list);
    try {
      return await read();
    } finally {
      this.#lists.delete(list);
    }
  }

  /** Returns the rows that pass the filters, the newest first, after the query's cursor. */
  page(query: ListQuery, limit: number): ExecutionRow[] {
    const { cursor, createdAfter, createdBefore, workflowId } = query;
    const select = (most: number) =>
      this.sql
        .exec(
          `SELECT execution_id, version, row FROM executions
           WHERE execution_id < ?1 AND execution_id >= ?2 AND execution_id < ?3
             AND (?4 = '[]' OR row ->> 'status' IN (SELECT value FROM json_each(?4)))
             AND (?5 = '[]' OR row ->> 'origin' IN (SELECT value FROM json_each(?5)))
             AND (?6 IS NULL OR row ->> 'workflowId' = ?6)
             AND NOT EXISTS (SELECT 1 FROM json_each(?8) AS word WHERE instr(lower(
               (row ->> 'promptPreview') || ' ' || coalesce(row ->> 'summary', '') || ' ' ||
               (row ->> 'metadata') || ' ' || execution_id || ' ' ||
               coalesce(row ->> 'inputsPreview', '') || ' ' || coalesce(row ->> 'inbound', '')),
               word.value) = 0)
           ORDER BY execution_id DESC LIMIT ?7`,
          cursor?.executionId ?? ALL_IDS.until,
          createdAfter === null ? "" : idsFrom(createdAfter + 1),
          createdBefore === null ? ALL_IDS.until : idsFrom(createdBefore),
          JSON.stringify(query.statuses),
          JSON.stringify(query.origins),
          workflowId,
          most,
          JSON.stringify(query.words ?? []),
        )
        .toArray();
    return this.#read(limit, select).map(({ row }) => row);
  }

  /** Returns the ids of all executions that have a row here, the oldest first. */
  executionIds(): string[] {
    return this.#ids();
  }

  #ids(where = "", ...values: string[]): string[] {
    const query = `SELECT execution_id FROM executions ${where} ORDER BY execution_id`;
    return this.texts(query, ...values);
  }

  /** Returns the ids of the executions that have not ended. */
  live(): string[] {
    return this.#ids("WHERE used IS NULL");
  }

  /** Returns which of these executions have their row here. */
  among(executionIds: readonly string[]): Set<string> {
    return new Set(this.#ids(`WHERE ${AMONG}`, JSON.stringify(executionIds)));
  }

  /** Whether an execution waits for input. */
  waits(executionId: string): boolean {
    const query = `SELECT 1 FROM executions
      WHERE execution_id = ? AND row ->> 'status' = 'waiting_for_input'`;
    return this.exists(query, executionId);
  }

  /** Returns rows within a range of ids that are due by `now`, those first that wait longest. */
  pending(limit: number, now: number, { from, until } = ALL_IDS): WaitingRow[] {
    for (;;) {
      const due = [...this.#changed].filter(([id, at]) => at <= now && id >= from && id < until);
      const ids = due.slice(0, limit).map(([id]) => id);
      const query = `SELECT execution_id, version, row FROM executions
        WHERE ${AMONG} ORDER BY execution_id`;
      const items = this.sql.exec(query, JSON.stringify(ids)).toArray();
      const rows = readableRows(items, (item) => waitingRow.parse(item), this.#logUnreadable);
      const readable = new Set(rows.map(({ executionId }) => executionId));
      for (const id of ids) {
        if (readable.has(id)) continue;
        this.#changed.delete(id);
        this.#unreadable.add(id);
      }
      if (rows.length > 0 || ids.length === 0) return rows;
    }
  }

  /**
   * Notes versions that D1 has. This is stored for executions that go on; one that has ended leaves the
   * outbox soon, and its row is written again, in vain, if this process dies before.
   */
  confirm(rows: readonly { executionId: string; version: number }[], now: number): void {
    const query = `SELECT execution_id, used IS NOT NULL AS is_ended, changed_at
      FROM json_each(?) CROSS JOIN executions ON execution_id = value ->> 'executionId'
      WHERE version <= value ->> 'version'`;
    const known = rows.map(({ executionId, version }) => ({ executionId, version }));
    const confirmed = this.rows(confirmedRow, query, JSON.stringify(known));
    const open = confirmed.filter(({ isEnded }) => isEnded === 0);
    this.sql.exec(
      `UPDATE executions SET projected = version WHERE ${AMONG}`,
      JSON.stringify(open.map(({ executionId }) => executionId)),
    );
    for (const { executionId, isEnded, changedAt } of confirmed) {
      this.#changed.delete(executionId);
      if (isEnded === 1) this.#confirmed.set(executionId, { changedAt, confirmedAt: now });
    }
  }

  /** Returns executions that ended a while ago and whose last row D1 has, and forgets them. */
  takeConfirmed(now: number): string[] {
    const oldestList = Math.min(...[...this.#lists].map(({ since }) => since));
    const ids: string[] = [];
    for (const [executionId, { changedAt, confirmedAt }] of this.#confirmed) {
      if (changedAt > now - KEPT_MS) break;
      if (confirmedAt < oldestList) ids.push(executionId);
    }
    for (const executionId of ids) this.#confirmed.delete(executionId);
    return ids;
  }

  /** Returns `limit` readable rows if there are as many; `select` returns the first `count` rows. */
  #read(limit: number, select: (count: number) => Stored[]): WaitingRow[] {
    let unreadable = 0;
    for (;;) {
      const items = select(limit + unreadable);
      const rows = readableRows(items, (item) => waitingRow.parse(item), this.#logUnreadable);
      const isAll = items.length < limit + unreadable;
      if (isAll || rows.length >= limit) return rows;
      unreadable = items.length - rows.length;
    }
  }

  readonly #logUnreadable = (item: Stored, error: unknown): void => {
    const executionId = String(item.execution_id);
    if (this.#logged.has(executionId)) return;
    this.#logged.add(executionId);
    logError("execution row not readable", { executionId }, error);
  };
}
