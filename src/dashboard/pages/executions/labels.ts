import type { Effect, ExecutionRow, Origin, StatusDetail } from "../../../contract/execution.ts";
import { cutPlaces } from "../../../lib/text.ts";
import { headline } from "../../format.ts";
import type { WorkflowNames } from "../../lookups.ts";

/** Why an execution has its status. */
export const DETAIL_LABELS: Record<StatusDetail, string> = {
  queued: "Queued",
  planning: "Planning",
  running: "Running",
  retrying: "Retrying after a failure",
  question: "Asks you a question",
  approval: "Requires your approval",
  event: "Waits for an event",
  done: "Completed",
  user_request: "Stopped by request",
  superseded: "Replaced by a further event of its case",
  credits_exhausted: "The account has no credits left",
  limit_reached: "A limit of its workflow or endpoint was reached",
  budget_reached: "Credit or price limit reached",
  step_limit: "Step limit reached",
  timed_out: "Timed out",
  cannot_do: "The agent could not do the task",
  source_unavailable: "A source could not be read",
  model_error: "The model failed",
  input_timeout: "No answer in time",
  denied: "Denied by a person",
  internal_error: "Internal error",
};

/** Returns the status for people: what a person denied is no failure, and a machine's event no input. */
export function shownStatus(row: Pick<ExecutionRow, "status" | "statusDetail">): string {
  const { status, statusDetail } = row;
  if (statusDetail === "event") return "waiting_for_event";
  return statusDetail === "denied" ? statusDetail : status;
}

/** What started an execution. */
export const ORIGIN_LABELS: Record<Origin, string> = {
  api: "API or dashboard",
  webhook: "Webhook",
  replay: "Replay",
  workflow: "Workflow",
  schedule: "Schedule",
  rehearsal: "Rehearsal",
};

/** What the state of an effect means. */
export const EFFECT_LABELS: Record<Effect["state"], string> = {
  confirmed: "Confirmed.",
  failed: "Failed.",
  rehearsed: "Noted by a rehearsal. It was not done.",
  uncertain:
    "Interrupted, unanswered or answered with a server's error. It may have happened: check the target. It is not repeated.",
};

/** Returns the title of an execution: its workflow's name, if any, and its prompt. */
export function titleOf(
  row: Pick<ExecutionRow, "promptPreview" | "workflowId">,
  names: WorkflowNames,
  most?: number,
): string {
  const name = row.workflowId === null ? undefined : names.get(row.workflowId);
  return headline(name === undefined ? row.promptPreview : `${name}: ${row.promptPreview}`, most);
}

/** Puts the failure of a page or an input in plain words: `Could not open https://…: 404`, `format: is not valid`. */
export function plainError(message: string): string {
  return message
    .replace(/^(\S+) could not be read: \1 /, "$1 ")
    .replace(/✖ (.+)\s+→ at (\S+)/g, "$2: $1")
    .replace(/^(https?:\S+) returned status (\d+)\.?$/, "Could not open $1: $2");
}

/** Says why data may be incomplete: its sources were cut at these places, as far as they are known. */
export function incompleteBy(cuts: readonly string[]): string {
  if (cuts.length === 0) return "A text or a source was cut: a part may be missing.";
  const source = cuts.length === 1 ? "A source was" : "Sources were";
  return `${source} cut ${cutPlaces(cuts)}: figures may be incomplete.`;
}
