import * as z from "zod";
import type { Waiter } from "../contract/tools/call.ts";
import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import { type Condition, condition } from "../contract/webhooks/routing.ts";
import { jsonColumn, rowShape, Tables } from "../durable/rows.ts";
import { loggedPayload, sourcesOfLogged } from "../intake/logged.ts";
import { WorkBudget } from "../intake/mapping/work-budget.ts";
import { judge } from "../intake/routing/condition.ts";
import { type CallResult, type SessionCalls, tellEvent } from "./session-calls.ts";

const waiterRow = rowShape({
  waiterId: z.int(),
  executionId: z.string(),
  callId: z.string(),
  condition: jsonColumn<Condition>(condition),
  wake: z.enum(["one", "all"]),
  afterSeq: z.int(),
  until: z.int(),
});
export type WaiterRow = z.infer<typeof waiterRow>;

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
    const first = this.number("SELECT min(seq) FROM requests WHERE received_at >= ?", since);
    const afterSeq = this.number("SELECT coalesce(? - 1, max(seq), 0) FROM requests", first);
    const row = { executionId, callId, condition: when, wake, afterSeq, until };
    this.insert("waiters", row, "ON CONFLICT (execution_id, call_id) DO NOTHING");
  }

  all(): WaiterRow[] {
    return this.rows(waiterRow, "SELECT * FROM waiters ORDER BY waiter_id");
  }

  /** Returns the places of events after a waiter's, as many as one round looks at. */
  eventsAfter(seq: number, limit: number): number[] {
    const query = `SELECT seq FROM requests WHERE seq > ? AND duplicate = 0
      AND status <> 'rejected' AND body_truncated = 0 ORDER BY seq LIMIT ?`;
    return this.numbers(query, seq, limit);
  }

  /** Returns the waiter that an event belongs to alone, or null. */
  claimOf(seq: number): number | null {
    return this.number("SELECT waiter_id FROM wakes WHERE seq = ?", seq);
  }

  claim(seq: number, waiterId: number): void {
    this.insert("wakes", { seq, waiterId }, "ON CONFLICT (seq) DO NOTHING");
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

/** Events that a waiter looks at before the next waiter does. */
const PORTION = 100;
/** The pause before an execution is called again that could not take its event yet. */
const RETRY_MS = 1_000;
/** How long a waiter stays after its time: its call may not be over yet. */
const GRACE_MS = 60_000;

/** What waking needs besides the waiters. */
export interface WakeContext extends SessionCalls {
  waiters: Waiters;
  /** Whether a route that the event at this place matched wakes one call alone. */
  isForOne(seq: number): boolean;
  /** Whether the endpoint is deleted, so that no further event arrives. */
  isDeleted(): boolean;
}

/**
 * Wakes the calls whose event has arrived, the oldest first. The inbox claims an event before it
 * calls the session, which recognises a repeat. Returns when to look again, in epoch milliseconds, or null.
 */
export async function wakeWaiters(context: WakeContext, until: number): Promise<number | null> {
  const { waiters, now } = context;
  let next: number | null = null;
  const sooner = (at: number) => {
    next = Math.min(next ?? at, at);
  };
  for (const row of waiters.all()) {
    if (now() >= until) return now();
    const result = await advance(context, row);
    if (result === "more") sooner(now());
    if (result === "later") sooner(now() + RETRY_MS);
    if (result === "waits") sooner(row.until + GRACE_MS);
  }
  return next;
}

async function advance(
  context: WakeContext,
  row: WaiterRow,
): Promise<"gone" | "more" | "later" | "waits"> {
  const { waiters, storage, requestAt, isForOne, isDeleted, now } = context;
  const { waiterId, executionId, callId } = row;
  const call = { messageId: `wake_${callId}`, answers: callId };
  if (row.until + GRACE_MS <= now()) {
    waiters.remove(waiterId);
    return "gone";
  }
  const events = waiters.eventsAfter(row.afterSeq, PORTION);
  for (const seq of events) {
    const request = requestAt(seq);
    const claim = waiters.claimOf(seq);
    const isAlone = row.wake === "one" || isForOne(seq);
    const isTaken = isAlone && claim !== null && claim !== waiterId;
    if (request === null || isTaken || !(await isMet(row.condition, request))) continue;
    storage.transactionSync(() => {
      waiters.pass(waiterId, seq - 1);
      if (isAlone) waiters.claim(seq, waiterId);
    });
    const result: CallResult = await tellEvent(context, executionId, request, call);
    if (result === "later") return "later";
    storage.transactionSync(() => {
      waiters.remove(waiterId);
      if (result === "over" && isAlone) waiters.release(seq);
    });
    return result === "over" ? "more" : "gone";
  }
  const last = events.at(-1);
  if (last !== undefined) waiters.pass(waiterId, last);
  if (events.length === PORTION) return "more";
  if (!isDeleted()) return "waits";
  if ((await tellEvent(context, executionId, null, call)) === "later") return "later";
  waiters.remove(waiterId);
  return "gone";
}

/** Returns whether a logged request fulfils a condition. */
export async function isMet(condition: Condition, request: ReceivedRequest): Promise<boolean> {
  const parsed = await loggedPayload(request);
  if (!parsed.ok) return false;
  const sources = sourcesOfLogged(request);
  const input = { payload: parsed.payload, sources, budget: new WorkBudget() };
  return (await judge(condition, input)).holds;
}
