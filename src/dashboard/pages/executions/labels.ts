import type { Effect, ExecutionRow, Origin, StatusDetail } from "../../../contract/execution.ts";
import type { WorkflowNames } from "../../lookups.ts";

/** Why a run is in its status, in words. */
export const DETAIL_LABELS: Record<StatusDetail, string> = {
  queued: "Waiting to begin",
  planning: "Thinking about how to begin",
  running: "At work",
  retrying: "Trying again after a failure",
  question: "Has a question for you",
  approval: "Wants your approval",
  done: "Done",
  user_request: "Stopped by request",
  credits_exhausted: "The account has no credits left",
  budget_reached: "The credits that it might use are used up",
  step_limit: "It took as many steps as it may",
  timed_out: "It took as long as it may",
  model_error: "The agent could not do it, or its model failed",
  input_timeout: "Nobody answered in time",
  internal_error: "Something went wrong on our side",
};

/** What started a run. */
export const ORIGIN_LABELS: Record<Origin, string> = {
  api: "API or dashboard",
  webhook: "Webhook",
  replay: "Replay",
  workflow: "Workflow",
};

/** What the state of an effect means for whoever reads it. */
export const EFFECT_LABELS: Record<Effect["state"], string> = {
  confirmed: "It was done.",
  failed: "It was tried and did not work.",
  uncertain:
    "It was under way when it was cut off, or got no answer. It may have happened: look there. It is not repeated.",
};

/** A span of time as people say it: `40 ms`, `0.4 s`, `12 s`, `4 min 10 s`, `3 h 5 min`. */
export function spanOf(ms: number): string {
  if (ms < 100) return `${Math.max(ms, 0)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const all = Math.round(ms / 1_000);
  const [hours, minutes, seconds] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  const parts =
    hours > 0
      ? [
          [hours, "h"],
          [minutes, "min"],
        ]
      : [
          [minutes, "min"],
          [seconds, "s"],
        ];
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(" ");
}

/** A moment by its distance from the beginning: `+0.42 s`, `+4 min 10 s`. */
export function offsetOf(ms: number): string {
  return ms < 10_000 ? `+${(Math.max(ms, 0) / 1_000).toFixed(2)} s` : `+${spanOf(ms)}`;
}

/** `1 step`, `2 steps`. */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

/** The beginning of a text as one line, short enough for a heading. */
export function headingOf(text: string, most = 70): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  const points = [...line];
  return points.length <= most
    ? line
    : `${points
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** What a run is called: by its workflow, whose runs all have one prompt, then by its prompt. */
export function titleOf(
  row: Pick<ExecutionRow, "promptPreview" | "workflowId">,
  names: WorkflowNames,
  most?: number,
): string {
  const name = row.workflowId === null ? undefined : names.get(row.workflowId);
  return headingOf(name === undefined ? row.promptPreview : `${name}: ${row.promptPreview}`, most);
}

/** A table in Markdown, with the colon and the empty lines that lead to it. */
const TABLE = /:?\s*(?:^[ \t]*\|.*(?:\n|$))+/gm;

/** The beginning of what came out as one line: its sentences, without the tables between them. */
export function sentencesOf(text: string, most: number): string {
  const sentences = text
    .slice(0, 4_000)
    .replace(TABLE, (found) => (found.startsWith(":") ? ".\n" : "\n"));
  return headingOf(sentences, most) || headingOf(text, most);
}
