import { withoutNulls } from "../agent/schema-check.ts";
import { withoutThoughts } from "../agent/thoughts.ts";
import { cutAt } from "../agent/tools/text.ts";
import type { NewOutput } from "../agent/tools/tool.ts";
import type { ModelReply } from "../contract/conversation.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { type FinishInput, finishInput } from "../contract/tools/call.ts";
import { isObject, mapTexts } from "../lib/json-values.ts";
import { orElse } from "../lib/or-else.ts";
import { counted, preview } from "../lib/text.ts";

/** The most calls that one reply may make. */
const CALLS_PER_REPLY = 32;
const LONGEST_SUMMARY = 32_000;

const EMPTY_REPLY =
  "Your reply was empty. Call a tool, or call finish if the task is done or cannot be done.";

/**
 * Turns a reply without calls into a call of `finish` with the id `callId`, so that an execution ends
 * in one way only. A reply with a fault stays as it is; an empty one gets a fault.
 */
export function withFinish(raw: ModelReply, callId: string): ModelReply {
  const reply = wellFormedReply(raw);
  if (reply.calls.length > 0) return { ...reply, calls: reply.calls.slice(0, CALLS_PER_REPLY) };
  const text = reply.text.trim();
  if (reply.fault !== undefined) return reply;
  if (text === "") return { ...reply, fault: EMPTY_REPLY };
  const value = parseValue(text);
  const summary = cutAt(value?.sentence ?? text, LONGEST_SUMMARY);
  const call = { callId, tool: "finish", input: { summary, ...value?.exact } };
  const truncated = value === null && summary.length < text.length;
  return { ...reply, text: "", calls: [{ ...call, ...(truncated && { truncated }) }] };
}

/** Returns a value without lone surrogates, which not every reader of JSON accepts. */
function wellFormed(value: Json): Json {
  return mapTexts(value, (text) => text.toWellFormed());
}

/** Returns a reply without lone surrogates. Thoughts stay as they are: providers sign them. */
function wellFormedReply(reply: ModelReply): ModelReply {
  const { text, calls, plan } = reply;
  return {
    ...reply,
    text: text.toWellFormed(),
    calls: calls.map((call) => ({
      ...call,
      tool: call.tool.toWellFormed(),
      input: wellFormed(call.input),
    })),
    ...(plan && { plan: plan.map((part) => part.toWellFormed()) }),
  };
}

/**
 * Reads the input of `finish`. Nulls in place of absent fields count as absent; a summary that is JSON
 * becomes a sentence.
 */
export function readFinish(input: Json, outputSchema: JsonObject | null): FinishInput {
  const { data: given, ...result } = finishInput.parse(input);
  if (result.status === "failed" && given === null) return withSentence(result);
  const data = outputSchema === null ? (given ?? undefined) : withoutNulls(outputSchema, given);
  return withSentence({ ...result, ...(data === undefined ? {} : { data }) });
}

/** Replaces a summary that is JSON by a sentence about it. The JSON becomes the data, if there is none. */
function withSentence(input: FinishInput): FinishInput {
  const summary = withoutThoughts(input.summary);
  const value = parseValue(summary);
  return value === null
    ? { ...input, summary }
    : { ...value.exact, ...input, summary: value.sentence };
}

/** Returns the output of an answer that is in no other output. */
export function answerOutput({ summary, data, truncated }: Answer): NewOutput {
  const value = data === undefined ? summary : data;
  const label = { label: "Answer", ...(truncated && { truncated }) };
  return typeof value === "string"
    ? { ...label, nodeType: "TEXT", type: "text", mediaType: "text/plain", value }
    : {
        ...label,
        nodeType: "STRUCTURED_RESULT",
        type: "json",
        mediaType: "application/json",
        value,
      };
}

/** What `finish` gives, and whether a part of it is missing. */
type Answer = Pick<FinishInput, "summary" | "data"> & { truncated: boolean };

const FENCED = /^```(?:json)?\s([\s\S]*)```$/;
const SCALAR = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false)$/;

/** A text that is a JSON value: a sentence about it, and the value if it is exact. */
interface ParsedValue {
  sentence: string;
  exact: { data?: Json };
}

/** Parses a text that consists of an object, a list, a number or a truth value; returns null for others. */
function parseValue(text: string): ParsedValue | null {
  const bare = (FENCED.exec(text.trim())?.[1] ?? text).trim();
  const isScalar = SCALAR.test(bare);
  if (!isScalar && !bare.startsWith("{") && !bare.startsWith("[")) return null;
  const data = orElse(() => wellFormed(JSON.parse(bare)), undefined);
  if (data === undefined) return null;
  if (!isScalar) return { sentence: describeValue(data), exact: { data } };
  // A number with more digits than a double holds, or with final zeros, is exact only as text.
  const exact = String(data) === bare ? { data } : {};
  return { sentence: `The answer is ${bare}.`, exact };
}

/** Describes an object or a list in a sentence. */
function describeValue(value: Json): string {
  if (Array.isArray(value)) return `The result has ${counted(value.length, "item")}.`;
  const names = isObject(value) ? Object.keys(value) : [];
  if (names.length === 0) return "The result is empty.";
  const list = preview(new Intl.ListFormat("en").format(names));
  return `The result has the ${names.length === 1 ? "field" : "fields"} ${list}.`;
}
