import type {
  ModelReply,
  ModelRequest,
  ToolCall,
  Turn,
} from "../../../../contract/conversation.ts";
import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
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
  Surroundings,
  Understand,
} from "../program.ts";
import { deliver } from "./deliver.ts";
import { Desk } from "./desk.ts";
import { dataOf, queueOutputs } from "./outputs.ts";
import { type Gathered, readSources } from "./read.ts";
import { type Result, resultOf } from "./results.ts";
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
const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** The last binding of each first page that was read. */
const bindings = new WeakMap<
  ReadPage,
  { key: string; pages: readonly ReadPage[]; binding: Binding }
>();

type FailureReason = "cannot_do" | "source_unavailable";

class Step {
  readonly #request: ModelRequest;
  readonly #reader: Reader;
  readonly #desk: Desk;
  readonly #instructions: Instruction[];
  readonly #surroundings: Surroundings;

  constructor(request: ModelRequest, reader: Reader) {
    this.#request = request;
    this.#reader = reader;
    this.#desk = new Desk(request);
    this.#instructions = instructionsOf(request.turns);
    const { inputs, outputSchema, now } = request;
    this.#surroundings = { inputs, outputSchema, now };
  }

  reply(): ModelReply {
    const refused = this.#desk.last("finish");
    if (refused?.ok === false) {
      return this.#fail("cannot_do", `The result was not accepted: ${refused.error.message}`);
    }
    const understanding = this.#reader.understand(this.#instructions, this.#surroundings);
    switch (understanding.kind) {
      case "refused":
        return this.#refuse(understanding.refusal);
      case "ask":
        return this.#ask(understanding.question, understanding.refusal);
      case "stopped":
        return this.#finish({ status: "completed", summary: "Stopped, as you asked." }, []);
      case "program":
        return this.#open(understanding.sources, understanding.program);
      case "draft":
        return this.#read(understanding.draft);
    }
  }

  /** Opens the sources, then executes the program that is bound to them. */
  #read(draft: Draft): ModelReply {
    const lacking = [...draft.needs, ...toolsOf(draft.deliveries)].filter(
      (tool) => !this.#desk.has(tool),
    );
    if (lacking.length > 0) return this.#fail("cannot_do", lackingText(lacking));
    const gathered = readSources(draft.sources, this.#desk, this.#request.inputs);
    const unread = this.#unread(gathered, draft.says);
    if (unread !== null) return unread;
    const { materials } = gathered;
    const unsaid = draft.sources.find(
      (source) =>
        source.kind === "page" &&
        source.paging.kind === "unsaid" &&
        materials.some(({ sourceId, further }) => further && sourceId === source.id),
    );
    if (unsaid?.kind === "page") return this.#refuse(unreadPages(unsaid.url, draft.says));
    const binding = this.#bind(draft, gathered);
    switch (binding.kind) {
      case "refused":
        return this.#refuse(binding.refusal);
      case "ask":
        return this.#ask(binding.question, binding.refusal);
      case "program":
        return this.#execute(binding.program, gathered);
    }
  }

  /** Binds a draft once while its pages stay in memory: the plan is walked again at each step. */
  #bind(draft: Draft, { materials, pages }: Gathered): Binding {
    const read = [...pages.values()].flat();
    const [first] = read;
    const key = JSON.stringify([this.#instructions, draft.sources.map(({ id }) => id)]);
    const known = first === undefined ? undefined : bindings.get(first);
    const isSame =
      known?.key === key &&
      known.pages.length === read.length &&
      read.every((page, index) => page === known.pages[index]);
    if (known !== undefined && isSame) return known.binding;
    const binding = this.#reader.bind(draft, materials, this.#instructions, this.#surroundings);
    if (first !== undefined) bindings.set(first, { key, pages: read, binding });
    return binding;
  }

  #open(sources: readonly Source[], program: Program): ModelReply {
    const gathered = readSources(sources, this.#desk, this.#request.inputs);
    return this.#unread(gathered, linesOf(program)) ?? this.#execute(program, gathered);
  }

  /** Returns the reply while sources are not read, or if one cannot be read; else null. */
  #unread({ unread, isWaiting }: Gathered, says: string[]): ModelReply | null {
    const [first] = unread;
    if (first === undefined) return isWaiting ? this.#call(says) : null;
    return this.#fail(first.code, unread.map(({ message }) => sentence(message)).join("\n"));
  }

  /** Computes the parts, shapes the data, and only then delivers. */
  #execute(program: Program, { pages }: Gathered): ModelReply {
    const { parts, deliveries } = program;
    const lacking = toolsOf(deliveries).filter((tool) => !this.#desk.has(tool));
    if (lacking.length > 0) return this.#fail("cannot_do", lackingText(lacking));
    const says = linesOf(program);
    const hasSchema = this.#request.outputSchema !== null;
    const results: Result[] = [];
    const failures: string[] = [];
    for (const part of parts) {
      const step = resultOf(part, { desk: this.#desk, pages, hasSchema });
      if (step.kind === "done") results.push(step.value);
      if (step.kind === "failed") failures.push(`${sentence(part.says)} ${sentence(step.message)}`);
    }
    if (failures.length > 0) return this.#fail("cannot_do", failures.join("\n"), says);
    if (this.#desk.pending.length > 0) return this.#call(says);

    const shaped = this.#dataOf(results, [...pages.values()].flat());
    if (!shaped.ok) {
      return this.#fail("cannot_do", `${shaped.message}\n${summaryOf(results)}`, says);
    }
    const delivered = deliver(deliveries, results, this.#desk);
    if (delivered.isWaiting) return this.#call(says);
    const { filed, hasOutputs, responses, said, failure } = delivered;
    const hasOthers = hasOutputs || responses.length > 0;
    queueOutputs(results, { filed, hasOthers }, this.#desk);
    if (failure !== null) {
      const summary = [sentence(failure), ...said, summaryOf(results)].filter(Boolean).join("\n");
      return this.#finish({ status: "failed", reason: "cannot_do", summary }, says);
    }
    const notes = results.flatMap((result) => result.notes);
    const lines = [summaryOf(results), ...said, ...new Set(notes)].filter(Boolean);
    const summary = lines.join("\n") || "Done.";
    const data = shaped.data === undefined ? {} : { data: shaped.data };
    return this.#finish({ status: "completed", summary, ...data }, says);
  }

  #dataOf(
    results: readonly Result[],
    pages: Parameters<typeof shapeTo>[2],
  ): { ok: true; data: Json | undefined } | { ok: false; message: string } {
    const { outputSchema } = this.#request;
    if (outputSchema === null) return { ok: true, data: dataOf(results) };
    return shapeTo(outputSchema, results, pages);
  }

  #call(says: string[]): ModelReply {
    const calls = this.#desk.pending.slice(0, MAX_CALLS);
    return this.#replyOf(sayingOf(calls), calls, says);
  }

  #ask(question: Question, refusal: Refusal): ModelReply {
    const asked = questionsOf(this.#request.turns);
    const text = questionText(question);
    const canAsk = this.#request.interactive && this.#desk.has("ask_user");
    const isNew = !asked.includes(text) && asked.length < MAX_QUESTIONS;
    if (!canAsk || !isNew) return this.#refuse(refusal);
    const call = { callId: this.#desk.nextId(), tool: "ask_user", input: { question: text } };
    return this.#replyOf("Asking which reading is meant.", [call], []);
  }

  #refuse(refusal: Refusal): ModelReply {
    return this.#fail("cannot_do", refusalText(refusal));
  }

  #fail(reason: FailureReason, summary: string, says: string[] = []): ModelReply {
    this.#desk.pending.length = 0;
    return this.#finish({ status: "failed", reason, summary }, says);
  }

  /** Ends with the queued calls before it. */
  #finish(
    result: {
      status: "completed" | "failed";
      reason?: FailureReason;
      summary: string;
      data?: Json;
    },
    says: string[],
  ): ModelReply {
    const input = { ...result, summary: result.summary.slice(0, MAX_SUMMARY) };
    const finish = { callId: this.#desk.nextId(), tool: "finish", input };
    const text = result.status === "completed" ? "Giving the answer." : "This cannot be done.";
    return this.#replyOf(text, [...this.#desk.pending, finish], says);
  }

  /** Adds the plan if it is not the one that was stated last. */
  #replyOf(text: string, calls: ToolCall[], says: string[]): ModelReply {
    const last = this.#request.turns.findLast((turn) => "plan" in turn);
    const known = last !== undefined && "plan" in last ? last.plan : undefined;
    const isNew = says.length > 0 && JSON.stringify(says) !== JSON.stringify(known);
    return { text, calls, usage: USAGE, ...(isNew ? { plan: says } : {}) };
  }
}

/** Refuses a list whose further pages were not read, because the prompt does not say whether they count. */
function unreadPages(url: string, understood: string[]): Refusal {
  return {
    reason: `The list of ${url} has further pages, and the prompt does not say whether they count.`,
    understood,
    words: [],
    suggestion: 'Add "on all pages" or "on this page only".',
  };
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

function questionsOf(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => (turn.role === "assistant" ? (questionIn(turn) ?? []) : []));
}

function questionText({ text, choices }: Question): string {
  const lines = choices.map((choice, index) => `${index + 1}. ${choice}`);
  return [text, ...lines].join("\n").slice(0, 4_000);
}

function refusalText({ reason, understood, words, suggestion }: Refusal): string {
  const quoted = words.slice(0, 10).map((word) => `"${word}"`);
  return [
    sentence(reason),
    ...(quoted.length === 0 ? [] : [`I did not understand: ${listed(quoted)}.`]),
    ...(understood.length === 0
      ? []
      : [`I understood: ${understood.map((part) => part.replace(/\.$/, "")).join("; ")}.`]),
    ...(suggestion === null ? [] : [`This would work: ${suggestion}`]),
  ].join("\n");
}

function lackingText(tools: readonly string[]): string {
  const names = [...new Set(tools)];
  const word = names.length === 1 ? "tool" : "tools";
  return `This needs the ${word} ${listed(names)}, which this execution does not have.`;
}

function toolsOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(toolOf);
}

function toolOf(delivery: Delivery): string {
  switch (delivery.kind) {
    case "mail":
      return "send_email";
    case "request":
      return "http_request";
    case "file":
      return /^(?:xlsx|csv)$/.test(delivery.format) ? "write_spreadsheet" : "emit_output";
  }
}

function summaryOf(results: readonly Result[]): string {
  const [only, ...others] = results;
  if (only === undefined) return "";
  if (others.length === 0) return only.sentence;
  return results.map((result, index) => `${index + 1}. ${result.sentence}`).join("\n");
}

const SAYINGS: Record<string, string | undefined> = {
  browse: "Opening the page.",
  http_request: "Sending the request.",
  process_data: "Working on the data.",
  run_code: "Cleaning the rows.",
  search_web: "Searching the web.",
  write_spreadsheet: "Writing the rows.",
  send_email: "Sending the e-mail.",
  emit_output: "Writing the file.",
};

function sayingOf([first]: readonly ToolCall[]): string {
  return SAYINGS[first?.tool ?? ""] ?? "Working.";
}
