import * as z from "zod";
import type { ExecutionEvent } from "../../../contract/events.ts";
import { statusDetail } from "../../../contract/execution.ts";
import { type Json, json } from "../../../contract/json.ts";

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

/** What a call created, as the log names it. */
interface CreatedOutput {
  outputId: string;
  label: string;
  type: string;
}

/** A tool call with its answer. */
export interface CallRow {
  kind: "call";
  /** The events that belong to it: its start, its answer, its outputs. */
  seqs: number[];
  callId: string;
  tool: string;
  title: string;
  span: Span;
  credits: number | null;
  input: Json | undefined;
  result: Json | undefined;
  error: { code: string; message: string } | null;
  isTruncated: boolean;
  /** Where the sources of its result were cut. */
  cuts: string[];
  outputs: CreatedOutput[];
}

/** A message, a question, a plan, a failure: an event that takes no time. */
export interface NoteRow {
  kind: "note";
  seq: number;
  at: number;
  title: string;
  text: string;
  tone: "bad" | "attention" | "idle";
}

export type TimelineRow = ModelRow | CallRow | NoteRow;

export interface Timeline {
  rows: TimelineRow[];
  /** The last moment that any row knows, in milliseconds since the execution was accepted. */
  end: number;
}

const text = z.string().catch("");
const number = z.number().catch(0);
const optionalNumber = z.number().optional().catch(undefined);
const optionalJson = json.optional().catch(undefined);

/** The fields of all types of events: of each, those that a row shows. */
const fields = z.object({
  step: number,
  callId: text,
  tool: text,
  description: text,
  message: text,
  messageId: text,
  mode: text,
  text,
  label: text,
  type: text,
  outputId: text,
  kind: text,
  status: text,
  statusDetail: statusDetail.catch("running"),
  ok: z.boolean().catch(true),
  parts: z.array(z.string()).catch([]),
  credits: optionalNumber,
  usage: z.object({ inputTokens: number, outputTokens: number }).optional().catch(undefined),
  error: z.object({ code: text, message: text }).optional().catch(undefined),
  input: optionalJson,
  result: optionalJson,
  truncated: z.boolean().catch(false),
  cuts: z.array(z.string()).catch([]),
});
type Fields = z.infer<typeof fields>;

/** One event, with the fields that a row shows. */
interface Happened extends Fields {
  eventType: ExecutionEvent["type"];
  seq: number;
  at: number;
}

/**
 * Folds an execution's events into rows: one for each call of the model, each tool call, and each event
 * that says something. `since` is when the execution was accepted, in ISO 8601.
 */
export function timelineOf(events: readonly ExecutionEvent[], since: string): Timeline {
  const start = Date.parse(since);
  const fold = new Fold();
  let end = 0;
  for (const { seq, type, at, data } of events) {
    const ms = Math.max(0, Date.parse(at) - start);
    end = Math.max(end, ms);
    fold.add({ ...fields.parse(data), eventType: type, seq, at: ms });
  }
  return { rows: fold.rows, end };
}

/** Returns whether one of a row's events has this number. */
export function hasEvent(row: TimelineRow, seq: number | null): boolean {
  return seq !== null && (row.kind === "call" ? row.seqs.includes(seq) : row.seq === seq);
}

class Fold {
  readonly rows: TimelineRow[] = [];
  readonly #calls = new Map<string, CallRow>();
  readonly #messages = new Map<string, NoteRow>();
  #model: ModelRow | null = null;
  /** Credits of the tool calls of the current step. */
  #callCredits = 0;
  #lastCall: CallRow | null = null;

  add(event: Happened): void {
    const { seq, at } = event;
    switch (event.eventType) {
      case "step.started":
        this.#startStep(event);
        return;
      case "step.finished":
        this.#finishStep(event);
        return;
      case "tool.started":
        this.#startCall(event);
        return;
      case "tool.finished":
        this.#finishCall(event);
        return;
      case "output":
        this.#output(event);
        return;
      case "message.queued": {
        const title = event.mode === "interrupt" ? "Message, interrupting" : "Message";
        const note = this.#note(event, title, event.text);
        this.#messages.set(event.messageId, note);
        return;
      }
      case "message.dropped": {
        const note = this.#messages.get(event.messageId);
        if (note === undefined) return;
        note.title = "Message, not delivered: the execution ended first";
        note.tone = "attention";
        return;
      }
      case "message.applied":
        return;
      case "plan":
        this.#note(event, "Plan", event.parts.map((part) => `• ${part}`).join("\n"));
        return;
      case "question": {
        const isApproval = event.kind === "approval";
        const title = isApproval ? `Approval requested: ${event.tool}` : "Question";
        this.#closeModel(at);
        this.#note(event, title, isApproval ? "" : event.text, "attention");
        return;
      }
      case "log":
        this.#note(event, event.message, "");
        return;
      case "status":
        this.#status(event, seq);
        return;
    }
  }

  #note(
    { seq, at }: Happened,
    title: string,
    said: string,
    tone: NoteRow["tone"] = "idle",
  ): NoteRow {
    const row: NoteRow = { kind: "note", seq, at, title, text: said, tone };
    this.rows.push(row);
    return row;
  }

  #startStep({ seq, at, step }: Happened): void {
    const row: ModelRow = {
      kind: "model",
      seq,
      step,
      span: { from: at, to: null },
      credits: null,
      tokens: null,
    };
    this.rows.push(row);
    this.#model = row;
    this.#callCredits = 0;
  }

  /** The model's part of a step ends with the first event that follows from its reply. */
  #closeModel(at: number): void {
    if (this.#model !== null) this.#model.span.to ??= at;
  }

  #finishStep({ at, credits, usage }: Happened): void {
    this.#closeModel(at);
    if (this.#model !== null) {
      if (credits !== undefined) this.#model.credits = Math.max(0, credits - this.#callCredits);
      if (usage !== undefined) {
        this.#model.tokens = { input: usage.inputTokens, output: usage.outputTokens };
      }
    }
    this.#model = null;
  }

  #startCall(event: Happened): void {
    const { seq, at, callId, tool, description, input, truncated } = event;
    this.#closeModel(at);
    const known = this.#calls.get(callId);
    // A read that a crash interrupted starts twice.
    if (known !== undefined && known.span.to === null) {
      known.seqs.push(seq);
      return;
    }
    this.#push({ ...emptyCall(event), title: description || tool, input, isTruncated: truncated });
  }

  #finishCall(event: Happened): void {
    const { seq, at, callId, tool, ok, error, result, truncated, cuts, credits } = event;
    this.#closeModel(at);
    // A refused or denied call has no start.
    const known = this.#calls.get(callId);
    const row = known ?? this.#push({ ...emptyCall(event), title: tool });
    if (known !== undefined) row.seqs.push(seq);
    row.span.to = at;
    row.credits = credits ?? null;
    row.result = result;
    row.isTruncated ||= truncated;
    row.cuts = cuts;
    if (!ok) row.error = error ?? { code: "failed", message: "The call failed." };
    this.#callCredits += credits ?? 0;
    this.#lastCall = row;
  }

  #push(row: CallRow): CallRow {
    this.rows.push(row);
    this.#calls.set(row.callId, row);
    return row;
  }

  #output(event: Happened): void {
    const { seq, outputId, label, type } = event;
    if (this.#lastCall === null) {
      this.#note(event, `Output: ${label}`, "");
      return;
    }
    this.#lastCall.seqs.push(seq);
    this.#lastCall.outputs.push({ outputId, label, type });
  }

  /** A change of the status is only news where the rows do not show it. */
  #status(event: Happened, seq: number): void {
    if (event.statusDetail === "retrying") {
      this.#note(event, "Retrying after a failure", event.error?.message ?? "", "attention");
    }
    const isEnd = event.status === "failed" || event.status === "stopped";
    if (!isEnd && event.status !== "completed") return;
    this.#closeModel(event.at);
    for (const call of this.#calls.values()) call.span.to ??= event.at;
    if (event.error !== undefined) {
      this.rows.push({
        kind: "note",
        seq,
        at: event.at,
        title: event.error.message,
        text: "",
        tone: "bad",
      });
    }
  }
}

function emptyCall({ seq, at, callId, tool }: Happened): CallRow {
  return {
    kind: "call",
    seqs: [seq],
    callId,
    tool,
    title: tool,
    span: { from: at, to: null },
    credits: null,
    input: undefined,
    result: undefined,
    error: null,
    isTruncated: false,
    cuts: [],
    outputs: [],
  };
}
