import * as z from "zod";
import type { EventType, ExecutionEvent } from "../../../contract/events.ts";
import { FINAL_STATUSES, statusDetail } from "../../../contract/execution.ts";
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
  /** What it created, as the log names it. */
  outputs: { outputId: string; label: string }[];
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

/** An event of a log, whatever its data are. */
type Logged = Pick<ExecutionEvent, "seq" | "type" | "at"> & { data: object };

/** One event, with the fields that a row shows; `at` in milliseconds since the acceptance. */
interface Happened extends z.infer<typeof fields> {
  seq: number;
  at: number;
}

/** Returns whether one of a row's events has this number. */
export function hasEvent(row: TimelineRow, seq: number | null): boolean {
  return seq !== null && (row.kind === "call" ? row.seqs.includes(seq) : row.seq === seq);
}

/**
 * Folds an execution's events into rows: one for each call of the model, each tool call, and each event
 * that says something. `since` is when the execution was accepted, in ISO 8601.
 */
export function timelineOf(events: readonly Logged[], since: string): Timeline {
  const start = Date.parse(since);
  const fold = new Fold();
  let end = 0;
  for (const { seq, type, at, data } of events) {
    const ms = Math.max(0, Date.parse(at) - start);
    end = Math.max(end, ms);
    fold.on[type]({ ...fields.parse(data), seq, at: ms });
  }
  return { rows: fold.rows, end };
}

const FINAL: readonly string[] = FINAL_STATUSES;

class Fold {
  readonly rows: TimelineRow[] = [];
  readonly #calls = new Map<string, CallRow>();
  readonly #messages = new Map<string, NoteRow>();
  #model: ModelRow | null = null;
  /** Credits of the tool calls of the current step. */
  #callCredits = 0;
  #lastCall: CallRow | null = null;

  readonly on: Readonly<Record<EventType, (event: Happened) => void>> = {
    status: (event) => this.#status(event),
    "step.started": ({ seq, at, step }) => {
      const span = { from: at, to: null };
      this.#model = { kind: "model", seq, step, span, credits: null, tokens: null };
      this.rows.push(this.#model);
      this.#callCredits = 0;
    },
    "step.finished": ({ at, credits, usage }) => {
      const model = this.#model;
      this.#model = null;
      if (model === null) return;
      model.span.to ??= at;
      if (credits !== undefined) model.credits = Math.max(0, credits - this.#callCredits);
      if (usage !== undefined) {
        model.tokens = { input: usage.inputTokens, output: usage.outputTokens };
      }
    },
    "tool.started": (event) => {
      const { seq, callId, description, input, truncated } = event;
      const known = this.#calls.get(callId);
      // A read that a crash interrupted starts twice.
      if (known?.span.to === null) {
        known.seqs.push(seq);
        return;
      }
      const row = this.#call(event, description);
      row.input = input;
      row.isTruncated = truncated;
    },
    "tool.finished": (event) => {
      const { seq, at, callId, ok, error, result, truncated, cuts, credits } = event;
      const known = this.#calls.get(callId);
      known?.seqs.push(seq);
      // A refused or denied call has no start.
      const row = known ?? this.#call(event);
      row.span.to = at;
      row.credits = credits ?? null;
      row.result = result;
      row.isTruncated ||= truncated;
      row.cuts = cuts;
      if (!ok) row.error = error ?? { code: "failed", message: "The call failed." };
      this.#callCredits += credits ?? 0;
      this.#lastCall = row;
    },
    output: (event) => {
      const { seq, outputId, label } = event;
      if (this.#lastCall === null) this.#note(event, `Output: ${label}`);
      this.#lastCall?.seqs.push(seq);
      this.#lastCall?.outputs.push({ outputId, label });
    },
    "message.queued": (event) => {
      const title = event.mode === "interrupt" ? "Message, interrupting" : "Message";
      this.#messages.set(event.messageId, this.#note(event, title, event.text));
    },
    "message.applied": () => undefined,
    "message.dropped": ({ messageId }) => {
      const note = this.#messages.get(messageId);
      if (note === undefined) return;
      note.title = "Message, not delivered: the execution ended first";
      note.tone = "attention";
    },
    plan: (event) => {
      this.#note(event, "Plan", event.parts.map((part) => `• ${part}`).join("\n"));
    },
    question: (event) => {
      this.#closeModel(event);
      if (event.kind !== "approval") this.#note(event, "Question", event.text, "attention");
      else this.#note(event, `Approval requested: ${event.tool}`, "", "attention");
    },
    log: (event) => {
      this.#note(event, event.message);
    },
  };

  #note({ seq, at }: Happened, title: string, said = "", tone: NoteRow["tone"] = "idle"): NoteRow {
    const row: NoteRow = { kind: "note", seq, at, title, text: said, tone };
    this.rows.push(row);
    return row;
  }

  /** The model's part of a step ends with the first event that follows from its reply. */
  #closeModel({ at }: Happened): void {
    if (this.#model !== null) this.#model.span.to ??= at;
  }

  #call(event: Happened, title = ""): CallRow {
    const { seq, at, callId, tool } = event;
    this.#closeModel(event);
    const row: CallRow = {
      kind: "call",
      seqs: [seq],
      callId,
      tool,
      title: title || tool,
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

  /** A change of the status is only news where the rows do not show it. */
  #status(event: Happened): void {
    const { at, status, statusDetail: detail, error } = event;
    if (detail === "retrying") {
      this.#note(event, "Retrying after a failure", error?.message, "attention");
    }
    if (!FINAL.includes(status)) return;
    this.#closeModel(event);
    for (const call of this.#calls.values()) call.span.to ??= at;
    if (error !== undefined) this.#note(event, error.message, "", "bad");
  }
}
