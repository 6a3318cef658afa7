import type { ExecutionEvent } from "../../../contract/events.ts";
import { isFinal, type StatusDetail } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";

/** The time of a row, in milliseconds since the execution was accepted; open while it runs. */
export interface Span {
  from: number;
  to: number | null;
}

/** A call of the model, which begins a step. */
export interface ModelRow {
  kind: "model";
  seq: number;
  step: number;
  span: Span;
  /** Without those of the step's tool calls; null until the step has ended. */
  credits: number | null;
  /** Input and output tokens; null where they are unknown. */
  tokens: { input: number; output: number } | null;
}

/** A tool call with its answer. */
export interface CallRow {
  kind: "call";
  /** The events that belong to it: its start, its answer, its outputs. */
  seqs: number[];
  tool: string;
  title: string;
  /** Null for a call whose step began before the first event. */
  step: number | null;
  span: Span;
  credits: number | null;
  input: Json | undefined;
  result: Json | undefined;
  error: { code: string; message: string } | null;
  isTruncated: boolean;
  /** Where the sources of its result were cut. */
  cuts: string[];
  /** What it created, as the log names it. */
  outputs: { outputId: string; label: string }[];
}

/**
 * A message, a plan, a failure: an event that takes no time. Or a wait: in the queue, for a person, for
 * another try. A wait for an event is the call that asked for it.
 */
export interface NoteRow {
  kind: "note" | "wait";
  seq: number;
  span: Span;
  title: string;
  /** What it says; of a wait, the question or why another try is needed. */
  text: string;
  tone: "bad" | "attention" | "idle";
}

export type TimelineRow = ModelRow | CallRow | NoteRow;

/** The event of a type. */
type Logged<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;

/** The names of waits by the details of their statuses. */
const WAITS: Partial<Record<StatusDetail, string>> = {
  queued: "Waiting in the queue",
  retrying: "Waiting to try again",
  question: "Waiting for an answer",
  approval: "Waiting for approval",
};

/** Shorter waits in the queue are not shown. */
const LONG_QUEUE_MS = 1_000;

const isShortQueue = (row: TimelineRow): boolean =>
  row.kind === "wait" && row.text === "" && (row.span.to ?? Infinity) < LONG_QUEUE_MS;

/** Returns whether one of a row's events has this number. */
export function hasEvent(row: TimelineRow, seq: number | null): boolean {
  return seq !== null && (row.kind === "call" ? row.seqs.includes(seq) : row.seq === seq);
}

/**
 * Folds an execution's events into rows: one for each call of the model, each tool call, and each event
 * that says something. `since` is when the execution was accepted, in ISO 8601; `end`, in milliseconds since
 * then, is the last moment that any row knows.
 */
export function timelineOf(events: readonly ExecutionEvent[], since: string) {
  const start = Date.parse(since);
  const fold = new Fold();
  let end = 0;
  for (const event of events) {
    const at = Math.max(0, Date.parse(event.at) - start);
    end = Math.max(end, at);
    fold.add(event, at);
  }
  return { rows: fold.rows.filter((row) => !isShortQueue(row)), end };
}

/** The rows so far; `at` is in milliseconds since the execution was accepted. */
class Fold {
  readonly rows: TimelineRow[] = [];
  readonly #calls = new Map<string, CallRow>();
  readonly #messages = new Map<string, NoteRow>();
  #model: ModelRow | null = null;
  /** Credits of the tool calls of the current step. */
  #callCredits = 0;
  #lastCall: CallRow | null = null;
  #step: number | null = null;
  #wait: NoteRow | null = null;

  add(event: ExecutionEvent, at: number): void {
    const { seq } = event;
    switch (event.type) {
      case "status":
        this.#status(event, at);
        break;
      case "step.started": {
        const span = { from: at, to: null };
        const { step } = event.data;
        this.#step = step;
        this.#model = { kind: "model", seq, step, span, credits: null, tokens: null };
        this.rows.push(this.#model);
        this.#callCredits = 0;
        break;
      }
      case "step.finished":
        this.#stepFinished(event, at);
        break;
      case "tool.started":
        this.#callStarted(event, at);
        break;
      case "tool.finished":
        this.#callFinished(event, at);
        break;
      case "output": {
        const { outputId, label } = event.data;
        if (this.#lastCall === null) this.#note(seq, at, `Output: ${label}`);
        this.#lastCall?.seqs.push(seq);
        this.#lastCall?.outputs.push({ outputId, label });
        break;
      }
      case "message.queued": {
        const { messageId, mode, text } = event.data;
        const title = mode === "interrupt" ? "Message, interrupting" : "Message";
        this.#messages.set(messageId, this.#note(seq, at, title, text));
        break;
      }
      case "message.dropped": {
        const note = this.#messages.get(event.data.messageId);
        if (note === undefined) break;
        note.title = "Message, not delivered: the execution ended first";
        note.tone = "attention";
        break;
      }
      case "plan":
        this.#note(seq, at, "Plan", event.data.parts.map((part) => `• ${part}`).join("\n"));
        break;
      case "question":
        this.#closeModel(at);
        this.#note(seq, at, event.data.text);
        break;
      case "log":
        this.#note(seq, at, event.data.message);
    }
  }

  #note(
    seq: number,
    at: number,
    title: string,
    text = "",
    tone: NoteRow["tone"] = "idle",
  ): NoteRow {
    const row: NoteRow = { kind: "note", seq, span: { from: at, to: at }, title, text, tone };
    this.rows.push(row);
    return row;
  }

  /** The model's part of a step ends with the first event that follows from its reply. */
  #closeModel(at: number): void {
    if (this.#model !== null) this.#model.span.to ??= at;
  }

  /** The entry before a wait, a question or a line of the log, is its reason. */
  #startWait(seq: number, at: number, title: string): NoteRow {
    const said = this.rows.at(-1);
    const isReason = said?.kind === "note" && said.seq === seq - 1;
    if (isReason) this.rows.pop();
    const row = this.#note(seq, at, title, isReason ? said.title : "");
    return Object.assign(row, { kind: "wait", span: { from: at, to: null } });
  }

  #stepFinished({ data: { credits, usage } }: Logged<"step.finished">, at: number): void {
    const model = this.#model;
    this.#model = null;
    if (model === null) return;
    model.span.to ??= at;
    if (credits !== undefined) model.credits = Math.max(0, credits - this.#callCredits);
    if (usage !== undefined)
      model.tokens = { input: usage.inputTokens, output: usage.outputTokens };
  }

  #callStarted({ seq, data }: Logged<"tool.started">, at: number): void {
    const { callId, tool, description, input, truncated = false } = data;
    const known = this.#calls.get(callId);
    // A read that a crash interrupted starts twice.
    if (known?.span.to === null) {
      known.seqs.push(seq);
      return;
    }
    const row = this.#call(seq, at, callId, tool);
    row.title = description || tool;
    row.input = input;
    row.isTruncated = truncated;
  }

  #callFinished({ seq, data }: Logged<"tool.finished">, at: number): void {
    const { callId, tool = "", ok, error, result, truncated = false, cuts = [], credits } = data;
    const known = this.#calls.get(callId);
    known?.seqs.push(seq);
    // A refused or denied call has no start.
    const row = known ?? this.#call(seq, at, callId, tool);
    row.span.to = at;
    row.credits = credits ?? null;
    row.result = result;
    row.isTruncated ||= truncated;
    row.cuts = cuts;
    if (!ok) row.error = error ?? { code: "failed", message: "The call failed." };
    this.#callCredits += credits ?? 0;
    this.#lastCall = row;
  }

  #call(seq: number, at: number, callId: string, tool: string): CallRow {
    this.#closeModel(at);
    const row: CallRow = {
      kind: "call",
      seqs: [seq],
      tool,
      title: tool,
      step: this.#step,
      span: { from: at, to: null },
      credits: null,
      input: undefined,
      result: undefined,
      error: null,
      isTruncated: false,
      cuts: [],
      outputs: [],
    };
    this.rows.push(row);
    this.#calls.set(callId, row);
    return row;
  }

  /** A status is shown where it is a wait, and where it ends the execution. */
  #status({ seq, data: { status, statusDetail, error } }: Logged<"status">, at: number): void {
    if (this.#wait !== null) this.#wait.span.to = at;
    const title = WAITS[statusDetail];
    this.#wait = title === undefined ? null : this.#startWait(seq, at, title);
    if (!isFinal(status)) return;
    this.#closeModel(at);
    for (const call of this.#calls.values()) call.span.to ??= at;
    if (error !== undefined) this.#note(seq, at, error.message, "", "bad");
  }
}
