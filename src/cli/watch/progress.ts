import type { ExecutionEvent } from "../../contract/events.ts";
import { styled, type Terminal } from "../terminal.ts";
import { jsonText, oneLine, plain } from "../text.ts";

/** Shows an execution's progress on stderr: one line for each event, and what its model is writing. */
export class Progress {
  readonly #terminal: Terminal;
  /** What the model has written in this step, and the line that it is writing. */
  #said = "";
  #line = "";

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(event: ExecutionEvent): void {
    const line = this.#isSaid(event) ? null : describe(event);
    if (this.#line !== "") this.note(this.#line);
    this.#line = "";
    this.#said = "";
    if (line !== null) this.note(line);
  }

  /** Shows what the model is writing, in whole lines. */
  say(text: string): void {
    const lines = plain(this.#line + text).split("\n");
    this.#said += text;
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.note(line);
  }

  /** Whether an event repeats the text that was shown while it was written. */
  #isSaid({ type, data }: ExecutionEvent): boolean {
    const said = this.#said.trim();
    return type === "log" && said !== "" && textOf(data.message).trim() === said;
  }

  note(line: string): void {
    this.#terminal.stderr.write(`${styled(this.#terminal.stderr, "dim", `  ${line}`)}\n`);
  }
}

const LINE = 200;

/** Describes an event of the execution's log in words; null for one with nothing to show. */
export function describe({ type, data }: ExecutionEvent): string | null {
  const said = (name: string) => oneLine(textOf(data[name]), LINE);
  switch (type) {
    case "status":
      return said("status") === "active" ? null : `${said("status")} (${said("statusDetail")})`;
    case "plan":
      return planText(data.parts);
    case "log":
      return said("message");
    case "tool.started":
      return `${said("tool")}: ${said("description")}`;
    case "tool.finished":
      return data.ok === false ? `${said("tool")} failed: ${failureIn(data.error)}` : null;
    case "output":
      return `output: ${said("label")}`;
    case "message.applied":
      return "message delivered";
    case "message.dropped":
      return "message not delivered: the execution ended first";
    case "question":
      return `asks: ${said("text")}`;
    case "step.started":
    case "step.finished":
    case "message.queued":
      return null;
  }
}

/** Returns the command that answers a question; null for other events. */
export function howToAnswer(executionId: string, { type, data }: ExecutionEvent): string | null {
  if (type !== "question") return null;
  const command = `prompthook message ${executionId}`;
  if (data.kind !== "approval") return `  Answer with: ${command} "your answer"`;
  const callId = oneLine(textOf(data.callId), LINE);
  return `${callText(data.input)}
  Answer with: ${command} --approve ${callId}   or   ${command} --deny ${callId}`;
}

/** Returns the complete input of a tool call that requires approval; its description may omit parts. */
export function callText(input: unknown): string {
  return `  Input:\n${jsonText(input, "    ")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Formats a plan of one part on one line, and of several on a line for each. */
function planText(parts: unknown): string | null {
  if (!Array.isArray(parts) || parts.length === 0) return null;
  const lines = parts.map((part) => oneLine(textOf(part), LINE));
  if (lines.length === 1) return `plan: ${lines[0]}`;
  return ["plan:", ...lines.map((line, at) => `  ${at + 1}. ${line}`)].join("\n  ");
}

function failureIn(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return oneLine(textOf(error.message), LINE);
}
