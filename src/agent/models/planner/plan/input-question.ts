import type { ModelRequest } from "../../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { looksLikeCsv } from "../language/literals.ts";
import { wordsOf } from "../language/normalize.ts";
import type { Goal } from "./types.ts";

const POLITE = String.raw`^\s*(?:(?:please|pls|hey|hi|hello|now)[,!]?\s+)*(?:(?:can|could|would|will) you\s+)?(?:please\s+)?`;
const ASKS = String.raw`(?:what(?:'s|’s| is| are| was| were)|which|(?:just\s+|only\s+)?(?:tell me|give me|show me|show|return|output|print|report|state|repeat|echo|read out|read|get|say|list|reply with|respond with|answer with)(?:\s+what\s+(?:is|are))?)`;
const OF =
  "(?:(?:the\\s+)?(?:values?|contents?|field|property|key|input)\\s+(?:of|called|named|for)?\\s*)?";
const SOURCE = String.raw`(?:\s+(?:that\s+)?(?:(?:is|are|was|were)\s+)?(?:given|provided|passed(?: in)?|sent|found|stored|named|set))?(?:\s+(?:in|from|of|by|among|with|as)\s+(?:the\s+|your\s+|my\s+|its\s+)?(?:given\s+|provided\s+)?(?:inputs?(?:\s+(?:data|values?|object))?|payload|trigger|given data))?`;
const NAME = String.raw`["'“‘]?((?:[\p{L}_][\p{L}\p{N}_.-]*)(?:\s[\p{L}\p{N}_.-]+){0,3}?)["'”’]?`;
const ONE = new RegExp(
  String.raw`${POLITE}${ASKS}\s+${OF}(?:the\s+|my\s+|its\s+)?${NAME}${SOURCE}(?:,?\s+please)?\s*[?.!]*\s*$`,
  "iu",
);
const ALL = new RegExp(
  String.raw`${POLITE}${ASKS}\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+)?(?:given\s+|provided\s+)?(?:inputs?(?:\s+(?:data|values|object))?|payload)(?:\s+(?:back|unchanged|as (?:they are|it is|(?:an? )?json(?: object)?)))*(?:,?\s+please)?\s*[?.!]*\s*$`,
  "i",
);
const MAX_DEPTH = 4;
const MAX_QUESTION = 300;

/** Rows to show and addresses to open are worked on rather than said. */
function isWork(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isObject);
  return typeof value === "string" && (/^https?:\/\/\S+$/i.test(value) || looksLikeCsv(value));
}

/** The value that a name leads to: of the inputs themselves, else the only one of that name within them. */
function inputOf(name: string, inputs: JsonObject, depth = 0): Json | undefined {
  const wanted = wordsOf(name).join(" ");
  const key = Object.keys(inputs).find((one) => wordsOf(one).join(" ") === wanted);
  if (key !== undefined) return inputs[key];
  if (depth >= MAX_DEPTH) return undefined;
  const inner = Object.values(inputs).flatMap((value) => {
    const found = isObject(value) ? inputOf(name, value, depth + 1) : undefined;
    return found === undefined ? [] : [found];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** The answer to a prompt that asks for an input by its name, or for all of them; null for any other. */
export function askedOfInputs({ turns, inputs }: ModelRequest): Goal | null {
  const messages = turns.flatMap((turn) => (turn.role === "user" ? [turn.text] : []));
  const [prompt, ...others] = messages;
  if (prompt === undefined || others.length > 0 || inputs === null) return null;
  if (prompt.length > MAX_QUESTION) return null;
  if (ALL.test(prompt)) return { kind: "reply", text: JSON.stringify(inputs), data: inputs };
  const name = ONE.exec(prompt)?.[1]?.replace(/\s+/g, " ");
  const value = name === undefined ? undefined : inputOf(name, inputs);
  if (name === undefined || value === undefined || isWork(value)) return null;
  const said = Array.isArray(value)
    ? `are ${value.map(cellText).join(", ")}`
    : `is ${cellText(value)}`;
  return { kind: "reply", text: `The ${name} in the inputs ${said}.`, data: value };
}
