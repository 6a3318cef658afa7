import { memoize } from "../../../lib/lru-map.ts";
import { type CompiledPattern, linearPattern } from "../../../lib/pattern/linear-pattern.ts";
import type { Meter } from "./meter.ts";

/** The cost of one search besides the text that it reads. */
const SEARCH_COST = 600;
/** The cost of one instruction of a pattern for one character. */
const STEP_COST = 2;

const compiled = memoize(200, (literal): CompiledPattern => {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
  if (flags.includes("m")) return { ok: false, reason: "has the flag m, which is not supported" };
  return linearPattern(source, { unicode: false, ignoreCase: flags.includes("i") });
});

/** Returns a predicate that says why a pattern cannot run in linear time, or null. */
export function regexFault(regex: RegExp): string | null {
  const known = compiled(String(regex));
  return known.ok ? null : `has a pattern that ${known.reason}`;
}

/** Creates JSONata's RegExp class for one evaluation: it never backtracks, and spends of the meter. */
export function meteredRegExp(meter: Meter): RegExpConstructor {
  class MeteredRegExp extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      const known = compiled(String(this));
      if (!known.ok) throw new Error(known.reason);
      meter.spend(SEARCH_COST + meter.matchCost);
      const found = known.find(text, this.lastIndex, (steps) => meter.spend(steps * STEP_COST));
      this.lastIndex = found?.end ?? 0;
      if (found === null) return null;
      const match: [string, ...string[]] = [text.slice(found.start, found.end), ...found.groups];
      return Object.assign(match, { index: found.start, input: text });
    }
  }
  // RegExpConstructor can also be called without `new`, which no class can.
  return new Proxy(RegExp, { construct: (_, [pattern]: [RegExp]) => new MeteredRegExp(pattern) });
}
