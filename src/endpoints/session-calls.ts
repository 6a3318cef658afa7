import type { SessionHostApi } from "../contract/session.ts";
import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import type { TableStorage } from "../durable/rows.ts";
import { loggedPayload } from "../intake/reevaluate.ts";
import { within } from "../lib/async.ts";
import { exactJson } from "../lib/json-values.ts";
import { logWarning } from "../lib/log.ts";

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
export type CallOutcome = "done" | "over" | "later";

/**
 * Tells an execution of an event, as data. A repeat is recognised by `messageId`, also after its end.
 * With `answers` the event is the answer of that call.
 */
export async function tellEvent(
  { host }: SessionCalls,
  executionId: string,
  request: ReceivedRequest,
  { messageId, answers }: { messageId: string; answers?: string },
): Promise<CallOutcome> {
  const { requestId, receivedAt } = request;
  const parsed = await loggedPayload(request);
  const payload = parsed.ok ? exactJson(parsed.payload) : null;
  const event = { requestId, receivedAt: new Date(receivedAt).toISOString(), payload };
  return await called(executionId, async () => {
    const reply = await host(executionId).message(executionId, {
      text: null,
      event,
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

/** Stops an execution that another one replaces. */
export function stopReplaced({ host }: SessionCalls, executionId: string): Promise<CallOutcome> {
  return called(executionId, async () => {
    const reason = "A further event of the case replaced it.";
    const command = { reason, ifVersion: null, detail: "superseded" } as const;
    const reply = await host(executionId).stop(executionId, command);
    return reply.kind === "stopped" ? "done" : "later";
  });
}

async function called(executionId: string, call: () => Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await within("the session", CALL_TIMEOUT_MS, call());
  } catch (error) {
    logWarning("execution not told", { executionId }, error);
    return "later";
  }
}
