import type { Prompthook } from "../../../client/prompthook.ts";
import type { ExecutionEvent } from "../../../contract/events.ts";
import { type ExecutionResult, type ExecutionState, isFinal } from "../../../contract/execution.ts";
import type { Page } from "../../context.ts";
import { ifVisible } from "../../lookups.ts";

/** The most events that one call of the API returns, and that a page shows. */
const MAX_EVENTS = 1_000;

const TABS = ["result", "timeline", "callbacks"] as const;
export type Tab = (typeof TABS)[number];

/** Consecutive events of the log. */
interface LogWindow {
  events: ExecutionEvent[];
  /** The event before the first of them; zero at the start of the log. */
  after: number;
  /** Where the next window starts; null where the log ends with this one. */
  nextAfter: number | null;
}

/** An execution as its page shows it. */
export type LoadedExecution = Awaited<ReturnType<typeof loadExecution>>;

/**
 * Loads what the page of an execution shows, of which its address may name the tab, the event that is open,
 * or the one after which the timeline starts. The status is read first: a change during the other reads has
 * a higher version, so that the page learns of it.
 */
export async function loadExecution(http: Page) {
  const api = http.get("api");
  const executionId = http.req.param("executionId") ?? "";
  const opened = wholeNumber(http.req.query("event"));
  const after = wholeNumber(http.req.query("after"));
  const asked = TABS.find((tab) => tab === http.req.query("tab"));
  const state = await api.executions.status(executionId);
  const [task, result] = await Promise.all([
    api.executions.task(executionId),
    api.executions.result(executionId, { partial: true }),
  ]);
  const tab = asked ?? firstTab(state, result);
  const isResult = tab === "result";
  // Outputs name the steps of their sources.
  const hasSources = isResult && result.outputs.some(({ sources }) => sources.length > 0);
  const { workflowId } = task;
  const decisionId = state.question?.decisionId;
  const [callbacks, log, workflow, decision, scored] = await Promise.all([
    tab === "callbacks" ? api.executions.callbacks(executionId) : null,
    tab === "timeline" || hasSources
      ? readLog(api, executionId, windowStart(after, opened, state))
      : NO_LOG,
    workflowId === null ? null : ifVisible(api.workflows.get(workflowId)),
    decisionId === undefined ? null : ifVisible(api.decisions.get(decisionId)),
    isResult && !isOpen(state) ? api.executions.scores(executionId) : null,
  ]);
  // What is deleted, or what the key may not read, is null; so are the parts of the other tabs.
  const workflowName = workflow?.name ?? null;
  const scores = scored?.scores ?? [];
  return { task, workflowName, state, result, log, tab, opened, callbacks, decision, scores };
}

/** Returns a whole number of an address, or null for another text. */
export const wholeNumber = (text = ""): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null;

/** What came out comes first, once there is something. */
function firstTab(state: ExecutionState, { outputs }: ExecutionResult): Tab {
  if (isOpen(state)) return "timeline";
  return state.status === "completed" || outputs.length > 0 ? "result" : "timeline";
}

const NO_LOG: LogWindow = { events: [], after: 0, nextAfter: null };

/** Returns where a window starts: a running execution is followed at its end. */
function windowStart(
  after: number | null,
  opened: number | null,
  state: ExecutionState,
): number | "end" {
  if (after !== null) return after;
  if (opened !== null) return Math.floor((opened - 1) / MAX_EVENTS) * MAX_EVENTS;
  return isOpen(state) ? "end" : 0;
}

/** Returns a window of the log that starts after this event, or that ends with the newest. */
async function readLog(
  api: Prompthook,
  executionId: string,
  from: number | "end",
): Promise<LogWindow> {
  let after = from === "end" ? 0 : from;
  for (;;) {
    const page = await api.executions.events(executionId, { after, limit: MAX_EVENTS });
    const isFull = page.events.length === MAX_EVENTS;
    if (!isFull || from !== "end") {
      return { events: page.events, after, nextAfter: isFull ? page.nextAfter : null };
    }
    after = page.nextAfter;
  }
}

/** Tells whether the execution can still change by itself. */
export function isOpen({ status }: Pick<ExecutionState, "status">): boolean {
  return !isFinal(status);
}
