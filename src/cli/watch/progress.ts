import type { ExecutionEvent } from "../../contract/events.ts";
import { styled, type Terminal } from "../terminal.ts";
import { countOf, duration, oneLine } from "../text.ts";
import { describe } from "./describe.ts";

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
