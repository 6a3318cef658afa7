import type { JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { type Taken, without } from "./taken.ts";

/** A tool of a remote server that the prompt names outright, with what it is called with. */
export interface RemoteOrder {
  tool: string;
  input: JsonObject;
  /** The message that named it. */
  message: number;
}

const NAME = /\bmcp__[a-z0-9](?:[a-z0-9]|[-_](?=[a-z0-9])){0,31}__[\w-]{1,64}/;
const CALL =
  /\b(?:call|use|run|invoke|execute|ask|try)\b\s*(?:the\s+)?(?:remote\s+)?(?:mcp\s+)?(?:tool\s*)?(?=rmt_)/i;
const WITH =
  /rmt_(?:\s*(?:tool\b)?,?\s*(?:\b(?:with|using|on|and)\b)?\s*(?:\b(?:the|these|this|following|its|json|input|arguments?|args|parameters?|params|data)\b\s*:?\s*)*)/i;
/** "… and tell me what it answers". */
export const HAND_OVER =
  /(?:,|\band\b|\bthen\b)?\s*\b(?:return|tell me|give me|show(?: me)?|report|hand over)\s+(?:me\s+)?(?:what (?:it|that) (?:answers|returns|says)|(?:the|its)\s+(?:answer|result|output|response)s?)\b/i;

/** The name of a remote tool in a sentence, written plainly or in quotes. */
function namedIn(raw: string, { strings }: Reading): { raw: string; tool: string } | null {
  const plain = raw.replace(/str(\d+)_/g, (token, at: string) => {
    const text = strings[Number(at)] ?? "";
    return NAME.exec(text)?.[0] === text ? text : token;
  });
  const tool = NAME.exec(plain)?.[0];
  return tool === undefined ? null : { raw: plain.replace(tool, "rmt_"), tool };
}

/** The JSON object that a message brings as arguments, and its place among the blocks. */
function argumentsOf(message: number, sentences: readonly Sentence[], { blocks }: Reading) {
  const places = sentences.flatMap((one) => (one.message === message ? one.blocks : []));
  for (const at of places) {
    const block = blocks[at];
    if (block?.kind === "json" && isObject(block.value)) return { at, input: block.value };
  }
  return { at: -1, input: {} };
}

/** Takes the call of a remote tool out that the prompt names with its arguments; the first one counts. */
export function takeRemote(
  sentences: readonly Sentence[],
  reading: Reading,
): Taken<RemoteOrder | null> {
  const naming = sentences.find(({ raw }) => namedIn(raw, reading) !== null);
  const named = naming === undefined ? null : namedIn(naming.raw, reading);
  if (naming === undefined || named === null) return { sentences: [...sentences], order: null };
  const { message } = naming;
  const { at, input } = argumentsOf(message, sentences, reading);
  const left = sentences.flatMap((sentence) => {
    const raw = sentence === naming ? named.raw : sentence.raw;
    if (sentence.message !== message) return [sentence];
    const rest = raw
      .replace(CALL, " ")
      .replace(WITH, " ")
      .replaceAll(`blk${at}_`, " ")
      .replace(HAND_OVER, " ");
    return rest === sentence.raw ? [sentence] : without(sentence, rest);
  });
  return { sentences: left, order: { tool: named.tool, input, message } };
}
