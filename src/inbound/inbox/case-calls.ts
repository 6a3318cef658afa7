import type { ReceivedRequest } from "../../contract/inbound/inbox.ts";
import type { MessageReply, SessionHostApi } from "../../contract/session.ts";
import type { TableStorage } from "../../durable/storage.ts";
import { mapConcurrently, within } from "../../lib/async.ts";
import { exactJson } from "../../lib/json-values.ts";
import { logWarning } from "../../lib/log.ts";
import { loggedPayload } from "../reevaluate.ts";
import { nextStep } from "../routing/case.ts";
import type { CaseRow } from "./cases.ts";
import type { Components } from "./components.ts";
import { seqOf } from "./starts.ts";

/** Cases that one round looks at, and the calls that it makes at a time. */
const PORTION = 100;
const CALLS = 6;
const CALL_TIMEOUT_MS = 10_000;
/** The pause before a call is repeated that an execution could not take yet. */
const RETRY_MS = 1_000;

/** What the calls of cases need besides the inbox's components. */
export interface CaseCallContext {
  components: Pick<Components, "cases" | "router" | "starts">;
  storage: Pick<TableStorage, "transactionSync">;
  /** Returns the request at this place in the order of arrival, or null if it is gone. */
  requestAt(seq: number): ReceivedRequest | null;
  /** Epoch milliseconds. */
  now(): number;
  host(executionId: string): Pick<SessionHostApi, "message" | "stop">;
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
  const { case_id: caseId } = row;
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
      const outcome = await stop(context, step.executionId);
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

/** `over`: the execution has ended. `later`: it cannot take the call yet. */
type CallOutcome = "done" | "over" | "later";

async function tell(
  { requestAt, host }: CaseCallContext,
  executionId: string,
  startId: number,
): Promise<CallOutcome> {
  const request = requestAt(seqOf({ start_id: startId }));
  if (request === null) return "over";
  const { requestId, receivedAt } = request;
  const parsed = await loggedPayload(request);
  const payload = parsed.ok ? exactJson(parsed.payload) : null;
  const event = { requestId, receivedAt: new Date(receivedAt).toISOString(), payload };
  return await called(executionId, async () => {
    const reply = await host(executionId).message(executionId, {
      text: null,
      event,
      mode: "next_step",
      // A repeat is recognised by it.
      messageId: `evt_${requestId}_${startId}`,
      approval: null,
      idempotency: null,
      ifVersion: null,
    });
    return outcomeOf(reply);
  });
}

function outcomeOf(reply: MessageReply): CallOutcome {
  switch (reply.kind) {
    case "accepted":
      return "done";
    case "not_active":
      return "over";
    default:
      return "later";
  }
}

function stop({ host }: CaseCallContext, executionId: string): Promise<CallOutcome> {
  return called(executionId, async () => {
    const command = { reason: "A further event of the case replaced it.", ifVersion: null };
    const reply = await host(executionId).stop(executionId, command);
    return reply.kind === "stopped" ? "done" : "later";
  });
}

async function called(executionId: string, call: () => Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await within("the session", CALL_TIMEOUT_MS, call());
  } catch (error) {
    logWarning("case not advanced", { executionId }, error);
    return "later";
  }
}
