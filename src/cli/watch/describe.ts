import type { ExecutionEvent } from "../../contract/events.ts";
import { jsonText, oneLine } from "../text.ts";

const LINE = 200;

/** What an entry of a run's log says to a person; null for one that says nothing new. */
export function describe({ type, data }: ExecutionEvent): string | null {
  const said = (name: string) => oneLine(textOf(data[name]), LINE);
  switch (type) {
    case "status":
      return said("status") === "active" ? null : `${said("status")} (${said("statusDetail")})`;
    case "log":
      return said("message");
    case "tool.started":
      return `${said("tool")}: ${said("description")}`;
    case "tool.finished":
      return data.ok === false ? `${said("tool")} failed: ${failureIn(data.error)}` : null;
    case "output":
      return `made: ${said("label")}`;
    case "message.applied":
      return "a message was read";
    case "message.dropped":
      return "a message came too late";
    case "question":
      return `asks: ${said("text")}`;
    case "step.started":
    case "step.finished":
    case "message.queued":
      return null;
  }
}

/** How a question is answered on the command line; null for what asks nothing. */
export function howToAnswer(executionId: string, { type, data }: ExecutionEvent): string | null {
  if (type !== "question") return null;
  const command = `prompthook message ${executionId}`;
  if (data.kind !== "approval") return `  answer with: ${command} "your answer"`;
  const callId = oneLine(textOf(data.callId), LINE);
  return `${callText(data.input)}
  answer with: ${command} --approve ${callId}   or   ${command} --deny ${callId}`;
}

/** The whole of a call that waits for a yes: its description leaves out what a page may have put into it. */
export function callText(input: unknown): string {
  return `  it would be called with:\n${jsonText(input, "    ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function failureIn(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return oneLine(textOf(error.message), LINE);
}
