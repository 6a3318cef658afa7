import { RegExpParser } from "@eslint-community/regexpp";
import { MatcherInput, RE2JS } from "re2js";
import { memoize } from "../../../lib/lru-map.ts";
import { MeteredText, type Payer } from "../../../lib/pattern/metered-text.ts";
import { PatternFault, toRe2 } from "../../../lib/pattern/translate.ts";
import type { Meter } from "./meter.ts";

/** What one search costs besides the text that it reads. */
const SEARCH_COST = 600;
/** What one instruction of a pattern costs for each character that is read. */
const READ_COST = 2;
/** Characters that a search passes over for one unit. */
const SKIPPED_PER_UNIT = 16;

type Compiled = { ok: true; pattern: RE2JS; size: number } | { ok: false; reason: string };

const parser = new RegExpParser({ ecmaVersion: 2024 });

const compiled = memoize(200, (literal): Compiled => {
  const { pattern, flags } = parser.parseLiteral(literal);
  if (flags.multiline) return { ok: false, reason: "has the flag m, which is not available" };
  try {
    const re2 = RE2JS.compile(`${flags.ignoreCase ? "(?i)" : ""}${toRe2(pattern)}`);
    return { ok: true, pattern: re2, size: re2.programSize() };
  } catch (error) {
    if (error instanceof PatternFault) return { ok: false, reason: error.message };
    throw error;
  }
});

/** Why a pattern cannot be run in linear time, as the end of a sentence; null when it can. */
export function regexFault(regex: RegExp): string | null {
  const known = compiled(String(regex));
  return known.ok ? null : `has a pattern that ${known.reason}`;
}

/** RegExp for JSONata, on an engine that never backtracks and pays for each character it reads. */
export function meteredRegExp(meter: Meter): RegExpConstructor {
  return new Proxy(RegExp, {
    construct: (_, [pattern]: [RegExp]) => new LinearRegExp(pattern, meter),
  });
}

class LinearRegExp extends RegExp {
  readonly #meter: Meter;

  constructor(regex: RegExp, meter: Meter) {
    super(regex);
    this.#meter = meter;
  }

  override exec(text: string): RegExpExecArray | null {
    const known = compiled(String(this));
    if (!known.ok) throw new Error(known.reason);
    this.#meter.spend(SEARCH_COST + this.#meter.matchCost);
    const read = new MeteredText(text, payerOf(this.#meter, known.size * READ_COST));
    const matcher = known.pattern.matcher(MatcherInput.utf16(read));
    if (!matcher.find(this.lastIndex)) {
      this.lastIndex = 0;
      return null;
    }
    this.lastIndex = matcher.end();
    const groups = Array.from(
      { length: matcher.groupCount() },
      (_, at) => matcher.group(at + 1) ?? "",
    );
    const match: [string, ...string[]] = [matcher.group() ?? "", ...groups];
    return Object.assign(match, { index: matcher.start(), input: text });
  }
}

function payerOf(meter: Meter, readCost: number): Payer {
  return {
    read: () => meter.spend(readCost),
    skip: (characters) => meter.spend(characters / SKIPPED_PER_UNIT),
  };
}
