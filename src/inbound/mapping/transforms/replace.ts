import type { Transform } from "../../../contract/inbound/mapping.ts";
import { memoize } from "../../../lib/lru-map.ts";
import { type LinearPattern, linearPattern, patternFault } from "../../../lib/pattern.ts";
import { MAX_TEXT_LENGTH, made, refused, type TransformOf, unfit } from "./outcome.ts";

const compiled = memoize(200, linearPattern);

/**
 * Replaces all occurrences of a text, or all matches of a pattern (ECMA-262 with the u flag, without
 * lookaround and back references); for a pattern, `$1`, `$<name>` and `$&` stand for what it matched.
 */
export const replace: TransformOf<"replace"> = (value, setting) => {
  if (typeof value !== "string") return unfit(value, "text");
  if (!setting.pattern) return plainly(value, setting.search, setting.with);
  const pattern = compiled(setting.search);
  if (!pattern.ok) return refused(`cannot be searched: the pattern ${pattern.reason}`);
  return byPattern(value, pattern, setting.with);
};

/** What is wrong with a setting, as a sentence without its subject; null for nothing. */
export function replaceFault(setting: Extract<Transform, { type: "replace" }>): string | null {
  if (!setting.pattern) return null;
  const fault = patternFault(setting.search);
  return fault === null ? null : `has a pattern that ${fault}`;
}

function plainly(text: string, search: string, put: string) {
  const pieces = text.split(search);
  const length = text.length + (pieces.length - 1) * (put.length - search.length);
  return length > MAX_TEXT_LENGTH ? tooLong() : made(pieces.join(put));
}

function byPattern(text: string, pattern: LinearPattern, put: string) {
  const replaced = pattern.replaceAll(text, put);
  if (replaced === null) return refused("is too long for the pattern, or becomes too long by it");
  return made(replaced);
}

const tooLong = () => refused(`becomes longer than ${MAX_TEXT_LENGTH} characters`);
