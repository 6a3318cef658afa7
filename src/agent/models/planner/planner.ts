import {
  type Model,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from "../../../contract/conversation.ts";
import type { Json } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";
import { storedBytes } from "../../tools/text.ts";
import { dataOf, materialOf, replied } from "./answer/material.ts";
import { outputInput } from "./answer/outputs.ts";
import type { Part } from "./answer/parts.ts";
import { shapeTo } from "./answer/schema.ts";
import { Desk } from "./desk.ts";
import { askFirst } from "./plan/ask-first.ts";
import { readGoal } from "./plan/goal.ts";
import { askedOfInputs } from "./plan/input-question.ts";
import { SET_A_MODEL } from "./plan/refusals.ts";
import type { Goal } from "./plan/types.ts";
import { type Delivered, deliver } from "./steps/deliver.ts";
import { type Worked, walk } from "./steps/walk.ts";

const MAX_CALLS = 20;
const MAX_SUMMARY = 30_000;
const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

function reply(text: string, calls: ToolCall[]): ModelReply {
  return { text, calls, usage: USAGE };
}

function ending(
  desk: Desk,
  status: "completed" | "failed",
  summary: string,
  data: Json | undefined,
  before: ToolCall[] = [],
): ModelReply {
  const callId = `call_${desk.made.length + before.length + 1}`;
  const text = summary.slice(0, MAX_SUMMARY);
  const input: Json = { status, summary: text, ...(data === undefined ? {} : { data }) };
  const say =
    status === "completed" ? "Handing over the answer." : "Ending, because this cannot be done.";
  return reply(say, [...before, { callId, tool: "finish", input }]);
}

/** A finish that was sent back is not tried again the same way: the run ends with the reason. */
function refusedFinish(desk: Desk, request: ModelRequest): string | null {
  const lastUser = request.turns.findLastIndex((turn) => turn.role === "user");
  const refused = desk.made.findLast(
    (call) => call.tool === "finish" && call.turn > lastUser && call.answer?.ok === false,
  );
  return refused?.answer?.ok === false ? refused.answer.error.message : null;
}

const OPENINGS: Partial<Record<string, string>> = { browse: "Opening", http_request: "Requesting" };
const SAYINGS: Partial<Record<string, string>> = {
  process_data: "Working on the data, to find what was asked for.",
  run_code: "Running code on what was found.",
  write_spreadsheet: "Writing the rows.",
  send_email: "Sending the e-mail.",
  emit_output: "Handing over what was found.",
};

/** One sentence about the calls that come next. */
function saying(calls: ToolCall[]): string {
  const first = calls[0];
  if (first === undefined) return "Thinking.";
  const { input, tool } = first;
  const opening = OPENINGS[tool];
  const url = isObject(input) && typeof input.url === "string" ? input.url : null;
  if (url === null || opening === undefined) return SAYINGS[tool] ?? `Calling ${tool}.`;
  const others = calls.length > 1 ? ` and ${calls.length - 1} more` : "";
  return `${opening} ${url}${others}, to read what is there.`;
}

function asked(
  desk: Desk,
  goal: Extract<Goal, { kind: "unclear" }>,
  request: ModelRequest,
): ModelReply {
  const before = desk.made.some((call) => call.tool === "ask_user");
  if (!request.interactive || !desk.has("ask_user") || before) {
    return ending(desk, "failed", goal.reason, undefined);
  }
  const call = { callId: desk.nextId(), tool: "ask_user", input: { question: goal.question } };
  return reply("Asking, because there is nothing to work on yet.", [call]);
}

type Work = Extract<Goal, { kind: "work" }>;

/** The calls that hand the pieces over; those that lie in a file are there already. */
function outputs(desk: Desk, parts: Part[], goal: Work, filed: boolean): ToolCall[] {
  if (!desk.has("emit_output")) return [];
  const before = desk.pending.length;
  // Without the tool for files, CSV can still be handed over as a text.
  const unwritten = goal.form === "csv" && !desk.has("write_spreadsheet");
  const form = goal.form === "csv" && !unwritten ? "table" : goal.form;
  for (const part of filed ? [] : parts) {
    const input = outputInput(part, form);
    if (input !== null) desk.get("emit_output", input);
  }
  return desk.pending.slice(before);
}

/** What was found about the condition of an order, where it is not told anyway. */
function decidedBy({ verdict }: Worked): string[] {
  return verdict.kind === "free" ? [] : verdict.parts.map(({ summary }) => summary);
}

/** What is said of the whole: what was done first, what was found, what became of it, what was not done. */
function summaryOf(goal: Work, worked: Worked, delivered: Delivered): string {
  const said = [
    ...delivered.undone,
    ...decidedBy(worked),
    ...worked.said,
    ...worked.parts.map((part) => part.summary),
    ...delivered.said,
    ...worked.failures,
    ...worked.notes,
    ...delivered.notes,
    ...goal.notes,
  ];
  return said.filter(Boolean).join("\n\n") || "Nothing could be read.";
}

function finished(
  goal: Work,
  worked: Worked,
  delivered: Delivered,
  desk: Desk,
  request: ModelRequest,
): ModelReply {
  const { parts, pages } = worked;
  const failures = [
    ...delivered.undone,
    ...worked.failures,
    ...worked.notes,
    ...delivered.notes,
    ...goal.notes,
  ];
  const good = parts.filter((part) => part.status !== "failed");
  const summary = summaryOf(goal, worked, delivered);
  const handed = (): ToolCall[] => [
    ...outputs(desk, good, goal, delivered.filed),
    ...outputs(desk, delivered.parts, goal, false),
  ];
  if (delivered.outcome === "failed") {
    return ending(desk, "failed", summary, undefined, handed());
  }
  if (good.length === 0 && delivered.outcome !== "done") {
    const hint =
      parts.length > 0 && failures.length === 0 && parts.every((part) => part.label === "answer")
        ? ` ${SET_A_MODEL}`
        : "";
    return ending(desk, "failed", `${summary}${hint}`, undefined);
  }
  const plain = failures.length === 0 && delivered.said.length === 0;
  const short =
    goal.form === "number" && plain && good.length === 1 && typeof good[0]?.data === "number"
      ? String(good[0].data)
      : summary;
  let data = dataOf(good);
  if (request.outputSchema !== null) {
    const shaped = shapeTo(request.outputSchema, materialOf(good, pages, short));
    if (!shaped.ok) {
      return ending(desk, "failed", `${shaped.message} ${summary}`, undefined, handed());
    }
    data = shaped.data;
  }
  const json = goal.form === "json" && data !== undefined ? JSON.stringify(data) : "";
  const beside = [...worked.said, ...delivered.said, ...failures].join(" ");
  const text =
    json !== "" && json.length < 8_000 ? `${beside === "" ? "" : `${beside}\n\n`}${json}` : short;
  return ending(desk, "completed", text, data, handed());
}

/** Asks where an e-mail is to go before any work is done; null where that is known or cannot be asked. */
function askedForAddress(desk: Desk, goal: Work, request: ModelRequest): ModelReply | null {
  const missing = goal.orders.mails.some(({ recipients }) => recipients === "missing");
  const before = desk.made.some((call) => call.tool === "ask_user");
  if (!missing || before || !request.interactive) return null;
  if (!desk.has("ask_user") || !desk.has("send_email")) return null;
  const question = "Which e-mail address should I send it to?";
  const call = { callId: desk.nextId(), tool: "ask_user", input: { question } };
  return reply("Asking where to send the e-mail.", [call]);
}

function work(goal: Work, desk: Desk, request: ModelRequest): ModelReply {
  const asking = askedForAddress(desk, goal, request);
  if (asking !== null) return asking;
  const worked = walk(goal, desk, request.inputs);
  if (desk.lacking.size > 0) {
    const tools = [...desk.lacking].join(" and ");
    const reason = `This needs the tool ${tools}, which is not among the tools of this run.`;
    return ending(desk, "failed", reason, undefined);
  }
  const delivered = worked === null ? null : deliver(goal, worked, desk);
  if (worked === null || delivered === null || desk.pending.length > 0) {
    const calls = desk.pending.slice(0, MAX_CALLS);
    return reply(saying(calls), calls);
  }
  return finished(goal, worked, delivered, desk, request);
}

/** The value of a reply that is JSON itself. */
function parsed(text: string): Json | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The next step of the plan, from the conversation alone: the same request gives the same reply. */
export function plan(request: ModelRequest): ModelReply {
  const first = askFirst(request);
  if (first.kind === "ready") return planned(first.request);
  const desk = new Desk(request);
  if (first.kind === "refuse") return ending(desk, "failed", first.reason, undefined);
  const call = { callId: desk.nextId(), tool: "ask_user", input: { question: first.question } };
  return reply("Asking first, as the prompt says.", [call]);
}

/** The next step of a plan in which all questions of the prompt's own are answered. */
function planned(request: ModelRequest): ModelReply {
  const desk = new Desk(request);
  const refused = refusedFinish(desk, request);
  if (refused !== null)
    return ending(desk, "failed", `The result was not accepted: ${refused}`, undefined);
  const goal = askedOfInputs(request) ?? readGoal(request);
  switch (goal.kind) {
    case "reply": {
      const shaped =
        request.outputSchema === null ? null : shapeTo(request.outputSchema, replied(goal));
      if (shaped?.ok === false) return ending(desk, "failed", shaped.message, undefined);
      return ending(
        desk,
        "completed",
        goal.text,
        shaped === null ? (goal.data ?? parsed(goal.text)) : shaped.data,
      );
    }
    case "refuse":
      return ending(desk, "failed", goal.reason, undefined);
    case "unclear":
      return asked(desk, goal, request);
    case "work":
      return work(goal, desk, request);
  }
}

/** What a reply may take once it is stored: a row holds 2 MB, and inputs are handed on as they came. */
const MAX_REPLY_BYTES = 1024 * 1024;

/** The embedded model: deterministic rules, no network, no key. */
export const planner: Model = {
  name: "builtin/planner",
  async respond(request) {
    const reply = plan(request);
    if (storedBytes(reply) <= MAX_REPLY_BYTES) return reply;
    const message =
      "The data that came with this task is too much for the built-in planner to hand on: it takes 1 MiB at once.";
    throw new ModelError(message, { retryable: false });
  },
};
