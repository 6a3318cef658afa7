import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { referenced } from "./input-references.ts";
import type { Token } from "./tokens.ts";
import { stemOf } from "./words.ts";

/** Words between the name of an input and "the inputs". */
const LINKS = new Set("given named listed stated mentioned in from of the trigger 's".split(" "));

/**
 * Puts the values of inputs in the place of words that name them: "the limit given in the inputs", and
 * "in the inputs" itself if they hold one list of records.
 */
export function withInputValues(tokens: readonly Token[], inputs: JsonObject | null): Token[] {
  if (inputs === null) return [...tokens];
  const found = [...tokens];
  for (let at = found.length - 1; at >= 0; at -= 1) {
    const last = found[at];
    if (last?.kind !== "word" || last.stem !== "input") continue;
    let from = at;
    while (isWord(found[from - 1], (word) => LINKS.has(word))) from -= 1;
    const named = found[from - 1];
    const key = Object.keys(inputs).find(
      (name) => named?.kind === "word" && stemOf(name.toLowerCase()) === named.stem,
    );
    const value = key === undefined ? onlyList(inputs) : inputs[key];
    if (value === undefined || isPlainList(value)) continue;
    // A list keeps its name, which says what its rows are; a value takes the place of its name.
    if (key !== undefined && !Array.isArray(value)) from -= 1;
    const first = found[from] ?? last;
    const place = { text: textFrom(found.slice(from, at + 1)), start: first.start, end: last.end };
    const data = Array.isArray(value) && key !== undefined ? { [key]: value } : value;
    found.splice(from, at - from + 1, { ...referenced(data), ...place });
    at = from;
  }
  return found;
}

function isWord(token: Token | undefined, test: (word: string) => boolean): boolean {
  return token?.kind === "word" && test(token.word);
}

function textFrom(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(" ");
}

/** Returns the only list of records of the inputs. */
function onlyList(inputs: JsonObject): Json | undefined {
  const lists = Object.values(inputs).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : undefined;
}

function isPlainList(value: Json): boolean {
  return Array.isArray(value) && !value.every((each) => isObject(each));
}
