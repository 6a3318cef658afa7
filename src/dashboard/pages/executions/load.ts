import type { Prompthook } from "../../../client/prompthook.ts";
import type { CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionEvent } from "../../../contract/events.ts";
import { type ExecutionResult, type ExecutionState, isFinal } from "../../../contract/execution.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { ifVisible } from "../../lookups.ts";
/** The events of the log that a page shows at once. */
export const LOG_ENTRIES = 100;
/** The most events that one call of the API returns. */
const MAX_EVENTS = 1_000;

/** An execution as its page shows it. */
export interface LoadedExecution {
  task: ExecutionTask;
  /** Null without a workflow, and where it is deleted or the key may not read it. */
  workflowName: string | null;
  state: ExecutionState;
  /** The result so far. */
  result: ExecutionResult;
  callbacks: CallbackLog;
  log: LogWindow;
  /** The origin of the service, for commands. */
  origin: string;
}

/** Consecutive events of the log, and whether they include the newest. */
export interface LogWindow {
  events: ExecutionEvent[];
  isNewest: boolean;
}

/**
 * Loads what the page of an execution shows. `until` is the last event to show, null for the newest.
 * The status is read first: a change during the other reads has a higher version, so that the page
 * learns of it.
 */
export async function loadExecution(
  api: Prompthook,
  executionId: string,
  { until, origin }: { until: number | null; origin: string },
): Promise<LoadedExecution> {
  const state = await api.executions.status(executionId);
  const [task, result, callbacks, log] = await Promise.all([
    api.executions.task(executionId),
    api.executions.result(executionId, { partial: true }),
    api.executions.callbacks(executionId),
    readLog(api, executionId, until),
  ]);
  const { workflowId } = task;
  const workflow = workflowId === null ? null : await ifVisible(api.workflows.get(workflowId));
  const workflowName = workflow?.name ?? null;
  return { task, workflowName, state, result, callbacks, log, origin };
}

/** Returns the events up to `until`, else the newest. */
export async function readLog(
  api: Prompthook,
  executionId: string,
  until: number | null,
): Promise<LogWindow> {
  if (until !== null) {
    const after = Math.max(0, until - LOG_ENTRIES);
    const { events } = await api.executions.events(executionId, {
      after,
      limit: Math.max(1, until - after),
    });
    return { events, isNewest: false };
  }
  const events = await eventsAfter(api, executionId, 0);
  return { events: events.slice(-LOG_ENTRIES), isNewest: true };
}

/** Returns all events after this one. */
export async function eventsAfter(
  api: Prompthook,
  executionId: string,
  after: number,
): Promise<ExecutionEvent[]> {
  const events: ExecutionEvent[] = [];
  for (;;) {
    const position = events.at(-1)?.seq ?? after;
    const page = await api.executions.events(executionId, { after: position, limit: MAX_EVENTS });
    events.push(...page.events);
    if (page.events.length < MAX_EVENTS) return events;
  }
}

/** Tells whether the execution can still change by itself. */
export function isOpen({ status }: Pick<ExecutionState, "status">): boolean {
  return !isFinal(status);
}
