import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { type Matcher, RE2JS, RE2Set } from "re2js";
import { orElse } from "../or-else.ts";
import { PatternFault, toRe2 } from "./re2-syntax.ts";

const MAX_PATTERN_LENGTH = 1_000;
/** Instructions times characters, at about 10 ns each: a second at worst. Callers may allow less. */
const MAX_WORK = 100_000_000;
const MAX_REPLACED_LENGTH = 10_485_760;
/** Characters that the engine's search for literals passes in the time of one instruction. */
const SKIPPED_PER_STEP = 512;
/** Bytes of states that a pattern may keep from one text to the next. */
const STATE_BYTES = 524_288;

const parser = new RegExpParser({ ecmaVersion: 2024 });

/** Takes steps of a search, each one instruction for one character; it throws when too few are left. */
type Spend = (steps: number) => void;

interface PatternMatch {
  start: number;
  end: number;
  /** Text of the groups, empty for those without a match. */
  groups: string[];
}

/** A pattern that takes time linear in the text, whatever the text. */
export interface LinearPattern {
  /** Instructions: the cost of one character at worst. */
  size: number;
  /** Whether it matches anywhere; null for a text that is too long for a pattern of this size. */
  test(text: string): boolean | null;
  /** Returns the first match at or after an index. Steps are spent before the search, at worst. */
  find(text: string, from: number, spend: Spend): PatternMatch | null;
  /**
   * Replaces all matches; `$$`, `$&`, `$1` and `$<name>` mean what they do in JavaScript. Returns null if
   * that could take too long or the result has more than 10,485,760 characters. Steps are spent as they
   * are taken.
   */
  replaceAll(text: string, replacement: string, spend?: Spend): string | null;
}

export type CompiledPattern = ({ ok: true } & LinearPattern) | { ok: false; reason: string };

/**
 * Compiles a pattern of ECMA-262, by default with the u flag, for an engine that never backtracks.
 * `reason` is a predicate of a pattern that cannot run: it is invalid, too large, or needs lookaround or
 * back references.
 */
export function linearPattern(
  pattern: string,
  { unicode, ignoreCase } = { unicode: true, ignoreCase: false },
): CompiledPattern {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return { ok: false, reason: `is longer than ${MAX_PATTERN_LENGTH} characters` };
  }
  const parsed = parse(pattern, unicode);
  if (parsed === null) {
    return { ok: false, reason: "is not a regular expression (ECMA-262 with the u flag)" };
  }
  try {
    return { ok: true, ...compile(`${ignoreCase ? "(?i)" : ""}${toRe2(parsed)}`, parsed) };
  } catch (error) {
    if (error instanceof PatternFault) return { ok: false, reason: error.message };
    throw error;
  }
}

/**
 * Returns a predicate that says why a pattern cannot be saved, or null. Patterns that run away are
 * refused although they cannot hang this engine: models and senders read them too, and theirs would.
 */
export function patternFault(pattern: string): string | null {
  const linear = linearPattern(pattern);
  if (!linear.ok) return linear.reason;
  const parsed = parse(pattern, true);
  if (!parsed?.alternatives.some(({ elements }) => elements.some(runsAway))) return null;
  return "repeats a part that can itself match in several ways, and so can run away";
}

function parse(pattern: string, unicode: boolean): AST.Pattern | null {
  return orElse(() => parser.parsePattern(pattern, 0, pattern.length, { unicode }), null);
}

function compile(re2: string, parsed: AST.Pattern): LinearPattern {
  const compiled = RE2JS.compile(re2);
  const size = compiled.programSize();
  const isNear = stopsAtMatch(parsed.alternatives);
  /** Has a limit of its memory, unlike `compiled`, which keeps up to 8 MB of states. */
  let tester: RE2Set | null = null;

  function search(matcher: Matcher, text: string, from: number, spend: Spend): boolean {
    const rest = text.length - from;
    const worst = (rest + size) * size;
    spend(worst);
    const found = matcher.find(from);
    if (found && isNear) {
      spend((matcher.end() - from + size) * size + rest / SKIPPED_PER_STEP - worst);
    }
    return found;
  }

  return {
    size,
    test(text) {
      if (text.length * size > MAX_WORK) return null;
      tester ??= testerOf(re2);
      return tester.match(text).length > 0;
    },
    find(text, from, spend) {
      const matcher = compiled.matcher(text);
      if (from > text.length || !search(matcher, text, from, spend)) return null;
      const groups = Array.from(
        { length: matcher.groupCount() },
        (_, at) => matcher.group(at + 1) ?? "",
      );
      return { start: matcher.start(), end: matcher.end(), groups };
    },
    replaceAll(text, replacement, spend = () => {}) {
      let left = MAX_WORK;
      const take = (steps: number) => {
        left -= steps;
        if (left < 0) throw new TooMuchWork();
        spend(steps);
      };
      const matcher = compiled.matcher(text);
      const names = compiled.namedGroups();
      const pieces: string[] = [];
      let length = 0;
      let at = 0;
      try {
        for (let from = 0; from <= text.length && search(matcher, text, from, take); ) {
          const [start, end] = [matcher.start(), matcher.end()];
          const put = expand(replacement, matcher, names);
          pieces.push(text.slice(at, start), put);
          length += start - at + put.length;
          if (length > MAX_REPLACED_LENGTH) return null;
          at = end;
          from = end > start ? end : afterPoint(text, end);
        }
      } catch (error) {
        if (error instanceof TooMuchWork) return null;
        throw error;
      }
      if (length + text.length - at > MAX_REPLACED_LENGTH) return null;
      return pieces.join("") + text.slice(at);
    },
  };
}

function testerOf(re2: string): RE2Set {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, STATE_BYTES);
  set.add(re2);
  set.compile();
  return set;
}

class TooMuchWork extends Error {}

/** Returns the index after the code point at `at` (ECMA-262, AdvanceStringIndex). */
const afterPoint = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

const REFERENCE = /\$(?:([$&])|<([^>]*)>|(\d)(\d?))/g;

/** Expands the references of a replacement (ECMA-262, GetSubstitution). */
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

/**
 * Whether a backtracking engine could take exponential time for a pattern: it repeats without end a part
 * that an endless repetition inside can match alone, as `(a+)+`, `(\w+\s?)*` and `(.*)*` do, or that
 * has the same alternative twice. `([a-z]+\.)+` does not: each round ends at the dot.
 */
function runsAway(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    const { max, element: repeated } = element;
    if (max === Number.POSITIVE_INFINITY && canBeShared(repeated)) return true;
    return runsAway(repeated);
  }
  return alternativesOf(element).some(({ elements }) => elements.some(runsAway));
}

/** Whether rounds of this part can share the same text in several ways. */
function canBeShared(repeated: AST.QuantifiableElement): boolean {
  const texts = alternativesOf(repeated).map(({ raw }) => raw);
  return new Set(texts).size < texts.length || canBeEndless(repeated);
}

/** Whether an element can match ever more text, as a whole or by all of an alternative. */
function canBeEndless(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    return element.max === Number.POSITIVE_INFINITY || canBeEndless(element.element);
  }
  return alternativesOf(element).some(({ elements }) =>
    elements.some(
      (inner, at) =>
        canBeEndless(inner) && elements.every((other, i) => i === at || canBeEmpty(other)),
    ),
  );
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === "Assertion") return true;
  if (element.type === "Quantifier") return element.min === 0 || canBeEmpty(element.element);
  return alternativesOf(element).some(({ elements }) => elements.every(canBeEmpty));
}

/**
 * Whether a search stops near its match, so that finding all matches takes linear time. Every match
 * takes the same way through such a pattern, and only single characters repeat without end: a search
 * that reads on after a match looks for a better one, and ends where the next match could not begin. A
 * choice that contains an endless repetition, as `a(?:.*z)?`, can read all of the text for each match.
 */
function stopsAtMatch(alternatives: AST.Alternative[]): boolean {
  const isChoice = alternatives.length > 1;
  return alternatives.every(({ elements }) => elements.every(isChoice ? isBounded : isDirect));
}

function isDirect(element: AST.Element): boolean {
  if (element.type !== "Quantifier") return stopsAtMatch(alternativesOf(element));
  return alternativesOf(element.element).length === 0 || isBounded(element);
}

function isBounded(element: AST.Element): boolean {
  if (element.type === "Quantifier") {
    return element.max < Number.POSITIVE_INFINITY && isBounded(element.element);
  }
  return alternativesOf(element).every(({ elements }) => elements.every(isBounded));
}

function alternativesOf(element: AST.Element): AST.Alternative[] {
  return element.type === "Group" || element.type === "CapturingGroup" ? element.alternatives : [];
}
