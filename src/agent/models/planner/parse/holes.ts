import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import type { Hole, RequestBody } from "../program.ts";
import { HOLE } from "../text/inline.ts";
import { stemsOf } from "../text/words.ts";

/** A part of the prompt with its words. */
interface NamedPart {
  id: string;
  words: string;
}

/** Words of a hole that name no part: "that price as a number". */
const FREE = new Set(
  stemsOf(
    "the that this its it as a an of number text string value result answer figure amount here fill in insert put your found computed calculated",
  ),
);

/**
 * Returns JSON of the prompt as a body whose holes are filled by parts. Null if a hole has words that
 * are not those of exactly one part.
 */
export function filledBody(value: Json, parts: readonly NamedPart[]): RequestBody | null {
  const found = holesIn(value, []);
  if (found.length === 0) return { kind: "json", value };
  const holes: Hole[] = [];
  for (const { path, words } of found) {
    const part = partOf(words, parts, found.length);
    if (part === null) return null;
    const stems = stemsOf(words);
    const as = stems.includes("number") ? "number" : stems.includes("text") ? "text" : "auto";
    const named = stems.filter((stem) => !FREE.has(stem)).join(" ");
    holes.push({ path, part, as, words: named });
  }
  return { kind: "template", value, holes };
}

function holesIn(value: Json, path: Hole["path"]): { path: Hole["path"]; words: string }[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => holesIn(each, [...path, index]));
  if (!isObject(value)) return [];
  const words = value[HOLE];
  if (typeof words === "string") return [{ path, words }];
  return Object.entries(value).flatMap(([key, each]) => holesIn(each ?? null, [...path, key]));
}

function partOf(words: string, parts: readonly NamedPart[], holes: number): string | null {
  const named = stemsOf(words).filter((stem) => !FREE.has(stem));
  const [only, ...others] = parts;
  const isSingle = only !== undefined && others.length === 0 && holes === 1;
  if (named.length === 0) return isSingle ? only.id : null;
  const fitting = parts.filter((part) => {
    const stems = stemsOf(part.words);
    return named.every((stem) => stems.includes(stem));
  });
  const [fit, ...rivals] = fitting;
  return fit === undefined || rivals.length > 0 ? null : fit.id;
}
