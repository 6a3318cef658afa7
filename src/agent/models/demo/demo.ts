import {
  type Model,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from "../../../contract/conversation.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { violationLine } from "../../../contract/problem.ts";
import { valueAt } from "../../../lib/json-values.ts";
import { schemaViolations } from "../../schema-check.ts";
import { cutAt, storedBytes } from "../../tools/text.ts";
import { parse, splitData } from "./parse.ts";
import { Misread } from "./piece.ts";
import { type Action, type Command, GRAMMAR } from "./program.ts";
import { referencesIn } from "./references.ts";
import { dataInShape, dataOfAll, outputCalls, sentenceOf } from "./result.ts";
import { columnsIn } from "./tables.ts";
import { type Failure, Walk } from "./walk.ts";

const NAME = "builtin/demo";
/** A stored row holds 2 MB, and inputs are passed on as received. */
const MAX_REPLY_BYTES = 1024 * 1024;
const MAX_CALLS = 20;
const MAX_SUMMARY = 30_000;
const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
const CONNECT =
  "For plain language, connect a model: put ANTHROPIC_API_KEY=... into .env, or run Ollama, and start again (docs/agents.md lists others).";

/** The model of a checkout without any other: it carries out commands of a small grammar, offline. */
export const demo: Model = {
  name: NAME,
  async respond(request) {
    const reply = respond(request);
    if (storedBytes(reply) <= MAX_REPLY_BYTES) return reply;
    const message = `The data of this task is too large for ${NAME}, which passes on up to 1 MiB.`;
    throw new ModelError(message, { retryable: false });
  },
};

/**
 * Returns the next step of a conversation. It is computed from the conversation alone, so the same
 * request always gives the same reply.
 */
export function respond(request: ModelRequest): ModelReply {
  const { texts, answers } = instructionsOf(request);
  const commands: Command[] = [];
  let data: string | null = null;
  try {
    for (const text of texts) {
      data = splitData(text).block ?? data;
      commands.push(...parse(text, data));
    }
    checkNeeds(commands, request);
  } catch (error) {
    if (error instanceof Misread) return refuse(request, error, data);
    throw error;
  }
  const walk = new Walk(request, commands, answers);
  walk.run();
  // The plan is new after the user's words.
  const isNew = request.turns.at(-1)?.role === "user";
  const plan = isNew ? { plan: commands.map(({ says }) => says) } : {};
  const calls = walk.calls.pending.slice(0, MAX_CALLS);
  if (walk.failures.length === 0 && calls.length > 0) {
    return { text: "Carrying out the commands.", calls, usage: USAGE, ...plan };
  }
  return { ...endOf(request, walk), ...plan };
}

/** Returns the user's commands, and apart from them the answers to questions. */
function instructionsOf({ turns }: ModelRequest): { texts: string[]; answers: string[] } {
  const texts: string[] = [];
  const answers: string[] = [];
  let isAsked = false;
  for (const turn of turns) {
    if (turn.role === "assistant") isAsked = turn.calls.some(({ tool }) => tool === "ask_user");
    // Events are data: they command nothing.
    if (turn.role !== "user" || turn.event !== undefined) continue;
    (isAsked ? answers : texts).push(turn.text);
    isAsked = false;
  }
  return { texts, answers };
}

const NEEDS: Record<Action["kind"], string | null> = {
  open: "browse",
  query: "process_data",
  say: null,
  send: "http_request",
  run: "run_code",
  save: "write_spreadsheet",
  mail: "send_email",
  ask: "ask_user",
  wait: "wait_for_event",
};

/** Refuses commands that need a tool or an input which this execution does not have. */
function checkNeeds(commands: readonly Command[], { tools, inputs }: ModelRequest): void {
  if (commands.length === 0) throw new Misread("There is no command.", null);
  const known: JsonObject = { ...inputs };
  for (const { says, action } of commands) {
    const source = action.kind === "query" ? action.query.source : null;
    const needed = [NEEDS[action.kind], source?.kind === "page" ? "browse" : null];
    const lacking = needed.find((tool) => tool && !tools.some(({ name }) => name === tool));
    const needs = lacking === "ask_user" ? "interactive: true" : `the tool ${lacking}`;
    if (lacking) throw new Misread(`\`${says}\` needs ${needs}.`);
    const path = source?.kind === "input" && source.path !== null ? [source.path] : [];
    const unknown = [...referencesIn(JSON.stringify(action)), ...path].find(
      (name) => !/^event\./.test(name) && valueAt(known, name) === undefined,
    );
    const names = Object.keys(known).join(", ") || "none";
    if (unknown) throw new Misread(`There is no input ${unknown}. Inputs: ${names}.`);
    if (action.kind === "ask") known.answer = "";
  }
}

/** Ends before anything is done: what is wrong and, of what is not understood, the grammar and the columns. */
function refuse(request: ModelRequest, refusal: Misread, data: string | null): ModelReply {
  const { message, form } = refusal;
  const end = (summary: string) =>
    finish(request, [], { status: "failed", reason: "cannot_do", summary });
  if (form === undefined) return end(message);
  const found = [data ?? "", JSON.stringify(request.inputs ?? "")].flatMap(columnsIn);
  const columns = [...new Set(found)].slice(0, 50).join(", ");
  const advice = [
    `${message} ${NAME} takes commands, not plain language.`,
    form === null ? `The commands are:\n${GRAMMAR.join("\n")}` : `The command is: ${form}`,
    columns && `The columns of the data are: ${columns}.`,
    CONNECT,
  ];
  return end(lines(advice));
}

/** Ends with what came out; what is partly done is kept beside the reason of a failure. */
function endOf(request: ModelRequest, walk: Walk): ModelReply {
  const { outputSchema, tools } = request;
  const byPlace = [...walk.results.entries()].toSorted(([a], [b]) => a - b);
  const results = byPlace.map(([, result]) => result);
  const said = lines([...results.map(sentenceOf), ...walk.done]);
  const data = outputSchema ? dataInShape(results, outputSchema) : dataOfAll(results);
  const faults =
    outputSchema && data === undefined ? schemaViolations(outputSchema, dataOfAll(results)) : [];
  const list = faults.map((fault) => violationLine(fault, "data")).join("; ");
  const mismatch = list && `The result does not match the output schema: ${list}`;
  const failure = walk.failures[0] ?? refusedEnd(request, mismatch);
  if (failure !== null) {
    const summary = lines([failure.message, said]);
    return finish(request, [], { status: "failed", reason: failure.reason, summary });
  }
  const hasEmit = tools.some(({ name }) => name === "emit_output");
  const outputs = hasEmit ? outputCalls(results, walk.delivered, walk.calls) : [];
  const given = data === undefined ? {} : { data };
  return finish(request, outputs, { status: "completed", summary: said || "Done.", ...given });
}

/** Returns why the last end was refused, or why this one would be; null if it would not. */
function refusedEnd({ turns }: ModelRequest, mismatch: string): Failure | null {
  const last = turns.findLast(
    (turn) => turn.role === "user" || (turn.role === "tool" && turn.tool === "finish"),
  );
  const message = last?.role === "tool" && !last.answer.ok ? last.answer.error.message : mismatch;
  return message === "" ? null : { reason: "cannot_do", message };
}

function finish(
  { turns }: ModelRequest,
  outputs: readonly ToolCall[],
  end: JsonObject & { summary: string },
): ModelReply {
  const input = { ...end, summary: cutAt(end.summary, MAX_SUMMARY) };
  const call = { callId: `end${turns.length}`, tool: "finish", input };
  return { text: "That is all.", calls: [...outputs, call], usage: USAGE };
}

function lines(texts: readonly (string | null)[]): string {
  return texts.filter(Boolean).join("\n");
}
