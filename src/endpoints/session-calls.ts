import type { SessionHostApi } from "../contract/session.ts";
import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import type { TableStorage } from "../durable/rows.ts";
import { loggedPayload } from "../intake/logged.ts";
import { nextStep } from "../intake/routing/case.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { iso } from "../lib/instants.ts";
import { exactJson } from "../lib/json-values.ts";
import { logWarning } from "../lib/log.ts";
import type { CaseRow, Cases } from "./cases.ts";
import type { Router } from "./router.ts";
import { type Starts, seqOf } from "./starts.ts";

const CALL_TIMEOUT_MS = 10_000;

/** What an inbox needs to call executions. */
export interface SessionCalls {
  storage: Pick<TableStorage, "transactionSync">;
  /** Returns the request at this place in the order of arrival, or null if it is gone. */
  requestAt(seq: number): ReceivedRequest | null;
  /** Epoch milliseconds. */
  now(): number;
  host(executionId: string): Pick<SessionHostApi, "message" | "stop">;
}

/** `over`: the execution, or the call, has ended. `later`: it cannot take the call yet. */
export type CallResult = "done" | "over" | "later";

/**
 * Tells an execution of an event, as data. A repeat is recognised by `messageId`, also after its end.
 * With `answers` the event is the answer of that call; null says that none can arrive any more.
 */
export async function tellEvent(
  { host }: SessionCalls,
  executionId: string,
  request: ReceivedRequest | null,
  { messageId, answers }: { messageId: string; answers?: string },
): Promise<CallResult> {
  const event = request && (await eventOf(request));
  return await called(executionId, async () => {
    const reply = await host(executionId).message(executionId, {
      text: null,
      ...(event !== null && { event }),
      ...(answers !== undefined && { answers }),
      mode: "next_step",
      messageId,
      approval: null,
      idempotency: null,
      ifVersion: null,
    });
    if (reply.kind === "accepted") return "done";
    return reply.kind === "not_active" ? "over" : "later";
  });
}

async function eventOf(request: ReceivedRequest) {
  const { requestId, receivedAt } = request;
  const parsed = await loggedPayload(request);
  const payload = parsed.ok ? exactJson(parsed.payload) : null;
  return { requestId, receivedAt: iso(receivedAt), payload };
}

/** Stops an execution that another one replaces. */
function stopReplaced({ host }: SessionCalls, executionId: string): Promise<CallResult> {
  return called(executionId, async () => {
    const reason = "A further event of the case replaced it.";
    const command = { reason, ifVersion: null, detail: "superseded" } as const;
    const reply = await host(executionId).stop(executionId, command);
    return reply.kind === "stopped" ? "done" : "later";
  });
}

async function called(executionId: string, call: () => Promise<CallResult>): Promise<CallResult> {
  try {
    return await within("the session", CALL_TIMEOUT_MS, call());
  } catch (error) {
    logWarning("execution not told", { executionId }, error);
    return "later";
  }
}

/** Cases that one round looks at, and the calls that it makes at a time. */
const PORTION = 100;
const CALLS = 6;
/** The pause before a call is repeated that an execution could not take yet. */
const RETRY_MS = 1_000;

/** What the calls of cases need besides the inbox's components. */
export interface CaseCallContext extends SessionCalls {
  components: { cases: Cases; router: Router; starts: Starts };
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
      const result = await tell(context, executionId, startId);
      record((now) => {
        if (result === "done") return router.told(startId, executionId, now);
        if (result === "later") return cases.plan(caseId, now + RETRY_MS);
        starts.noteTold(startId, null);
        router.ended(executionId, now);
        router.settle(caseId, now);
      });
      return;
    }
    case "stop": {
      const result = await stopReplaced(context, step.executionId);
      record((now) => {
        if (result === "later") cases.plan(caseId, now + RETRY_MS);
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
): Promise<CallResult> {
  const request = context.requestAt(seqOf({ startId }));
  if (request === null) return "over";
  const messageId = `evt_${request.requestId}_${startId}`;
  return await tellEvent(context, executionId, request, { messageId });
}
