import type { AST } from "@eslint-community/regexpp";
import { type CodePoints, ofClass, ofSet } from "./code-points.ts";

/** Instructions that the pattern may become: the time per character grows with them. */
const MAX_SIZE = 1_000;
/** The largest repetition that RE2 knows. */
const MAX_REPEAT = 1_000;
/** Ranges of a class that weigh as much as one instruction. */
const RANGES_PER_STEP = 50;

/** Why a pattern cannot be run in linear time, as the end of a sentence about it. */
export class PatternFault extends Error {}

/** A part of a pattern in RE2's syntax, and about how many instructions it becomes. */
interface Part {
  text: string;
  size: number;
}

/**
 * A pattern of ECMA-262 (u flag) in RE2's syntax, where it means the same. Each class of characters is
 * spelled out, since RE2's own ones differ. Throws a `PatternFault` where there is no counterpart.
 */
export function toRe2(pattern: AST.Pattern): string {
  return ofOptions(pattern.alternatives).text;
}

function ofOptions(options: AST.Alternative[]): Part {
  const parts = options.map(({ elements }) => join(elements.map(ofElement), ""));
  return join(parts, "|");
}

function join(parts: Part[], separator: string): Part {
  const size = parts.reduce((sum, part) => sum + part.size, 1);
  if (size > MAX_SIZE) throw new PatternFault("is too large: its repetitions multiply");
  return { text: parts.map(({ text }) => text).join(separator), size };
}

function ofElement(element: AST.Element): Part {
  switch (element.type) {
    case "Character":
      return { text: point(element.value), size: 1 };
    case "CharacterSet":
      return spelledOut(ofSet(element));
    case "CharacterClass":
      if (element.unicodeSets) throw new PatternFault("uses a class of the v flag");
      return spelledOut(ofClass(element));
    case "Group":
      return wrap("(?:", ofOptions(element.alternatives));
    case "CapturingGroup":
      return wrap(opening(element.name), ofOptions(element.alternatives));
    case "Quantifier":
      return ofRepetition(element);
    case "Assertion":
      return ofAssertion(element);
    case "Backreference":
      throw new PatternFault("refers back to a group, which no engine can do in linear time");
    case "ExpressionCharacterClass":
      throw new PatternFault("uses a class of the v flag");
  }
}

function opening(name: string | null): string {
  if (name === null) return "(";
  if (/^\w+$/.test(name)) return `(?<${name}>`;
  throw new PatternFault("names a group with other than letters, digits and _");
}

const wrap = (open: string, { text, size }: Part): Part => ({ text: `${open}${text})`, size });

function ofRepetition({ element, min, max, greedy }: AST.Quantifier): Part {
  const endless = max === Number.POSITIVE_INFINITY;
  const copies = endless ? min : max;
  if (copies > MAX_REPEAT) throw new PatternFault(`repeats a part more than ${MAX_REPEAT} times`);
  const part = ofElement(element);
  const size = part.size * Math.max(copies, 1) + 1;
  if (size > MAX_SIZE) throw new PatternFault("is too large: its repetitions multiply");
  const count = endless ? `{${min},}` : `{${min},${max}}`;
  return { text: `(?:${part.text})${count}${greedy ? "" : "?"}`, size };
}

function ofAssertion(assertion: AST.Assertion): Part {
  switch (assertion.kind) {
    case "start":
      return { text: "\\A", size: 1 };
    case "end":
      return { text: "\\z", size: 1 };
    case "word":
      return { text: assertion.negate ? "\\B" : "\\b", size: 1 };
    default:
      throw new PatternFault(`looks ${assertion.kind.slice(4)}, which takes more than linear time`);
  }
}

function spelledOut(points: CodePoints): Part {
  if (points.length === 0) return { text: "[^\\x{0}-\\x{10ffff}]", size: 1 };
  const ranges = points.map(([first, last]) => `${point(first)}-${point(last)}`).join("");
  return { text: `[${ranges}]`, size: 1 + Math.floor(points.length / RANGES_PER_STEP) };
}

const point = (code: number): string => `\\x{${code.toString(16)}}`;
