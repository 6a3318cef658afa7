import * as z from "zod";
import { type Condition, condition } from "../contract/webhooks/routing.ts";
import type { Waiter, WaitingCall } from "../contract/webhooks/waiter.ts";
import type { TableSql } from "../durable/storage.ts";
import { stored } from "./tables.ts";

const waiterRow = z.object({
  waiter_id: z.int(),
  execution_id: z.string(),
  call_id: z.string(),
  condition: stored<Condition>(condition),
  wake: z.enum(["one", "all"]),
  after_seq: z.int(),
  until: z.int(),
});
export type WaiterRow = z.infer<typeof waiterRow>;

const seqRow = z.object({ seq: z.int().nullable() });
const claimRow = z.object({ waiter_id: z.int() });

/** The calls that wait for an event, the oldest first, and the events that woke one of them alone. */
export class Waiters {
  readonly #sql: TableSql;
  /** Known, so that an endpoint without waiters pays nothing for them. */
  #isEmpty: boolean | null = null;

  constructor(sql: TableSql) {
    this.#sql = sql;
  }

  get isEmpty(): boolean {
    this.#isEmpty ??= this.#sql.exec("SELECT 1 FROM waiters LIMIT 1").toArray().length === 0;
    return this.#isEmpty;
  }

  /** Adds a waiter that looks at events received since its time. A repeat changes nothing. */
  add({ executionId, callId, when, wake, since, until }: Waiter): void {
    this.#isEmpty = false;
    const first = this.#sql
      .exec("SELECT min(seq) AS seq FROM requests WHERE received_at >= ?", since)
      .one();
    const last = this.#sql.exec("SELECT max(seq) AS seq FROM requests").one();
    const before = seqRow.parse(first).seq;
    const after = before === null ? (seqRow.parse(last).seq ?? 0) : before - 1;
    this.#sql.exec(
      `INSERT INTO waiters (execution_id, call_id, condition, wake, after_seq, until)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (execution_id, call_id) DO NOTHING`,
      executionId,
      callId,
      JSON.stringify(when),
      wake,
      after,
      until,
    );
  }

  all(): WaiterRow[] {
    return this.#sql
      .exec("SELECT * FROM waiters ORDER BY waiter_id")
      .toArray()
      .map((row) => waiterRow.parse(row));
  }

  /** Returns the calls, as an export shows them. */
  calls(): WaitingCall[] {
    return this.all().map(({ execution_id, call_id, condition: when, wake, until }) => ({
      executionId: execution_id,
      callId: call_id,
      when,
      wake,
      until,
    }));
  }

  /** Returns the places of events after a waiter's, as many as one round looks at. */
  eventsAfter(seq: number, limit: number): number[] {
    return this.#sql
      .exec(
        `SELECT seq FROM requests WHERE seq > ? AND duplicate = 0 AND status <> 'rejected'
           AND body_truncated = 0 ORDER BY seq LIMIT ?`,
        seq,
        limit,
      )
      .toArray()
      .flatMap((row) => seqRow.parse(row).seq ?? []);
  }

  /** Returns the waiter that an event belongs to alone, or null. */
  claimOf(seq: number): number | null {
    const row = this.#sql.exec("SELECT waiter_id FROM wakes WHERE seq = ?", seq).toArray()[0];
    return row === undefined ? null : claimRow.parse(row).waiter_id;
  }

  claim(seq: number, waiterId: number): void {
    this.#sql.exec(
      "INSERT INTO wakes (seq, waiter_id) VALUES (?, ?) ON CONFLICT (seq) DO NOTHING",
      seq,
      waiterId,
    );
  }

  /** Leaves an event to the other waiters again, all of which look at it anew. */
  release(seq: number): void {
    this.#sql.exec("DELETE FROM wakes WHERE seq = ?", seq);
    this.#sql.exec("UPDATE waiters SET after_seq = min(after_seq, ?)", seq - 1);
  }

  /** Notes that a waiter needs no event up to this place. */
  pass(waiterId: number, seq: number): void {
    this.#sql.exec("UPDATE waiters SET after_seq = ? WHERE waiter_id = ?", seq, waiterId);
  }

  remove(waiterId: number): void {
    this.#isEmpty = null;
    this.#sql.exec("DELETE FROM waiters WHERE waiter_id = ?", waiterId);
  }

  /** Deletes what is known of an event that is no longer logged. */
  forget(seq: number): void {
    this.#sql.exec("DELETE FROM wakes WHERE seq = ?", seq);
  }
}
