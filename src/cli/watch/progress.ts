import type { ExecutionEvent } from "../../contract/events.ts";
import { styled, type Terminal } from "../terminal.ts";
import { countOf, duration, jsonText, oneLine } from "../text.ts";

const TICK_MS = 1_000;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = "\r\u001b[2K";

/**
 * Shows on stderr how a run comes along: what happened, line by line, and on a terminal, below that,
 * one line that says how it stands.
 */
export class Progress {
  readonly #terminal: Terminal;
  readonly #begun = Date.now();
  readonly #ticking: ReturnType<typeof setInterval> | null;
  #standing = "waiting";
  #step = 0;
  #credits = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#ticking = terminal.stderr.isTTY ? setInterval(() => this.#draw(), TICK_MS) : null;
  }

  show(event: ExecutionEvent): void {
    this.#learn(event);
    const line = describe(event);
    if (line !== null) this.note(line);
    this.#draw();
  }

  /** A line above the one that says how it stands. */
  note(line: string): void {
    this.#clear();
    this.#terminal.stderr.write(`${styled(this.#terminal.stderr, "dim", `  ${line}`)}\n`);
  }

  close(): void {
    if (this.#ticking !== null) clearInterval(this.#ticking);
    this.#clear();
  }

  #learn({ type, data }: ExecutionEvent): void {
    if (type === "status") this.#standing = String(data.statusDetail);
    if (type === "step.started" && typeof data.step === "number") this.#step = data.step;
    if (type !== "step.finished") return;
    if (typeof data.creditsConsumed === "number") this.#credits = data.creditsConsumed;
  }

  #draw(): void {
    const { stderr } = this.#terminal;
    if (this.#ticking === null) return;
    const spent = duration(Date.now() - this.#begun);
    const parts = [this.#standing, `step ${this.#step}`, countOf(this.#credits, "credit"), spent];
    // Some terminals do not say how wide they are.
    const line = oneLine(parts.join(" · "), (stderr.columns || DEFAULT_COLUMNS) - 1);
    stderr.write(`${CLEAR_LINE}${styled(stderr, "cyan", line)}`);
  }

  #clear(): void {
    if (this.#ticking !== null) this.#terminal.stderr.write(CLEAR_LINE);
  }
}

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
