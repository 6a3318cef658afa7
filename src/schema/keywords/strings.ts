import { format as FORMATS } from "@cfworker/json-schema";
import { linearPattern } from "../../lib/pattern.ts";
import type { Rule, Run } from "../run.ts";
import { SchemaFault } from "../schema-fault.ts";
import { numberOf, textOf } from "../shape.ts";
import type { Keyword } from "./keyword.ts";

/** Formats are checked by patterns that backtrack. */
const MAX_FORMATTED = 2_048;
/** Formats of JSON Schema 2020-12 that are checked; any other one is a note. */
const CHECKED = new Set([
  ...["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
  ...["uri", "uri-reference", "uri-template", "json-pointer", "relative-json-pointer"],
]);

const pattern: Keyword = (held) => {
  const matches = matcherOf(textOf(held));
  return (value, at, run) => {
    if (typeof value !== "string" || matches(value, run)) return true;
    return run.report(at, "pattern", "does not match the pattern");
  };
};

/** A pattern that asks for its work. */
export function matcherOf(source: string): (text: string, run: Run) => boolean {
  const compiled = linearPattern(source);
  if (!compiled.ok) throw new SchemaFault("", "pattern", compiled.reason);
  return (text, run) => {
    // A step of the engine takes about a tenth of one here, starting it some.
    run.spend(5 + (text.length * compiled.size) / 10);
    return compiled.test(text) ?? run.giveUp();
  };
}

const format: Keyword = (held) => {
  const name = textOf(held);
  const isFormatted = CHECKED.has(name) ? FORMATS[name] : undefined;
  if (!isFormatted) return () => true;
  return (value, at, run) => {
    if (typeof value !== "string") return true;
    run.spend(1 + Math.min(value.length, MAX_FORMATTED) / 10);
    const holds = value.length <= MAX_FORMATTED && isFormatted(value);
    return holds || run.report(at, "format", `must be of format ${name}`);
  };
};

function length(rule: string, words: string, holds: (has: number, limit: number) => boolean) {
  const keyword: Keyword = (held): Rule => {
    const limit = numberOf(held);
    const message = `must have ${words} ${limit} characters`;
    return (value, at, run) => {
      if (typeof value !== "string") return true;
      run.spend(value.length / 16);
      return holds(codePoints(value), limit) || run.report(at, rule, message);
    };
  };
  return keyword;
}

/** Keywords of texts. */
export const STRING_KEYWORDS: Record<string, Keyword> = {
  pattern,
  format,
  minLength: length("minLength", "at least", (has, limit) => has >= limit),
  maxLength: length("maxLength", "at most", (has, limit) => has <= limit),
};

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
