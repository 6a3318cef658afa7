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
import { type Wait, waitIn } from "../text/wait.ts";
import { Deliveries } from "./deliver.ts";
import { Desk, type Failure } from "./desk.ts";
import { dataOf, queueOutputs } from "./outputs.ts";
import { type Gathered, readSources } from "./read.ts";
import type { Result } from "./result.ts";
import { resultOf } from "./results.ts";
import { type Shaped, shapeTo } from "./shape.ts";
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

class Step {
  readonly #request: ModelRequest;
  readonly #reader: Reader;
  readonly #desk: Desk;
  readonly #instructions: Instruction[];
  readonly #surroundings: Surroundings;
  /** The wait that the prompt begins with; the other instructions follow it. */
  readonly #wait: Wait | null;

  constructor(request: ModelRequest, reader: Reader) {
    this.#request = request;
    this.#reader = reader;
    this.#desk = new Desk(request);
    const { inputs, outputSchema, now } = request;
    this.#surroundings = { inputs, outputSchema, now };
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
      return this.#awaited(this.#wait, []) ?? this.#finishWithEvent(this.#wait);
    }
    const understanding = this.#reader.understand(this.#instructions, this.#surroundings);
    switch (understanding.kind) {
      case "refused":
        return this.#fail(refusalText(understanding.refusal));
      case "ask":
        return this.#ask(understanding.question, understanding.refusal);
      case "stopped":
        return this.#finish({ status: "completed", summary: "Stopped, as you asked." }, []);
      case "program": {
        const { program, sources } = understanding;
        const waiting = this.#wait && this.#awaited(this.#wait, linesOf(program));
        if (waiting !== null) return waiting;
        const gathered = this.#read(sources);
        return this.#blocked(linesOf(program)) ?? this.#execute(program, gathered);
      }
      case "draft":
        return this.#bind(understanding.draft);
    }
  }

  /** Returns the reply while the event has not come, and once it did not come in time; null afterwards. */
  #awaited({ call }: Wait, says: string[]): ModelReply | null {
    const lacking = this.#lacking(["wait_for_event"]);
    if (lacking !== null) return this.#fail(lacking);
    const answer = this.#desk.get("wait_for_event", call)?.answer;
    if (answer === undefined) return this.#blocked(says);
    if (!answer.ok) return this.#fail(answer.error.message, { says });
    const isLate = isObject(answer.content) && answer.content.timedOut === true;
    return isLate ? this.#fail("The event did not arrive in time.", { says }) : null;
  }

  /** Ends a prompt that only waits. */
  #finishWithEvent({ call }: Wait): ModelReply {
    const done = this.#desk.get("wait_for_event", call);
    const value = done?.answer.ok === true ? done.answer.content : null;
    this.#desk.get("emit_output", {
      label: "Event",
      type: "json",
      value,
      sources: [done?.callId ?? ""],
    });
    return this.#finish({ status: "completed", summary: "The event arrived." }, []);
  }

  #read(sources: readonly Source[]): Gathered {
    return readSources(sources, this.#desk, this.#request.inputs);
  }

  /** Returns the reply while calls are to be made, or once one has failed; else null. */
  #blocked(says: string[]): ModelReply | null {
    const { failures, pending } = this.#desk;
    const [first] = failures;
    if (first !== undefined) {
      const summary = failures.map(({ message }) => sentence(message)).join("\n");
      return this.#fail(summary, { says, reason: first.reason });
    }
    const calls = pending.slice(0, MAX_CALLS);
    return calls.length === 0 ? null : this.#replyOf(sayingOf(calls), calls, says);
  }

  /** Opens the sources, then executes the program that is bound to them. */
  #bind(draft: Draft): ModelReply {
    const lacking = this.#lacking([...draft.needs, ...draft.deliveries.map(toolOf)]);
    if (lacking !== null) return this.#fail(lacking);
    const waiting = this.#wait && this.#awaited(this.#wait, draft.says);
    if (waiting !== null) return waiting;
    const gathered = this.#read(draft.sources);
    const blocked = this.#blocked(draft.says);
    if (blocked !== null) return blocked;
    const further = gathered.materials.filter((material) => material.further);
    const unsaid = draft.sources.find(
      (source) =>
        source.kind === "page" &&
        source.paging.kind === "unsaid" &&
        further.some(({ sourceId }) => sourceId === source.id),
    );
    if (unsaid?.kind === "page") {
      return this.#fail(refusalText(unreadPages(unsaid.url, draft.says)));
    }
    const binding = this.#bindingOf(draft, gathered);
    switch (binding.kind) {
      case "refused":
        return this.#fail(refusalText(binding.refusal));
      case "ask":
        return this.#ask(binding.question, binding.refusal);
      case "program":
        return this.#execute(binding.program, gathered);
    }
  }

  /** Binds a draft once while its pages stay in memory. */
  #bindingOf(draft: Draft, { materials, pages }: Gathered): Binding {
    const read = [...pages.values()].flat();
    const [first] = read;
    const key = JSON.stringify([this.#instructions, read.map(({ callId }) => callId)]);
    const known = first === undefined ? undefined : bindings.get(first);
    if (known?.key === key) return known.binding;
    const binding = this.#reader.bind(draft, materials, this.#instructions, this.#surroundings);
    if (first !== undefined) bindings.set(first, { key, binding });
    return binding;
  }

  /** Computes the parts, shapes the data, and only then delivers. */
  #execute(program: Program, { pages }: Gathered): ModelReply {
    const { parts, deliveries } = program;
    const { outputSchema } = this.#request;
    const desk = this.#desk;
    const says = linesOf(program);
    const lacking = this.#lacking(deliveries.map(toolOf));
    if (lacking !== null) return this.#fail(lacking);
    const results = parts.flatMap((part) => resultOf(part, { desk, pages }) ?? []);
    const blocked = this.#blocked(says);
    if (blocked !== null) return blocked;

    const answers = summaryOf(results);
    const shaped: Shaped =
      outputSchema === null
        ? { ok: true, data: dataOf(results) }
        : shapeTo(outputSchema, results, [...pages.values()].flat());
    if (!shaped.ok) return this.#fail(`${shaped.message}\n${answers}`, { says });
    const work = new Deliveries(results, desk);
    work.carryOut(deliveries);
    const [failure] = desk.failures;
    const waiting = failure === undefined ? this.#blocked(says) : null;
    if (waiting !== null) return waiting;
    queueOutputs(results, { filed: work.filed, hasOthers: work.hasOutputs }, desk);
    if (failure !== undefined) {
      const lines = [sentence(failure.message), ...work.said, answers];
      return this.#finish({ status: "failed", reason: "cannot_do", summary: joined(lines) }, says);
    }
    const notes = new Set(results.flatMap((result) => result.notes));
    const summary = joined([answers, ...work.said, ...notes]) || "Done.";
    const data = shaped.data === undefined ? {} : { data: shaped.data };
    return this.#finish({ status: "completed", summary, ...data }, says);
  }

  /** Returns why tools that the task needs are missing, or null. */
  #lacking(tools: readonly string[]): string | null {
    const names = [...new Set(tools)].filter((tool) => !this.#desk.has(tool));
    if (names.length === 0) return null;
    const word = names.length === 1 ? "tool" : "tools";
    return `This needs the ${word} ${listed(names)}, which this execution does not have.`;
  }

  #ask({ text, choices }: Question, refusal: Refusal): ModelReply {
    const lines = choices.map((choice, index) => `${index + 1}. ${choice}`);
    const question = [text, ...lines].join("\n").slice(0, MAX_QUESTION);
    const asked = this.#request.turns.flatMap((turn) =>
      turn.role === "assistant" ? (questionIn(turn) ?? []) : [],
    );
    const canAsk = this.#request.interactive && this.#desk.has("ask_user");
    if (!canAsk || asked.includes(question) || asked.length >= MAX_QUESTIONS) {
      return this.#fail(refusalText(refusal));
    }
    const call = { callId: this.#desk.nextId(), tool: "ask_user", input: { question } };
    return this.#replyOf("Asking which reading is meant.", [call], []);
  }

  #fail(
    summary: string,
    { says = [], reason = "cannot_do" }: { says?: string[]; reason?: Failure["reason"] } = {},
  ): ModelReply {
    this.#desk.pending.length = 0;
    return this.#finish({ status: "failed", reason, summary }, says);
  }

  /** Ends with the queued calls before it. */
  #finish(
    result: { status: "completed" | "failed"; summary: string; reason?: string; data?: Json },
    says: string[],
  ): ModelReply {
    const input = { ...result, summary: result.summary.slice(0, MAX_SUMMARY) };
    const finish = { callId: this.#desk.nextId(), tool: "finish", input };
    const text = result.status === "completed" ? "Giving the answer." : "This cannot be done.";
    return this.#replyOf(text, [...this.#desk.pending, finish], says);
  }

  /** Adds the plan if it is not the one that was stated last. */
  #replyOf(text: string, calls: ToolCall[], says: string[]): ModelReply {
    const plans = this.#request.turns.flatMap((turn) =>
      "plan" in turn && turn.plan ? [turn.plan] : [],
    );
    const plan = this.#wait === null ? says : [this.#wait.says, ...says];
    const isNew = plan.length > 0 && JSON.stringify(plan) !== JSON.stringify(plans.at(-1));
    return { text, calls, usage: USAGE, ...(isNew && { plan }) };
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
  if (only === undefined || others.length === 0) return only?.sentence ?? "";
  return results.map((result, index) => `${index + 1}. ${result.sentence}`).join("\n");
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

function sayingOf([first]: readonly ToolCall[]): string {
  return SAYINGS[first?.tool ?? ""] ?? "Working.";
}
