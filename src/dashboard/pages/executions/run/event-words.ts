import * as z from "zod";
import type { EventType, ExecutionEvent } from "../../../../contract/events.ts";
import { statusDetail } from "../../../../contract/execution.ts";
import { countOf, DETAILS } from "../words.ts";

/** How an entry looks: the same tones as badges have. */
export type Tone = "good" | "bad" | "attention" | "busy" | "idle";

/** An entry of the log as a reader takes it in at first sight. */
export interface EventWords {
  title: string;
  /** More of it, as it was written. */
  text?: string;
  tone: Tone;
}

const text = z.string().catch("");
const number = z.int().catch(0);
const status = z.object({
  statusDetail: statusDetail.catch("running"),
  status: text,
  error: z.object({ message: text }).optional().catch(undefined),
});
const finished = z.object({
  tool: text,
  ok: z.boolean().catch(true),
  error: z.object({ code: text, message: text }).optional().catch(undefined),
});
const fields = z.object({
  step: number,
  creditsConsumed: number,
  tool: text,
  description: text,
  message: text,
  messageId: text,
  mode: text,
  text,
  label: text,
  type: text,
});

const STATUS_TONES: Record<string, Tone> = {
  active: "busy",
  waiting_for_input: "attention",
  completed: "good",
  failed: "bad",
};

/** Says an entry in words. An entry of an unknown shape says at least what it is. */
export function wordsOf({ type, data }: ExecutionEvent): EventWords {
  return SAYERS[type](data);
}

const SAYERS: Record<EventType, (data: ExecutionEvent["data"]) => EventWords> = {
  status(data) {
    const { status: state, statusDetail: detail, error } = status.parse(data);
    return {
      title: DETAILS[detail],
      ...(error !== undefined && { text: error.message }),
      tone: STATUS_TONES[state] ?? "idle",
    };
  },
  "step.started": (data) => ({ title: `Step ${fields.parse(data).step} begins`, tone: "idle" }),
  "step.finished"(data) {
    const { step, creditsConsumed } = fields.parse(data);
    return {
      title: `Step ${step} is done, ${countOf(creditsConsumed, "credit")} used`,
      tone: "idle",
    };
  },
  "tool.started"(data) {
    const { tool, description } = fields.parse(data);
    return { title: tool, text: description, tone: "busy" };
  },
  "tool.finished"(data) {
    const { tool, ok, error } = finished.parse(data);
    if (ok) return { title: `${tool} answered`, tone: "good" };
    return { title: `${tool} did not work`, text: error?.message ?? "", tone: "bad" };
  },
  "message.queued"(data) {
    const { mode, text: said } = fields.parse(data);
    const how = mode === "interrupt" ? "A message came, to interrupt" : "A message came";
    return { title: how, text: said, tone: "idle" };
  },
  "message.applied": () => ({ title: "The message was read", tone: "idle" }),
  "message.dropped": () => ({
    title: "The message was not read: the execution ended first",
    tone: "attention",
  }),
  output(data) {
    const { label, type } = fields.parse(data);
    return { title: `Handed over: ${label}`, text: type, tone: "good" };
  },
  question: (data) => ({ title: "It asks", text: fields.parse(data).text, tone: "attention" }),
  log: (data) => ({ title: "Note", text: fields.parse(data).message, tone: "idle" }),
};
