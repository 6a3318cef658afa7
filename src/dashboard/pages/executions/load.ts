import { PrompthookError } from "../../../client/error.ts";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionEvent } from "../../../contract/events.ts";
import { type ExecutionResult, type ExecutionState, isFinal } from "../../../contract/execution.ts";
import type { ExecutionTask } from "../../../contract/task.ts";

/** Entries of the log that a page shows at once. */
export const LOG_ENTRIES = 100;
/** Entries that one call of the API brings at most. */
const MOST_EVENTS = 1_000;

/** A run as its page shows it. */
export interface LoadedExecution {
  task: ExecutionTask;
  /** Null without a workflow, and where it is gone or may not be read. */
  workflowName: string | null;
  state: ExecutionState;
  /** The result until now. */
  result: ExecutionResult;
  callbacks: CallbackLog;
  log: LogWindow;
  /** Where the service is, for commands. */
  origin: string;
}

/** Entries of the log without a gap, and whether they reach up to now. */
export interface LogWindow {
  events: ExecutionEvent[];
  isNewest: boolean;
}

/**
 * All that the page of a run shows. `until` is the last entry of the log to be shown; without it the
 * newest are. The status is read first: whatever comes while the rest is read has a higher version, so
 * that the reader's page is told of it.
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
  const workflowName = await nameOf(api, task.workflowId);
  return { task, workflowName, state, result, callbacks, log, origin };
}

async function nameOf(api: Prompthook, workflowId: string | null): Promise<string | null> {
  if (workflowId === null) return null;
  try {
    return (await api.workflows.get(workflowId)).name;
  } catch (error) {
    if (error instanceof PrompthookError && (error.status === 403 || error.status === 404)) {
      return null;
    }
    throw error;
  }
}

/** Entries of the log: those up to `until`, else the newest. */
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

/** All entries of the log after this one. */
export async function eventsAfter(
  api: Prompthook,
  executionId: string,
  after: number,
): Promise<ExecutionEvent[]> {
  const events: ExecutionEvent[] = [];
  for (;;) {
    const position = events.at(-1)?.seq ?? after;
    const page = await api.executions.events(executionId, { after: position, limit: MOST_EVENTS });
    events.push(...page.events);
    if (page.events.length < MOST_EVENTS) return events;
  }
}

/** Whether anything of the run may still change by itself. */
export function isOpen({ status }: Pick<ExecutionState, "status">): boolean {
  return !isFinal(status);
}
