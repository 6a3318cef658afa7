import type { ExecutionState } from "../../../../contract/execution.ts";
import type { Refusal } from "../../../forms/faults.ts";

export type RunForm = "answer" | "decide" | "say" | "stop" | "redeliver";

/** A form of the page that was not taken, with what was typed into it. */
export interface Sent {
  form: RunForm;
  refusal: Refusal;
  text: string;
}

/** What there is to show again in one of the page's forms. */
export function sentTo(form: RunForm, sent: Sent | null): Sent | null {
  return sent !== null && sent.form === form ? sent : null;
}

/**
 * The form to show it again in: an answer to a question that is not open any more, as when somebody
 * else was quicker, is kept in the box for messages, so that its text is not lost.
 */
export function placed(sent: Sent | null, { question }: ExecutionState): Sent | null {
  if (sent === null) return null;
  const isGone =
    (sent.form === "answer" && question?.kind !== "question") ||
    (sent.form === "decide" && question?.kind !== "approval");
  return isGone ? { ...sent, form: "say" } : sent;
}

/** The controls that somebody types into, each of which tells its own fault. */
const TYPED = ["answer", "note", "message", "reason", "callbackUrl"];

/** Whether a fault has a control with its name on the page. */
export function isTyped(name: string): boolean {
  return TYPED.includes(name);
}
