import type { ExecutionEvent } from "../../contract/events.ts";
import { styled, type Terminal } from "../terminal.ts";
import { countOf, duration, jsonText, oneLine, plain } from "../text.ts";

const TICK_MS = 1_000;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = "\r\u001b[2K";

/**
 * Shows an execution's progress on stderr: one line for each event and, on a terminal, a status line
 * below them.
 */
export class Progress {
  readonly #terminal: Terminal;
  readonly #startedAt = Date.now();
  readonly #ticking: ReturnType<typeof setInterval> | null;
  #status = "waiting";
  #step = 0;
  #credits = 0;
  /** What the model has written in this step, and the line that it is writing. */
  #said = "";
  #line = "";

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#ticking = terminal.stderr.isTTY ? setInterval(() => this.#draw(), TICK_MS) : null;
  }

  show(event: ExecutionEvent): void {
    this.#update(event);
    const line = this.#isSaid(event) ? null : describe(event);
    this.#endText();
    if (line !== null) this.note(line);
    this.#draw();
  }

  /** Shows what the model is writing: whole lines above the status line, the last one in its place. */
  say(text: string): void {
    const lines = plain(this.#line + text).split("\n");
    this.#said += text;
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.note(line);
    this.#draw();
  }

  #endText(): void {
    if (this.#line !== "") this.note(this.#line);
    this.#line = "";
    this.#said = "";
  }

  /** Whether an event repeats the text that was shown while it was written. */
  #isSaid({ type, data }: ExecutionEvent): boolean {
    const said = this.#said.trim();
    return type === "log" && said !== "" && textOf(data.message).trim() === said;
  }

  /** Prints a line above the status line. */
  note(line: string): void {
    this.#clear();
    this.#terminal.stderr.write(`${styled(this.#terminal.stderr, "dim", `  ${line}`)}\n`);
  }

  close(): void {
    if (this.#ticking !== null) clearInterval(this.#ticking);
    this.#clear();
  }

  #update({ type, data }: ExecutionEvent): void {
    if (type === "status") this.#status = String(data.statusDetail);
    if (type === "step.started" && typeof data.step === "number") this.#step = data.step;
    if (type !== "step.finished") return;
    if (typeof data.creditsConsumed === "number") this.#credits = data.creditsConsumed;
  }

  #draw(): void {
    const { stderr } = this.#terminal;
    if (this.#ticking === null) return;
    const spent = duration(Date.now() - this.#startedAt);
    const parts = [this.#status, `step ${this.#step}`, countOf(this.#credits, "credit"), spent];
    // Some terminals do not report their width.
    const shown = this.#line === "" ? parts.join(" · ") : this.#line.slice(-LINE);
    const line = oneLine(shown, (stderr.columns || DEFAULT_COLUMNS) - 1);
    stderr.write(`${CLEAR_LINE}${styled(stderr, "cyan", line)}`);
  }

  #clear(): void {
    if (this.#ticking !== null) this.#terminal.stderr.write(CLEAR_LINE);
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
