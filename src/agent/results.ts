import type { ModelReply } from "../contract/conversation.ts";
import { type Json, type JsonObject, jsonObject } from "../contract/json.ts";
import { type FinishInput, finishInput } from "../contract/tools/call.ts";
import { withoutNulls } from "./schema-check.ts";
import type { NewOutput } from "./tools/tool.ts";

/** The most calls that one reply may make. */
const CALLS_PER_REPLY = 32;
const LONGEST_SUMMARY = 32_000;

const EMPTY_REPLY =
  "Your reply was empty. Call a tool, or call finish if the task is done or cannot be done.";

/**
 * Turns a reply without calls into a call of `finish` with the id `callId`, so that an execution ends
 * in one way only. A reply with a fault stays as it is; an empty one gets a fault.
 */
export function withFinish(reply: ModelReply, callId: string): ModelReply {
  if (reply.calls.length > 0) return { ...reply, calls: reply.calls.slice(0, CALLS_PER_REPLY) };
  const text = reply.text.trim();
  if (reply.fault !== undefined) return reply;
  if (text === "") return { ...reply, fault: EMPTY_REPLY };
  const data = parseValue(text);
  const input =
    data === undefined
      ? { summary: text.slice(0, LONGEST_SUMMARY) }
      : { summary: describeValue(data), data };
  return { ...reply, text: "", calls: [{ callId, tool: "finish", input }] };
}

/**
 * Reads the input of `finish`. Nulls that a strict mode demands count as absent; a summary that is JSON
 * becomes a sentence.
 */
export function readFinish(input: Json, outputSchema: JsonObject | null): FinishInput {
  const { data: given, ...result } = finishInput.parse(input);
  if (result.status === "failed" && given === null) return withSentence(result);
  const data = outputSchema === null ? given : withoutNulls(outputSchema, given);
  return withSentence({ ...result, ...(data === undefined ? {} : { data }) });
}

/** Replaces a summary that is JSON by a sentence about it. The JSON becomes the data, if there is none. */
function withSentence(input: FinishInput): FinishInput {
  const value = parseValue(input.summary);
  if (value === undefined) return input;
  const data = input.data ?? value;
  return { ...input, summary: describeValue(data), data };
}

/** Returns the output of an answer that is in no other output. */
export function answerOutput({ summary, data }: { summary: string; data?: Json }): NewOutput {
  if (data === undefined || typeof data === "string") {
    const value = data ?? summary;
    return { label: "Answer", nodeType: "TEXT", type: "text", mediaType: "text/plain", value };
  }
  return {
    label: "Answer",
    nodeType: "STRUCTURED_RESULT",
    type: "json",
    mediaType: "application/json",
    value: data,
  };
}

const FENCED = /^```(?:json)?\s([\s\S]*)```$/;

/** Returns the object or the list that a text consists of, or undefined. */
function parseValue(text: string): Json | undefined {
  const bare = (FENCED.exec(text.trim())?.[1] ?? text).trim();
  if (!bare.startsWith("{") && !bare.startsWith("[")) return undefined;
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}

const NAMES_SHOWN = 6;
const LONGEST_NAME = 40;

/** Describes a value in a sentence. */
function describeValue(value: Json): string {
  if (Array.isArray(value)) {
    return value.length === 1 ? "The result has 1 item." : `The result has ${value.length} items.`;
  }
  const object = jsonObject.safeParse(value);
  if (!object.success) return `The result is ${JSON.stringify(value).slice(0, LONGEST_SUMMARY)}.`;
  const names = Object.keys(object.data).map((name) => name.slice(0, LONGEST_NAME));
  if (names.length === 0) return "The result is empty.";
  const more = names.length - NAMES_SHOWN;
  const shown = [...names.slice(0, NAMES_SHOWN), ...(more > 0 ? [`${more} more`] : [])];
  const list = new Intl.ListFormat("en").format(shown);
  return `The result has the ${names.length === 1 ? "field" : "fields"} ${list}.`;
}
