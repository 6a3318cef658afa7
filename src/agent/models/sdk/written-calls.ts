import * as z from "zod";
import type { ToolCall, ToolDescription } from "../../../contract/conversation.ts";
import { jsonObject } from "../../../contract/json.ts";
import { parseStrictJson } from "../../../lib/strict-json.ts";

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
 * The calls that a model wrote as its text, as open models do now and then, instead of making them.
 * Only a text that is nothing but calls of the given tools counts: all else is what the model says.
 */
export function writtenCalls(
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
