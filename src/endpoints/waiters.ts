import * as z from "zod";
import { type Condition, condition } from "../contract/webhooks/routing.ts";
import type { Waiter } from "../contract/webhooks/waiter.ts";
import { jsonColumn, Tables } from "../durable/rows.ts";

const waiterRow = z.object({
  waiter_id: z.int(),
  execution_id: z.string(),
  call_id: z.string(),
  condition: jsonColumn<Condition>(condition),
  wake: z.enum(["one", "all"]),
  after_seq: z.int(),
  until: z.int(),
});
export type WaiterRow = z.infer<typeof waiterRow>;

const seqRow = z.object({ seq: z.int().nullable() });
const claimRow = z.object({ waiter_id: z.int() });

/** The calls that wait for an event, the oldest first, and the events that woke one of them alone. */
export class Waiters extends Tables {
  /** Known, so that an endpoint without waiters pays nothing for them. */
  #isEmpty: boolean | null = null;

  get isEmpty(): boolean {
    this.#isEmpty ??= !this.exists("SELECT 1 FROM waiters LIMIT 1");
    return this.#isEmpty;
  }

  /** Adds a waiter that looks at events received since its time. A repeat changes nothing. */
  add({ executionId, callId, when, wake, since, until }: Waiter): void {
    this.#isEmpty = false;
    const first = this.sql
      .exec("SELECT min(seq) AS seq FROM requests WHERE received_at >= ?", since)
      .one();
    const last = this.sql.exec("SELECT max(seq) AS seq FROM requests").one();
    const before = seqRow.parse(first).seq;
    const after = before === null ? (seqRow.parse(last).seq ?? 0) : before - 1;
    const waiter = { execution_id: executionId, call_id: callId, condition: JSON.stringify(when) };
    const row = { ...waiter, wake, after_seq: after, until };
    this.insert("waiters", row, "ON CONFLICT (execution_id, call_id) DO NOTHING");
  }

  all(): WaiterRow[] {
    return this.rows(waiterRow, "SELECT * FROM waiters ORDER BY waiter_id");
  }

  /** Returns the places of events after a waiter's, as many as one round looks at. */
  eventsAfter(seq: number, limit: number): number[] {
    const query = `SELECT seq FROM requests WHERE seq > ? AND duplicate = 0
      AND status <> 'rejected' AND body_truncated = 0 ORDER BY seq LIMIT ?`;
    return this.rows(seqRow, query, seq, limit).flatMap((row) => row.seq ?? []);
  }

  /** Returns the waiter that an event belongs to alone, or null. */
  claimOf(seq: number): number | null {
    const query = "SELECT waiter_id FROM wakes WHERE seq = ?";
    return this.first(claimRow, query, seq)?.waiter_id ?? null;
  }

  claim(seq: number, waiterId: number): void {
    const row = { seq, waiter_id: waiterId };
    this.insert("wakes", row, "ON CONFLICT (seq) DO NOTHING");
  }

  /** Leaves an event to the other waiters again, all of which look at it anew. */
  release(seq: number): void {
    this.sql.exec("DELETE FROM wakes WHERE seq = ?", seq);
    this.sql.exec("UPDATE waiters SET after_seq = min(after_seq, ?)", seq - 1);
  }

  /** Notes that a waiter needs no event up to this place. */
  pass(waiterId: number, seq: number): void {
    this.sql.exec("UPDATE waiters SET after_seq = ? WHERE waiter_id = ?", seq, waiterId);
  }

  remove(waiterId: number): void {
    this.#isEmpty = null;
    this.sql.exec("DELETE FROM waiters WHERE waiter_id = ?", waiterId);
  }

  /** Deletes what is known of an event that is no longer logged. */
  forget(seq: number): void {
    this.sql.exec("DELETE FROM wakes WHERE seq = ?", seq);
  }
}
