import type {
  ModelReply,
  ModelRequest,
  ToolCall,
  Turn,
} from "../../../../contract/conversation.ts";
import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { success } from "../../../tools/source-content.ts";
import type {
  Bind,
  Binding,
  Delivery,
  Draft,
  Instruction,
  Program,
  Question,
  Refusal,
  Source,
  Understand,
} from "../program.ts";
import { type Wait, waitIn } from "../text/wait.ts";
import { Deliveries } from "./deliver.ts";
import { Desk, type Failure } from "./desk.ts";
import { dataOf, queueOutputs } from "./outputs.ts";
import { type Gathered, readSources } from "./read.ts";
import type { Result } from "./result.ts";
import { resultOf } from "./results.ts";
import { shapeTo } from "./shape.ts";
import type { ReadPage } from "./view.ts";
import { listed, sentence } from "./words.ts";

/** The two readings of the instructions: before and after the sources are read. */
export interface Reader {
  understand: Understand;
  bind: Bind;
}

/**
 * Returns the next step of a conversation. It is computed from the conversation alone, so the same
 * request always gives the same reply.
 */
export function respond(request: ModelRequest, reader: Reader): ModelReply {
  return new Step(request, reader).reply();
}

/** The most calls of one reply. */
const MAX_CALLS = 20;
/** The most questions of one execution. */
const MAX_QUESTIONS = 3;
const MAX_SUMMARY = 30_000;
const MAX_QUESTION = 4_000;
const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** The last binding of each first page that was read, since a plan is walked again at each step. */
const bindings = new WeakMap<ReadPage, { key: string; binding: Binding }>();

/** How an execution ends. */
interface End {
  status: "completed" | "failed";
  summary: string;
  reason?: Failure["reason"];
  data?: Json;
}

class Step {
  readonly #request: ModelRequest;
  readonly #reader: Reader;
  readonly #desk: Desk;
  readonly #instructions: Instruction[];
  /** The wait that the prompt begins with; the other instructions follow it. */
  readonly #wait: Wait | null;
  /** The lines of the plan, as far as it is known. */
  #says: string[] = [];

  constructor(request: ModelRequest, reader: Reader) {
    this.#request = request;
    this.#reader = reader;
    this.#desk = new Desk(request);
    const { inputs } = request;
    const [prompt, ...others] = instructionsOf(request.turns);
    const opening = prompt === undefined ? null : waitIn(prompt.text, inputs);
    this.#wait = opening?.wait ?? null;
    const first = prompt === undefined ? [] : [{ ...prompt, text: opening?.rest ?? prompt.text }];
    this.#instructions = [...first, ...others];
  }

  reply(): ModelReply {
    const refused = this.#desk.last("finish");
    if (refused?.ok === false) {
      return this.#fail(`The result was not accepted: ${refused.error.message}`);
    }
    if (this.#wait !== null && this.#instructions.every(({ text }) => text === "")) {
      return this.#awaited() ?? this.#finishWithEvent(this.#wait);
    }
    const understanding = this.#reader.understand(this.#instructions, this.#request.inputs);
    switch (understanding.kind) {
      case "stopped":
        return this.#finish({ status: "completed", summary: "Stopped, as you asked." });
      case "program": {
        const { program, sources } = understanding;
        this.#says = linesOf(program);
        return this.#read(sources, [], () => understanding);
      }
      case "draft": {
        const { draft } = understanding;
        this.#says = draft.says;
        const needs = [...draft.needs, ...draft.deliveries.map(toolOf)];
        return this.#read(draft.sources, needs, (gathered) => this.#bindingOf(draft, gathered));
      }
      default:
        return this.#refuse(understanding);
    }
  }

  /** Opens the sources, then executes the program that is bound to them. */
  #read(sources: Source[], needs: string[], bind: (gathered: Gathered) => Binding): ModelReply {
    const waiting = this.#lacking(needs) ?? this.#awaited();
    if (waiting !== null) return waiting;
    const gathered = readSources(sources, this.#desk, this.#request.inputs);
    const blocked = this.#blocked();
    if (blocked !== null) return blocked;
    const binding = bind(gathered);
    return binding.kind === "program"
      ? this.#execute(binding.program, gathered)
      : this.#refuse(binding);
  }

  /** Binds a draft once while its pages stay in memory. */
  #bindingOf(draft: Draft, { materials, pages }: Gathered): Binding {
    const unread = unreadPages(draft, materials);
    if (unread !== null) return { kind: "refused", refusal: unread };
    const read = [...pages.values()].flat();
    const [first] = read;
    const key = JSON.stringify([this.#instructions, read.map(({ callId }) => callId)]);
    const known = first && bindings.get(first);
    if (known?.key === key) return known.binding;
    const binding = this.#reader.bind(draft, materials, this.#instructions, this.#request.inputs);
    if (first !== undefined) bindings.set(first, { key, binding });
    return binding;
  }

  /** Computes the parts, shapes the data, and only then delivers. */
  #execute(program: Program, { pages }: Gathered): ModelReply {
    const { parts, deliveries } = program;
    const { outputSchema } = this.#request;
    const desk = this.#desk;
    const lacking = this.#lacking(deliveries.map(toolOf));
    if (lacking !== null) return lacking;
    this.#says = linesOf(program);
    const results = parts.flatMap((part) => resultOf(part, { desk, pages }) ?? []);
    const blocked = this.#blocked();
    if (blocked !== null) return blocked;

    const answers = summaryOf(results);
    const shaped =
      outputSchema === null
        ? success(dataOf(results))
        : shapeTo(outputSchema, results, [...pages.values()].flat());
    if (!shaped.ok) return this.#fail(`${shaped.message}\n${answers}`);
    const work = new Deliveries(results, desk);
    work.carryOut(deliveries);
    const [failure] = desk.failures;
    const waiting = failure === undefined ? this.#blocked() : null;
    if (waiting !== null) return waiting;
    queueOutputs(results, { filed: work.filed, hasOthers: work.hasOutputs }, desk);
    if (failure !== undefined) {
      const summary = joined([sentence(failure.message), ...work.said, answers]);
      return this.#finish({ status: "failed", reason: "cannot_do", summary });
    }
    const notes = new Set(results.flatMap((result) => result.notes));
    const summary = joined([answers, ...work.said, ...notes]) || "Done.";
    const data = shaped.value === undefined ? {} : { data: shaped.value };
    return this.#finish({ status: "completed", summary, ...data });
  }

  /** Returns the reply while the prompt's event has not come, and once it did not come in time; else null. */
  #awaited(): ModelReply | null {
    if (this.#wait === null) return null;
    const lacking = this.#lacking(["wait_for_event"]);
    if (lacking !== null) return lacking;
    const answer = this.#desk.get("wait_for_event", this.#wait.call)?.answer;
    if (answer === undefined) return this.#blocked();
    if (!answer.ok) return this.#fail(answer.error.message);
    const isLate = isObject(answer.content) && answer.content.timedOut === true;
    return isLate ? this.#fail("The event did not arrive in time.") : null;
  }

  /** Ends a prompt that only waits. */
  #finishWithEvent({ call }: Wait): ModelReply {
    const done = this.#desk.get("wait_for_event", call);
    const value = done?.answer.ok === true ? done.answer.content : null;
    const sources = [done?.callId ?? ""];
    this.#desk.get("emit_output", { label: "Event", type: "json", value, sources });
    return this.#finish({ status: "completed", summary: "The event arrived." });
  }

  /** Returns the reply while calls are to be made, or once one has failed; else null. */
  #blocked(): ModelReply | null {
    const { failures, pending } = this.#desk;
    const [first] = failures;
    if (first !== undefined) {
      const summary = failures.map(({ message }) => sentence(message)).join("\n");
      return this.#fail(summary, first.reason);
    }
    const calls = pending.slice(0, MAX_CALLS);
    const text = SAYINGS[calls[0]?.tool ?? ""] ?? "Working.";
    return calls.length === 0 ? null : this.#replyOf(text, calls);
  }

  /** Returns the refusal if tools that the task needs are missing, else null. */
  #lacking(tools: readonly string[]): ModelReply | null {
    const names = [...new Set(tools)].filter((tool) => !this.#desk.has(tool));
    if (names.length === 0) return null;
    const word = names.length === 1 ? "tool" : "tools";
    const said = `This needs the ${word} ${listed(names)}, which this execution does not have.`;
    return this.#fail(said);
  }

  /** Asks which reading is meant, if the user can be asked; else ends with the reason. */
  #refuse(reason: { question?: Question; refusal: Refusal }): ModelReply {
    const { text, choices } = reason.question ?? { text: "", choices: [] };
    const lines = choices.map((choice, index) => `${index + 1}. ${choice}`);
    const question = [text, ...lines].join("\n").slice(0, MAX_QUESTION);
    const asked = this.#request.turns.flatMap((turn) =>
      turn.role === "assistant" ? (questionIn(turn) ?? []) : [],
    );
    const canAsk = text !== "" && this.#request.interactive && this.#desk.has("ask_user");
    if (!canAsk || asked.includes(question) || asked.length >= MAX_QUESTIONS) {
      this.#says = [];
      return this.#fail(refusalText(reason.refusal));
    }
    this.#says = [];
    const call = { callId: this.#desk.nextId(), tool: "ask_user", input: { question } };
    return this.#replyOf("Asking which reading is meant.", [call]);
  }

  #fail(summary: string, reason: Failure["reason"] = "cannot_do"): ModelReply {
    this.#desk.pending.length = 0;
    return this.#finish({ status: "failed", reason, summary });
  }

  /** Ends with the queued calls before it. */
  #finish(end: End): ModelReply {
    const input = { ...end, summary: end.summary.slice(0, MAX_SUMMARY) };
    const finish = { callId: this.#desk.nextId(), tool: "finish", input };
    const text = end.status === "completed" ? "Giving the answer." : "This cannot be done.";
    return this.#replyOf(text, [...this.#desk.pending, finish]);
  }

  /** Adds the plan if it is not the one that was stated last. */
  #replyOf(text: string, calls: ToolCall[]): ModelReply {
    const last = this.#request.turns.findLast((turn) => "plan" in turn && turn.plan);
    const stated = last !== undefined && "plan" in last ? last.plan : undefined;
    const plan = this.#wait === null ? this.#says : [this.#wait.says, ...this.#says];
    const isNew = plan.length > 0 && JSON.stringify(plan) !== JSON.stringify(stated);
    return { text, calls, usage: USAGE, ...(isNew && { plan }) };
  }
}

/** Refuses a list whose further pages were not read, if the prompt does not say whether they count. */
function unreadPages(draft: Draft, materials: Gathered["materials"]): Refusal | null {
  const further = materials.filter((material) => material.further);
  for (const source of draft.sources) {
    const isUnsaid = source.kind === "page" && source.paging.kind === "unsaid";
    if (!isUnsaid || !further.some(({ sourceId }) => sourceId === source.id)) continue;
    const reason = `The list of ${source.url} has further pages, and the prompt does not say whether they count.`;
    const suggestion = 'Add "on all pages" or "on this page only".';
    return { reason, understood: draft.says, words: [], suggestion };
  }
  return null;
}

/** Returns the lines of the plan. */
function linesOf({ parts, deliveries }: Program): string[] {
  return [...parts, ...deliveries].map(({ says }) => says);
}

/** Returns the user's turns, each with the question that it answers. */
function instructionsOf(turns: readonly Turn[]): Instruction[] {
  let question: string | null = null;
  const instructions: Instruction[] = [];
  for (const turn of turns) {
    if (turn.role === "assistant") question = questionIn(turn);
    // Events are data: they ask for nothing.
    if (turn.role !== "user" || turn.event !== undefined) continue;
    instructions.push({ text: turn.text, answers: question });
    question = null;
  }
  return instructions;
}

function questionIn({ calls }: Extract<Turn, { role: "assistant" }>): string | null {
  const input = calls.find(({ tool }) => tool === "ask_user")?.input ?? null;
  return isObject(input) && typeof input.question === "string" ? input.question : null;
}

function refusalText({ reason, understood, words, suggestion }: Refusal): string {
  const quoted = listed(words.slice(0, 10).map((word) => `"${word}"`));
  const parts = understood.map((part) => part.replace(/\.$/, "")).join("; ");
  return joined([
    sentence(reason),
    quoted && `I did not understand: ${quoted}.`,
    parts && `I understood: ${parts}.`,
    suggestion && `This would work: ${suggestion}`,
  ]);
}

function toolOf(delivery: Delivery): string {
  if (delivery.kind === "mail") return "send_email";
  if (delivery.kind === "request") return "http_request";
  return /^(?:xlsx|csv)$/.test(delivery.format) ? "write_spreadsheet" : "emit_output";
}

function summaryOf(results: readonly Result[]): string {
  const said = results.map((result) => result.sentence);
  if (said.length < 2) return said.join("");
  return said.map((each, index) => `${index + 1}. ${each}`).join("\n");
}

function joined(lines: readonly (string | null)[]): string {
  return lines.filter(Boolean).join("\n");
}

const SAYINGS: Record<string, string | undefined> = {
  browse: "Opening the page.",
  wait_for_event: "Waiting for the event.",
  http_request: "Sending the request.",
  process_data: "Working on the data.",
  run_code: "Cleaning the rows.",
  search_web: "Searching the web.",
  write_spreadsheet: "Writing the rows.",
  send_email: "Sending the e-mail.",
  emit_output: "Writing the file.",
};
