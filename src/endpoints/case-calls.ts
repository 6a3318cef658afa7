import { nextStep } from "../intake/routing/case.ts";
import { mapConcurrently } from "../lib/async.ts";
import type { CaseRow } from "./cases.ts";
import type { Components } from "./components.ts";
import { type CallOutcome, type SessionCalls, stopReplaced, tellEvent } from "./session-calls.ts";
import { seqOf } from "./starts.ts";

/** Cases that one round looks at, and the calls that it makes at a time. */
const PORTION = 100;
const CALLS = 6;
/** The pause before a call is repeated that an execution could not take yet. */
const RETRY_MS = 1_000;

/** What the calls of cases need besides the inbox's components. */
export interface CaseCallContext extends SessionCalls {
  components: Pick<Components, "cases" | "router" | "starts">;
}

/**
 * Does what the cases that are due need of their executions: tells them of events, and stops them. A crash
 * between a call and its record repeats the call, which changes nothing. Returns when to call next, in epoch
 * milliseconds, or null.
 */
export async function advanceCases(
  context: CaseCallContext,
  until: number,
): Promise<number | null> {
  const { cases } = context.components;
  for (let now = context.now(); now < until; now = context.now()) {
    const due = cases.due(now, PORTION);
    if (due.length === 0) break;
    await mapConcurrently(CALLS, due, (row) => advanceCase(context, row));
  }
  return cases.nextDue();
}

async function advanceCase(context: CaseCallContext, row: CaseRow): Promise<void> {
  const { cases, router, starts } = context.components;
  const { caseId } = row;
  const record = (change: (now: number) => void) =>
    context.storage.transactionSync(() => change(context.now()));
  const step = nextStep(cases.state(row), context.now());
  switch (step.do) {
    case "tell": {
      const { startId, executionId } = step;
      // Before the call: if its answer is lost and the execution ends, it is asked again.
      record(() => starts.noteTold(startId, executionId));
      const outcome = await tell(context, executionId, startId);
      record((now) => {
        if (outcome === "done") return router.told(startId, executionId, now);
        if (outcome === "later") return cases.plan(caseId, now + RETRY_MS);
        starts.noteTold(startId, null);
        router.ended(executionId, now);
        router.settle(caseId, now);
      });
      return;
    }
    case "stop": {
      const outcome = await stopReplaced(context, step.executionId);
      record((now) => {
        if (outcome === "later") cases.plan(caseId, now + RETRY_MS);
        else router.ended(step.executionId, now);
      });
      return;
    }
    default:
      record((now) => router.settle(caseId, now));
  }
}

async function tell(
  context: CaseCallContext,
  executionId: string,
  startId: number,
): Promise<CallOutcome> {
  const request = context.requestAt(seqOf({ startId }));
  if (request === null) return "over";
  const messageId = `evt_${request.requestId}_${startId}`;
  return await tellEvent(context, executionId, request, { messageId });
}
