import type { ModelRequest } from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { type DataSource, dataContent } from "../../../contract/tools/data.ts";
import { isObject, valueAt } from "../../../lib/json-values.ts";
import { loadSource } from "../../tools/process-data/source.ts";
import { readAnswerContent, type SourceContent } from "../../tools/source-content.ts";
import { CallFailure } from "../../tools/tool.ts";
import { type Answered, Calls } from "./calls.ts";
import type { Action, ActionOf, Command, Query, Source } from "./program.ts";
import { fillJson, fillText, fillUrl } from "./references.ts";
import { dataOf, fileCall, mailCall, type Result } from "./result.ts";
import { extractionOf } from "./tables.ts";

/** Why the commands cannot be carried out. */
export interface Failure {
  reason: "cannot_do" | "source_unavailable";
  message: string;
}

const NEXT_PAGE = /^(?:(?:next(?: page)?|older) ?[›»→>]?|[›»→>])$/i;
const GIVE_RESULTS = new Set<Action["kind"]>(["query", "run", "send", "say"]);
const PAUSES = new Set<Action["kind"]>(["ask", "wait"]);
const ACTS = new Set<Action["kind"]>(["save", "mail", "send"]);

/** The answer of a call. */
interface Done {
  callId: string;
  content: Json;
}

/** Thrown where a command waits for a call, or failed: it cannot go on. */
class Blocked extends Error {}

/**
 * Carries commands out as far as the answers of the conversation reach. Between two pauses, everything is
 * read and computed before anything is written, sent or mailed, so a name that no column has refuses the
 * prompt before it has an effect.
 */
export class Walk {
  readonly calls: Calls;
  readonly results = new Map<number, Result>();
  readonly failures: Failure[] = [];
  /** What was written or done outside, in words. */
  readonly done: string[] = [];
  /** Results that are in a file or in an e-mail. */
  readonly delivered = new Set<Result>();
  readonly #commands: readonly Command[];
  readonly #inputs: JsonObject;
  /** What references name: the inputs, and `answer` and `event` once they are known. */
  readonly #scope: JsonObject;
  readonly #answers: string[];
  readonly #ended = new Set<number>();
  /** The id of the call that opened each address, so that commands share a page. */
  readonly #pageCalls = new Map<string, string>();
  /** Files that no e-mail has yet. */
  #files: string[] = [];

  constructor(request: ModelRequest, commands: readonly Command[], answers: readonly string[]) {
    this.calls = new Calls(request);
    this.#commands = commands;
    this.#inputs = request.inputs ?? {};
    this.#scope = { ...this.#inputs };
    this.#answers = [...answers];
  }

  /** Walks all commands; `calls.pending` and `failures` say what stopped it. */
  run(): void {
    let start = 0;
    while (start < this.#commands.length && !this.#isBlocked) {
      const pause = this.#commands.findIndex(
        ({ action }, at) => at >= start && PAUSES.has(action.kind),
      );
      const end = pause === -1 ? this.#commands.length : pause;
      for (let at = start; at < end; at += 1) if (!this.#isLater(at)) this.#carryOut(at);
      for (let at = start; at <= pause || at < end; at += 1) {
        if (this.#isBlocked) return;
        this.#carryOut(at);
      }
      start = end + 1;
    }
  }

  get #isBlocked(): boolean {
    return this.calls.pending.length + this.failures.length > 0;
  }

  /** Whether a command acts, or depends on the result of one that is still to come. */
  #isLater(index: number): boolean {
    const action = this.#commands[index]?.action;
    if (action === undefined || ACTS.has(action.kind)) return true;
    const needsResult =
      action.kind === "run" ||
      (action.kind === "query" && this.#sourceOf(action.query, index).kind === "result");
    return (
      needsResult &&
      this.#commands.some((command, at) => {
        return at < index && GIVE_RESULTS.has(command.action.kind) && !this.results.has(at);
      })
    );
  }

  #carryOut(index: number): void {
    const action = this.#commands[index]?.action;
    if (action === undefined || this.#ended.has(index)) return;
    try {
      this.#do(action, index);
      this.#ended.add(index);
    } catch (error) {
      if (error instanceof CallFailure) {
        this.failures.push({ reason: "cannot_do", message: error.message });
      } else if (!(error instanceof Blocked)) throw error;
    }
  }

  #do(action: Action, index: number): void {
    switch (action.kind) {
      case "open":
        this.#open(action, index);
        break;
      case "query":
        this.#query(action.query, index);
        break;
      case "say":
        this.#add(index, "Text", {
          from: "value",
          value: fillText(action.text, this.#scope),
        });
        break;
      case "run":
        this.#code(action, index);
        break;
      case "send":
        this.#send(action, index);
        break;
      case "save":
        this.#save(action, index);
        break;
      case "mail":
        this.#mail(action, index);
        break;
      case "ask":
        this.#call(index, "ask_user", { question: fillText(action.question, this.#scope) });
        // Every question before this one has its answer: the walk waits for each.
        this.#scope.answer = this.#answers.shift() ?? "";
        break;
      case "wait":
        this.#wait(action, index);
        break;
    }
  }

  #query(query: Query, index: number): void {
    const from = this.#opened(this.#sourceOf(query, index), index);
    const loaded = loadSource(from, (callId) => this.calls.answer(callId));
    const operations = query.operations.map((each) =>
      each.op === "filter" && typeof each.value === "string"
        ? { ...each, value: fillText(each.value, this.#scope) }
        : each,
    );
    const input = { sources: [from], extract: extractionOf(query.select, loaded), operations };
    const { callId, content } = this.#call(index, "process_data", input);
    const table = dataContent.parse(content);
    const next = loaded.links().find(({ text }) => NEXT_PAGE.test(text.trim()));
    const unread = next === undefined ? [] : [`The next page, ${next.url}, was not read.`];
    const notes = [...table.notes, ...unread];
    this.#add(index, this.#labelAt(index), { from: "data", table }, callId, notes);
  }

  /** Returns the source of a query, or that of the commands before it. */
  #sourceOf(query: Query, index: number): Source {
    if (query.source !== null) return query.source;
    for (const { action } of this.#commands.slice(0, index).reverse()) {
      if (action.kind === "open") return { kind: "page", url: action.url };
      if (action.kind === "query" && action.query.source !== null) return action.query.source;
      if (action.kind === "wait") return { kind: "event" };
      if (action.kind === "run" || action.kind === "send") return { kind: "result" };
    }
    return { kind: "input", path: null };
  }

  /** Returns a source as `process_data` takes it. */
  #opened(source: Source, index: number): DataSource {
    if (source.kind === "result") return this.#resultBefore(index).from;
    const value = this.#valueOf(source);
    if (typeof value !== "string") return { data: JSON.stringify(value ?? null), format: "json" };
    const isAddress = /^https?:\/\/\S+$/.test(value);
    return isAddress
      ? { callId: this.#page(value, index).callId }
      : { data: value, format: "auto" };
  }

  #valueOf(source: Exclude<Source, { kind: "result" }>): Json | undefined {
    if (source.kind === "page") return fillUrl(source.url, this.#scope);
    if (source.kind === "data") return source.text;
    if (source.kind === "event") return this.#scope.event;
    return source.path === null ? this.#inputs : valueAt(this.#scope, source.path);
  }

  /** Opens a page once for all commands. */
  #page(url: string, index: number): Done {
    const id = this.#pageCalls.get(url) ?? `page${index}`;
    this.#pageCalls.set(url, id);
    const { callId, answer } = this.#answerOf(id, "browse", { url });
    if (answer.ok) return { callId, content: answer.content };
    return this.#fail(`${url} could not be read: ${answer.error.message}`, "source_unavailable");
  }

  /** Opens a page; where no command asks for a part of it, its text is the result. */
  #open({ url }: ActionOf<"open">, index: number): void {
    const { callId, content } = this.#page(fillUrl(url, this.#scope), index);
    const isUsed = this.#commands.slice(index + 1).some(({ action }) => action.kind === "query");
    if (!isUsed) this.#add(index, "Page", readAnswerContent(content), callId);
  }

  #code({ code }: ActionOf<"run">, index: number): void {
    const before = [...this.results].toSorted(([a], [b]) => a - b);
    const from = before.flatMap(([, result]) => result.callId ?? []);
    const input = { code, input: this.#inputs, from };
    const { callId, content } = this.#call(index, "run_code", input);
    this.#add(index, "Code", readAnswerContent(content), callId);
  }

  #send({ method, url, body }: ActionOf<"send">, index: number): void {
    const address = fillUrl(url, this.#scope);
    const json: Json | undefined =
      body.kind === "json"
        ? JSON.parse(fillJson(body.text, this.#scope))
        : body.kind === "result"
          ? dataOf(this.#resultBefore(index))
          : undefined;
    const call = { method, url: address, body: json };
    const { callId, content } = this.#call(index, "http_request", call, false);
    const read = readAnswerContent(content);
    const status = read?.from === "response" ? read.response.status : 0;
    if (status < 200 || status > 299) this.#fail(`${method} ${address} returned status ${status}.`);
    this.done.push(`Sent ${method} ${address}: status ${status}.`);
    this.#add(index, "Response", read, callId);
  }

  #save(action: ActionOf<"save">, index: number): void {
    const result = this.#resultBefore(index);
    if (result.callId === null) this.#fail("A text cannot be saved: list rows first.");
    const filename = fillText(action.filename, this.#scope);
    const { tool, input } = fileCall(filename, action.format, result.callId);
    const { callId } = this.#call(index, tool, input);
    this.#files.push(callId);
    this.delivered.add(result);
    this.done.push(`Saved ${filename}.`);
  }

  #mail({ to, subject }: ActionOf<"mail">, index: number): void {
    const result = this.#resultBefore(index);
    const recipients = to.map((address) => fillText(address, this.#scope));
    const title = subject && fillText(subject, this.#scope);
    this.#call(index, "send_email", mailCall(recipients, title, result, this.#files), false);
    this.#files = [];
    this.delivered.add(result);
    this.done.push(`Sent an e-mail to ${recipients.join(", ")}.`);
  }

  #wait({ endpointId, where, timeoutSeconds }: ActionOf<"wait">, index: number): void {
    const tests = where.map(({ column: path, test, value = "" }) => {
      const [, name] = /^\{\{ ?([^}]*?) ?\}\}$/.exec(value) ?? [];
      const wanted = name === undefined ? typed(value) : valueAt(this.#scope, name);
      if (test === "ne") return { not: { path, equals: wanted } };
      return { path, [test === "eq" ? "equals" : test]: wanted };
    });
    const id = fillText(endpointId, this.#scope);
    const input = { endpointId: id, when: { all: tests }, timeoutSeconds };
    const { callId, content } = this.#call(index, "wait_for_event", input);
    if (!isObject(content) || content.payload === undefined) {
      this.#fail("The event did not arrive in time.");
    }
    this.#scope.event = content.payload;
    const isLast = index === this.#commands.length - 1;
    if (isLast) this.#add(index, "Event", { from: "value", value: content }, callId);
  }

  /** Returns what a query takes as a title: "Name, price", "Sum total". */
  #labelAt(index: number): string {
    const says = this.#commands[index]?.says.replace(/^list\s+(?:distinct\s+)?/i, "");
    const [head = ""] = (says ?? "").split(/\s+(?:of|from|where|per|sorted\s+by)\s/i, 1);
    return `${head.slice(0, 1).toUpperCase()}${head.slice(1)}`.slice(0, 190);
  }

  /** Returns the result of the last command before a place that gives one. */
  #resultBefore(index: number): Result {
    const giver = this.#commands.findLastIndex(
      ({ action }, at) => at < index && GIVE_RESULTS.has(action.kind),
    );
    return this.results.get(giver) ?? this.#fail("There is no result before it.");
  }

  #add(
    index: number,
    label: string,
    content: SourceContent | null,
    callId: string | null = null,
    notes: string[] = [],
  ): void {
    if (content === null) return;
    const text = content.from === "value" ? String(content.value) : "";
    const from: DataSource = callId === null ? { data: text, format: "auto" } : { callId };
    const { action } = this.#commands[index] ?? {};
    const isFigure = action?.kind === "query" && action.query.isFigure;
    const isValue = isFigure || content.from === "value" || content.from === "code";
    this.results.set(index, { label, isValue, content, from, callId, notes });
  }

  /** Returns the answer of a command's call; one that is to be made, or that failed, stops the command. */
  #call(index: number, tool: string, input: object, isRead = true): Done {
    const { callId, answer } = this.#answerOf(`c${index}`, tool, input, isRead);
    return answer.ok ? { callId, content: answer.content } : this.#fail(answer.error.message);
  }

  #answerOf(id: string, tool: string, input: object, isRead = true): Answered {
    const call = this.calls.get(id, tool, input, isRead);
    if (call === null) throw new Blocked();
    return call;
  }

  #fail(message: string, reason: Failure["reason"] = "cannot_do"): never {
    this.failures.push({ reason, message });
    throw new Blocked();
  }
}

/** Returns a text as the number or truth value that it is written like: events are compared by type. */
function typed(text: string): Json {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
