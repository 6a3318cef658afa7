import type { Model, ModelReply, ModelRequest, ToolCall } from "../../../contract/conversation.ts";
import type { Json } from "../../../contract/json.ts";
import { outputInput } from "./answer/outputs.ts";
import type { Part } from "./answer/parts.ts";
import { type Material, shapeTo } from "./answer/schema.ts";
import { Desk } from "./desk.ts";
import { readGoal } from "./plan/goal.ts";
import { SET_A_MODEL } from "./plan/refusals.ts";
import type { Goal } from "./plan/types.ts";
import { MAX_PAGES, openPages } from "./steps/open.ts";
import { resolveAsk } from "./steps/resolve.ts";
import { recordOf } from "./view/facts.ts";
import type { Page } from "./view/pages.ts";

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

const VERBS: Record<string, string> = {
  browse: "Opening",
  http_request: "Requesting",
  process_data: "Working on the data",
  emit_output: "Handing over",
};

/** One sentence about the calls that come next. */
function saying(calls: ToolCall[]): string {
  const first = calls[0];
  if (first === undefined) return "Thinking.";
  const { input } = first;
  const url =
    input !== null &&
    typeof input === "object" &&
    !Array.isArray(input) &&
    typeof input.url === "string"
      ? input.url
      : null;
  if (url === null) return `${VERBS[first.tool] ?? "Working"}, to find what was asked for.`;
  const others = calls.length > 1 ? ` and ${calls.length - 1} more` : "";
  return `${VERBS[first.tool] ?? "Opening"} ${url}${others}, to read what is there.`;
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

/** The data of all pieces: one piece as it is, several under their labels. */
function dataOf(parts: Part[]): Json | undefined {
  const known = parts.filter((part) => part.data !== undefined);
  if (known.length <= 1) return known[0]?.data;
  const out: Record<string, Json> = {};
  for (const part of known) {
    let label = part.label;
    for (let copy = 2; Object.hasOwn(out, label); copy++) label = `${part.label} ${copy}`;
    out[label] = part.data ?? null;
  }
  return out;
}

function materialOf(parts: Part[], pages: Page[], summary: string): Material {
  const first = pages[0];
  const facts: Record<string, Json> =
    pages.length === 1 && first !== undefined && first.source.json() === undefined
      ? recordOf(first)
      : {};
  const labelled = Object.fromEntries(
    parts.flatMap((part) => (part.data === undefined ? [] : [[part.label, part.data]])),
  );
  const figures = Object.assign(
    {},
    ...parts.map((part) => (part.records.length === 1 ? part.records[0] : {})),
  );
  const data = dataOf(parts);
  const rows = Array.isArray(data) ? data.length : undefined;
  const tabular = parts.find((part) => part.records.length > 0);
  return {
    data,
    records: tabular?.records ?? [],
    named: {
      ...facts,
      ...(rows === undefined ? {} : { count: rows }),
      ...labelled,
      ...figures,
      answer: summary,
      result: summary,
      text: summary,
    },
  };
}

interface Worked {
  parts: Part[];
  pages: Page[];
  failures: string[];
  /** Sentences about words of the prompt that were not understood. */
  notes: string[];
}

const NOTHING: Worked = { parts: [], pages: [], failures: [], notes: [] };

/** Walks the plan as far as the answers carry; null when calls are to be made first. */
function walk(goal: Extract<Goal, { kind: "work" }>, desk: Desk): Worked | null {
  const worked: Worked = { parts: [], pages: [], failures: [], notes: [] };
  const visited = new Set<string>();
  let limited = false;
  let waiting = false;
  for (const ask of goal.asks) {
    const opened = openPages(ask, desk, visited);
    limited ||= opened.limited;
    waiting ||= opened.waiting;
    worked.failures.push(...opened.failures);
    if (opened.waiting || desk.lacking.size > 0) continue;
    worked.pages.push(...opened.pages);
    if (opened.pages.length === 0) continue;
    const room = { desk, form: goal.form, strings: goal.strings, failures: opened.failures };
    const { parts, notes } = resolveAsk(ask, opened.pages, room);
    worked.notes.push(...notes);
    worked.parts.push(...parts.filter((part) => part !== null));
    waiting ||= parts.includes(null);
  }
  if (limited)
    worked.failures.push(`A run opens ${MAX_PAGES} pages at most; the others were left out.`);
  worked.failures = [...new Set(worked.failures)];
  return waiting ? null : worked;
}

function outputs(desk: Desk, parts: Part[], goal: Extract<Goal, { kind: "work" }>): ToolCall[] {
  if (!desk.has("emit_output")) return [];
  const before = desk.pending.length;
  for (const part of parts) {
    const input = outputInput(part, goal.form);
    if (input !== null) desk.get("emit_output", input);
  }
  return desk.pending.slice(before);
}

function finished(
  goal: Extract<Goal, { kind: "work" }>,
  worked: Worked,
  desk: Desk,
  request: ModelRequest,
): ModelReply {
  const { parts, pages } = worked;
  const failures = [...worked.failures, ...worked.notes, ...goal.notes];
  const good = parts.filter((part) => part.status !== "failed");
  const said = [...parts.map((part) => part.summary), ...failures].filter(Boolean).join("\n\n");
  const summary = said === "" ? "Nothing could be read." : said;
  if (good.length === 0) {
    const hint =
      parts.length > 0 && failures.length === 0 && parts.every((part) => part.label === "answer")
        ? ` ${SET_A_MODEL}`
        : "";
    return ending(desk, "failed", `${summary}${hint}`, undefined);
  }
  const short =
    goal.form === "number" &&
    failures.length === 0 &&
    good.length === 1 &&
    typeof good[0]?.data === "number"
      ? String(good[0].data)
      : summary;
  let data = dataOf(good);
  if (request.outputSchema !== null) {
    const shaped = shapeTo(request.outputSchema, materialOf(good, pages, short));
    if (!shaped.ok) return ending(desk, "failed", `${shaped.message} ${summary}`, undefined);
    data = shaped.data;
  }
  const json = goal.form === "json" && data !== undefined ? JSON.stringify(data) : "";
  const text =
    json !== "" && json.length < 8_000
      ? `${failures.length > 0 ? `${failures.join(" ")}\n\n` : ""}${json}`
      : short;
  return ending(desk, "completed", text, data, outputs(desk, good, goal));
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
  const desk = new Desk(request);
  const refused = refusedFinish(desk, request);
  if (refused !== null)
    return ending(desk, "failed", `The result was not accepted: ${refused}`, undefined);
  const goal = readGoal(request);
  switch (goal.kind) {
    case "reply": {
      const shaped =
        request.outputSchema === null
          ? null
          : shapeTo(request.outputSchema, {
              data: goal.text,
              records: [],
              named: { text: goal.text, reply: goal.text, message: goal.text },
            });
      if (shaped?.ok === false) return ending(desk, "failed", shaped.message, undefined);
      return ending(
        desk,
        "completed",
        goal.text,
        shaped === null ? parsed(goal.text) : shaped.data,
      );
    }
    case "refuse":
      return ending(desk, "failed", goal.reason, undefined);
    case "unclear":
      return asked(desk, goal, request);
    case "work": {
      const worked = walk(goal, desk);
      if (desk.lacking.size > 0) {
        const tools = [...desk.lacking].join(" and ");
        return ending(
          desk,
          "failed",
          `This needs the tool ${tools}, which is not among the tools of this run.`,
          undefined,
        );
      }
      if (desk.pending.length > 0) {
        const calls = desk.pending.slice(0, MAX_CALLS);
        return reply(saying(calls), calls);
      }
      return finished(goal, worked ?? NOTHING, desk, request);
    }
  }
}

/** The embedded model: deterministic rules, no network, no key. */
export const planner: Model = {
  name: "builtin/planner",
  respond: (request) => Promise.resolve(plan(request)),
};
