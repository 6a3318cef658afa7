import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import type { Condition } from "../contract/webhooks/routing.ts";
import { sourcesOf } from "../intake/mapping/sources.ts";
import { WorkBudget } from "../intake/mapping/work-budget.ts";
import { loggedAddress, loggedHeaders, loggedPayload } from "../intake/reevaluate.ts";
import { judge } from "../intake/routing/condition.ts";
import { type CallOutcome, type SessionCalls, tellEvent } from "./session-calls.ts";
import type { WaiterRow, Waiters } from "./waiters.ts";

/** Events that a waiter looks at before the next waiter does. */
const PORTION = 100;
/** The pause before an execution is called again that could not take its event yet. */
const RETRY_MS = 1_000;
/** How long a waiter stays after its time: its call may not be over yet. */
const GRACE_MS = 60_000;

/** What waking needs besides the waiters. */
export interface WakeContext extends SessionCalls {
  waiters: Waiters;
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
    const outcome = await advance(context, row);
    if (outcome === "more") sooner(now());
    if (outcome === "later") sooner(now() + RETRY_MS);
    if (outcome === "waits") sooner(row.until + GRACE_MS);
  }
  return next;
}

async function advance(
  context: WakeContext,
  row: WaiterRow,
): Promise<"gone" | "more" | "later" | "waits"> {
  const { waiters, storage, requestAt, now } = context;
  const { waiter_id: waiterId } = row;
  if (row.until + GRACE_MS <= now()) {
    waiters.remove(waiterId);
    return "gone";
  }
  const events = waiters.eventsAfter(row.after_seq, PORTION);
  for (const seq of events) {
    const request = requestAt(seq);
    const claim = waiters.claimOf(seq);
    const isTaken = row.wake === "one" && claim !== null && claim !== waiterId;
    if (request === null || isTaken || !(await isMet(row.condition, request))) continue;
    storage.transactionSync(() => {
      waiters.pass(waiterId, seq - 1);
      if (row.wake === "one") waiters.claim(seq, waiterId);
    });
    const outcome: CallOutcome = await tellEvent(context, row.execution_id, request, {
      messageId: `wake_${row.call_id}`,
      answers: row.call_id,
    });
    if (outcome === "later") return "later";
    storage.transactionSync(() => {
      waiters.remove(waiterId);
      if (outcome === "over" && row.wake === "one") waiters.release(seq);
    });
    return outcome === "over" ? "more" : "gone";
  }
  const last = events.at(-1);
  if (last !== undefined) waiters.pass(waiterId, last);
  return events.length === PORTION ? "more" : "waits";
}

/** Returns whether a logged request fulfils a condition. */
export async function isMet(condition: Condition, request: ReceivedRequest): Promise<boolean> {
  const parsed = await loggedPayload(request);
  if (!parsed.ok) return false;
  const sources = sourcesOf(request.method, loggedAddress(request), loggedHeaders(request));
  const input = { payload: parsed.payload, sources, budget: new WorkBudget() };
  return (await judge(condition, input)).holds;
}
