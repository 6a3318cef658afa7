import type { LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import * as z from "zod";
import {
  ModelError,
  type ModelReply,
  type ModelRequest,
  type RequestedCall,
  type ToolCall,
  type ToolDescription,
  type Turn,
} from "../../../contract/conversation.ts";
import { jsonObject } from "../../../contract/json.ts";
import { isPlain } from "../../../lib/json-values.ts";
import { MOST_OF_TOOLS, parseExactJson, parseStrictJson } from "../../../lib/strict-json.ts";
import { withoutThoughts } from "../../thoughts.ts";
import { byteLength } from "../prompt/text.ts";
import { MAX_REPLY_BYTES, replyTooLong } from "./http.ts";

const metadata = z.record(z.string(), jsonObject).optional().catch(undefined);
const reasoningPart = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  providerMetadata: metadata,
});

/** Servers omit fields, and some libraries pass that on; a call without a tool's name is ignored. */
const textPart = z.object({ type: z.literal("text"), text: z.string() });
const callPart = z.object({
  type: z.literal("tool-call"),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.string(),
  providerMetadata: metadata,
});
const tokens = z.int().nonnegative().catch(0);

/** Converts the SDK's result to a reply. Throws a `ModelError` if it cannot be acted on. */
export function toReply(result: LanguageModelV4GenerateResult, request: ModelRequest): ModelReply {
  const wrote = result.content.map((part) => textPart.safeParse(part).data?.text ?? "").join("");
  const said = withoutThoughts(wrote);
  const called = result.content.flatMap((part) => callPart.safeParse(part).data ?? []);
  const nameCall = uniqueCallIds(request.turns);
  const calls = called.map(({ toolCallId, toolName, input, providerMetadata }) => ({
    callId: nameCall(toolCallId),
    tool: toolName,
    ...readInput(input),
    ...(providerMetadata && { metadata: providerMetadata }),
  }));
  const reasoning = result.content
    .flatMap((part) => reasoningPart.safeParse(part).data ?? [])
    .map(({ text, providerMetadata }) => ({
      text,
      ...(providerMetadata && { metadata: providerMetadata }),
    }));
  const written = calls.length > 0 ? [] : parseWrittenCalls(said, request.tools);
  const reply = {
    text: written.length === 0 ? said : "",
    calls: [...calls, ...written.map((call) => ({ callId: nameCall(""), ...call }))],
    ...(reasoning.length > 0 && { reasoning }),
  };
  const usage = usageOf(result);
  if (byteLength(JSON.stringify(reply)) > MAX_REPLY_BYTES) throw replyTooLong(usage);
  const { unified, raw } = result.finishReason;
  const isRefused = unified === "content-filter" || raw === "content_filter";
  if (isRefused && reply.calls.length === 0) {
    throw new ModelError(refusalOf(result, said), { retryable: false, usage });
  }
  const acts = reply.calls.some(({ tool }) => tool !== "finish");
  const plan = acts && isAfterUser(request.turns) ? planIn(reply.text) : [];
  const shown = unified === "length" ? whole(reply) : reply;
  return { ...shown, ...(plan.length > 0 && { plan }), usage };
}

/** Whether a request follows the words of the user; replies that were discarded do not count. */
const isAfterUser = (turns: readonly Turn[]): boolean =>
  turns.findLast((turn) => turn.role !== "assistant" || turn.fault === undefined)?.role === "user";

/** More lines than this are no plan. */
const LONGEST_PLAN = 30;
const BULLET = /^\s*(?:[-*+•]|#{1,6}|\d{1,3}[.)])\s+/;
const TITLE = /^\W*(?:my |the )?plan\W*$/i;

/** Returns the lines of a plan, which models are asked to write before they act; none if it is too long. */
function planIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(BULLET, "").trim());
  const parts = lines.filter((line) => line !== "" && !TITLE.test(line));
  return parts.length > LONGEST_PLAN ? [] : parts;
}

const LONGEST_REFUSAL = 2_000;

/** Where Anthropic explains a refusal. */
const explained = z.object({
  anthropic: z.object({ stopDetails: z.object({ explanation: z.string().min(1) }) }),
});

/** Returns what a refusal says. OpenAI's is the text of the reply. */
function refusalOf(
  { finishReason, providerMetadata }: LanguageModelV4GenerateResult,
  said: string,
) {
  const reason = explained.safeParse(providerMetadata).data?.anthropic.stopDetails.explanation;
  const text = said.trim();
  const parts =
    reason === undefined ? [text] : [reason, ...(text === "" ? [] : [`It had written: ${text}`])];
  const detail = parts.join(" ").slice(0, LONGEST_REFUSAL);
  const what =
    finishReason.raw === "content_filter"
      ? "The content filter of the model's server stopped the reply"
      : "The model refused";
  return detail === "" ? `${what}.` : `${what}: ${detail}`;
}

/** Marks what a cut-off reply lost: half a text is no result, and half an input may still be valid JSON. */
function whole(reply: Omit<ModelReply, "usage">): Omit<ModelReply, "usage"> {
  const { calls } = reply;
  const last = calls.at(-1);
  if (last === undefined) {
    const fault =
      "Your reply was cut off at the output limit of one reply, so it was discarded. Write less at once.";
    return { ...reply, fault };
  }
  const fault =
    "This call was cut off at the output limit of one reply, so it did not run. Write less at once.";
  return { ...reply, calls: [...calls.slice(0, -1), { ...last, fault }] };
}

/** The characters of an unreadable input that the model sees again. */
const UNREADABLE_LENGTH = 2_000;

/**
 * Parses an input. Invalid JSON, or JSON that tries to set a prototype or has a number that would be rounded,
 * is returned as the start of the model's text with its fault. Many models send an empty text for a call
 * without arguments.
 */
function readInput(text: string): Pick<RequestedCall, "input" | "fault"> {
  if (text.trim() === "") return { input: {} };
  const input = text.slice(0, UNREADABLE_LENGTH);
  const parsed = parseExactJson(new TextEncoder().encode(text), MOST_OF_TOOLS);
  if (!parsed.ok) {
    const fault = `The input of this call is not valid JSON, so it did not run: ${parsed.detail} Send one JSON object.`;
    return { input, fault };
  }
  let setsPrototype = false;
  JSON.parse(text, (name, value) => {
    setsPrototype ||= name === "__proto__";
    return value;
  });
  if (setsPrototype) return { input, fault: "An input must not set __proto__." };
  if (isPlain(parsed.value)) return { input: parsed.value };
  const fault =
    "A whole number of this call has more digits than a JSON number keeps, so it did not run. Write the number as a text; if it must be a number in the body of a request, write the whole body as a text.";
  return { input, fault };
}

/** Returns the usage; for every provider, input tokens include cached ones. */
function usageOf({ usage }: LanguageModelV4GenerateResult): ModelReply["usage"] {
  const reasoningTokens = tokens.parse(usage.outputTokens.reasoning);
  return {
    inputTokens: tokens.parse(usage.inputTokens.total),
    outputTokens: tokens.parse(usage.outputTokens.total),
    cachedTokens: tokens.parse(usage.inputTokens.cacheRead),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  };
}

/** A valid call id; some servers send none, or a whole sentence. */
const GOOD_ID = /^[\w.:-]{1,64}$/;

/**
 * Returns a function that names the calls of a reply as no call of the conversation is named: by the model's
 * own id if valid, since some servers insist on their form, else by the next free number.
 */
export function uniqueCallIds(turns: readonly Turn[]): (wanted: string) => string {
  const given = new Set<string>();
  // To look for one id is quicker than to collect those of a long conversation.
  const isTaken = (id: string) => given.has(id) || isCallOf(turns, id);
  return (wanted) => {
    let id = wanted;
    for (let number = turns.length + given.size; !GOOD_ID.test(id) || isTaken(id); number += 1) {
      id = `call_${number}`;
    }
    given.add(id);
    return id;
  };
}

const isCallOf = (turns: readonly Turn[], callId: string): boolean =>
  turns.some(
    (turn) => turn.role === "assistant" && turn.calls.some((one) => one.callId === callId),
  );

const writtenCall = z
  .strictObject({
    name: z.string(),
    arguments: jsonObject.optional(),
    parameters: jsonObject.optional(),
    type: z.literal("function").optional(),
    id: z.string().optional(),
  })
  .refine((call) => (call.arguments === undefined) !== (call.parameters === undefined));

const FRAME = /^(?:```(?:json)?\s([\s\S]*)```|<tool_call>([\s\S]*)<\/tool_call>)$/;

/**
 * Parses calls that a model wrote as text instead of making them, as open models sometimes do. Only a
 * text that consists of calls of the given tools counts.
 */
function parseWrittenCalls(
  text: string,
  tools: readonly ToolDescription[],
): Omit<ToolCall, "callId">[] {
  const framed = FRAME.exec(text.trim());
  const bare = (framed?.[1] ?? framed?.[2] ?? text).trim();
  if (!bare.startsWith("{") && !bare.startsWith("[")) return [];
  const parsed = parseStrictJson(new TextEncoder().encode(bare));
  if (!parsed.ok) return [];
  const calls = z.array(writtenCall).safeParse([parsed.value].flat()).data ?? [];
  const known = new Set(tools.map(({ name }) => name));
  if (!calls.every(({ name }) => known.has(name))) return [];
  return calls.map((call) => ({ tool: call.name, input: call.arguments ?? call.parameters ?? {} }));
}
