import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { type Matcher, MatcherInput, RE2JS } from "re2js";
import { MeteredText, type Payer } from "./pattern/metered-text.ts";
import { runsAway } from "./pattern/runs-away.ts";
import { PatternFault, toRe2 } from "./pattern/translate.ts";

export const MAX_PATTERN_LENGTH = 1_000;
/** Instructions times characters, at about 10 ns each: a second at worst. */
const MAX_WORK = 100_000_000;
const MAX_REPLACED_LENGTH = 10_485_760;
/** Characters that a search passes over in the time of a read. */
const SKIPPED_PER_READ = 16;
/** Bytes of states that a pattern may keep from one text to the next. */
const STATE_BYTES = 524_288;

const parser = new RegExpParser({ ecmaVersion: 2024 });

/** A pattern that takes a time linear in the text, whatever the text. */
export interface LinearPattern {
  /** Instructions: what one character of a text costs at worst. */
  size: number;
  /** Whether it matches anywhere; null for a text that is too long for a pattern of this size. */
  test(text: string): boolean | null;
  /**
   * The text with all matches replaced; `$$`, `$&`, `$1` and `$<name>` mean what they do in
   * JavaScript. Null when that takes too long or the result has more than 10,485,760 characters.
   */
  replaceAll(text: string, replacement: string): string | null;
}

/**
 * Compiles a pattern of ECMA-262 with the u flag for an engine that never backtracks. `reason` is the
 * end of a sentence about a pattern that cannot be run: no pattern, too large, or in need of
 * lookaround or back references.
 */
export function linearPattern(
  pattern: string,
): ({ ok: true } & LinearPattern) | { ok: false; reason: string } {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return { ok: false, reason: `is longer than ${MAX_PATTERN_LENGTH} characters` };
  }
  const parsed = parse(pattern);
  if (parsed === null) {
    return { ok: false, reason: "is not a regular expression (ECMA-262 with the u flag)" };
  }
  try {
    return { ok: true, ...compile(toRe2(parsed)) };
  } catch (error) {
    if (error instanceof PatternFault) return { ok: false, reason: error.message };
    throw error;
  }
}

/**
 * Why a pattern is not taken where one is given, as the end of a sentence; null for one that is. Our
 * engine takes its time with none; but what is saved here is read by other systems as well, models and
 * senders among them, whose engines would hang on a pattern that runs away.
 */
export function patternFault(pattern: string): string | null {
  const linear = linearPattern(pattern);
  if (!linear.ok) return linear.reason;
  const parsed = parse(pattern);
  if (parsed === null || !runsAway(parsed)) return null;
  return "repeats something that can itself match in several ways, and so can run away";
}

function parse(pattern: string): AST.Pattern | null {
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: true });
  } catch {
    return null;
  }
}

function compile(re2: string): LinearPattern {
  const compiled = RE2JS.compile(re2);
  const states = compiled.re2().dfa;
  states.stateBudget = STATE_BYTES;
  states.clearCache();
  const size = compiled.programSize();
  return {
    size,
    test: (text) => (text.length * size > MAX_WORK ? null : compiled.test(text)),
    replaceAll: (text, replacement) => replaceAll(compiled, size, text, replacement),
  };
}

function replaceAll(
  compiled: RE2JS,
  size: number,
  text: string,
  replacement: string,
): string | null {
  const matcher = compiled.matcher(
    MatcherInput.utf16(new MeteredText(text, new Reads(MAX_WORK / size))),
  );
  const pieces: string[] = [];
  let length = 0;
  let at = 0;
  try {
    while (matcher.find()) {
      const put = expand(replacement, matcher, compiled.namedGroups());
      pieces.push(text.slice(at, matcher.start()), put);
      length += matcher.start() - at + put.length;
      if (length > MAX_REPLACED_LENGTH) return null;
      at = matcher.end();
    }
  } catch (error) {
    if (error instanceof TextOverread) return null;
    throw error;
  }
  if (length + text.length - at > MAX_REPLACED_LENGTH) return null;
  return pieces.join("") + text.slice(at);
}

/** More of the text was read than may be. */
class TextOverread extends Error {}

/** Counts reads and throws a `TextOverread` when there are more than `most`. */
class Reads implements Payer {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  read(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new TextOverread();
  }

  skip(characters: number): void {
    this.#left -= characters / SKIPPED_PER_READ;
  }
}

const REFERENCE = /\$(?:([$&])|<([^>]*)>|(\d)(\d?))/g;

/** What stands in place of a match (ECMA-262, GetSubstitution). */
function expand(replacement: string, match: Matcher, names: Record<string, number>): string {
  return replacement.replaceAll(REFERENCE, (whole, sign, name, digit, second) => {
    if (sign !== undefined) return sign === "$" ? "$" : (match.group() ?? "");
    if (name !== undefined) {
      if (Object.keys(names).length === 0) return whole;
      return Object.hasOwn(names, name) ? (match.group(name) ?? "") : "";
    }
    const both = Number(digit + second);
    if (both >= 1 && both <= match.groupCount()) return match.group(both) ?? "";
    const one = Number(digit);
    if (one >= 1 && one <= match.groupCount()) return (match.group(one) ?? "") + second;
    return whole;
  });
}
