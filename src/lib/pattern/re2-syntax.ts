import type { AST } from "@eslint-community/regexpp";

/** Instructions of a compiled pattern: the time per character grows with them. */
const MAX_SIZE = 1_000;
/** The largest repetition that RE2 accepts. */
const MAX_REPEAT = 1_000;
/** Ranges of a class that cost as much as one instruction. */
const RANGES_PER_STEP = 50;

/** Says why a pattern cannot run in linear time, as a predicate such as "is too large". */
export class PatternFault extends Error {}

/** A part of a pattern in RE2's syntax, and its approximate number of instructions. */
interface Part {
  text: string;
  size: number;
}

/**
 * Translates a pattern of ECMA-262 to RE2's syntax. Character classes are spelled out, since RE2's own
 * ones differ. Throws a `PatternFault` for a construct without a counterpart.
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
      return element.kind === "any" || element.kind === "property"
        ? spelledOut(ofSet(element))
        : spelledOut(ESCAPES[element.kind], element.negate);
    case "CharacterClass":
      if (element.unicodeSets) throw new PatternFault("uses a class of the v flag");
      return spelledOut(union(element.elements.flatMap(ofMember)), element.negate);
    case "Group":
      return wrap("(?:", ofOptions(element.alternatives));
    case "CapturingGroup":
      return wrap(opening(element.name), ofOptions(element.alternatives));
    case "Quantifier":
      return ofRepetition(element);
    case "Assertion":
      return ofAssertion(element);
    case "Backreference":
      throw new PatternFault("refers back to a group, which cannot run in linear time");
    case "ExpressionCharacterClass":
      throw new PatternFault("uses a class of the v flag");
  }
}

function opening(name: string | null): string {
  if (name === null) return "(";
  if (/^\w+$/.test(name)) return `(?<${name}>`;
  throw new PatternFault("has a group name with characters other than letters, digits and _");
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

/** Writes a class. The engine negates it, since without regard to case it first adds the other cases. */
function spelledOut(points: CodePoints, isNegated = false): Part {
  if (points.length === 0) return { text: `[${isNegated ? "" : "^"}\\x{0}-\\x{10ffff}]`, size: 1 };
  const ranges = points.map(([first, last]) => `${point(first)}-${point(last)}`).join("");
  const size = 1 + Math.floor(points.length / RANGES_PER_STEP);
  return { text: `[${isNegated ? "^" : ""}${ranges}]`, size };
}

const point = (code: number): string => `\\x{${code.toString(16)}}`;

/** A set of code points as ordered ranges with gaps between them. */
type CodePoints = readonly (readonly [first: number, last: number])[];

const LAST = 0x10_ffff;
const PLANE = 0x1_0000;
/** The planes with characters. In other planes all code points but the last two have the same properties. */
const DIVERSE_PLANES = [0x0_0000, 0x1_0000, 0x2_0000, 0x3_0000, 0xe_0000];
const UNIFORM: CodePoints = Array.from({ length: 17 }, (_, plane) => plane * PLANE)
  .filter((plane) => !DIVERSE_PLANES.includes(plane))
  .flatMap((plane) => [
    [plane, plane + 0xfffd],
    [plane + 0xfffe, plane + 0xffff],
  ]);
/** A chunk ends before 0xDC00, so that no high surrogate precedes a low one and joins it. */
const CHUNK = 0x400;

const LINE_ENDS: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const DIGITS: CodePoints = [[0x30, 0x39]];
const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** ECMA-262's WhiteSpace and LineTerminator. */
const SPACE: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

const ESCAPES = { digit: DIGITS, space: SPACE, word: WORD };

const properties = new Map<string, CodePoints>();

/** Returns the matches of `.`, `\d`, `\s`, `\w`, `\p{...}` and their opposites (ECMA-262). */
function ofSet(set: AST.CharacterSet): CodePoints {
  if (set.kind === "any") return complement(LINE_ENDS);
  if (set.kind === "property") return ofProperty(set.raw);
  const points = ESCAPES[set.kind];
  return set.negate ? complement(points) : points;
}

function ofMember(member: AST.ClassRangesCharacterClassElement): CodePoints {
  if (member.type === "Character") return [[member.value, member.value]];
  if (member.type === "CharacterClassRange") return [[member.min.value, member.max.value]];
  return ofSet(member);
}

/** Asks the JavaScript engine, so that its version of Unicode counts and no table is needed. */
function ofProperty(written: string): CodePoints {
  const known = properties.get(written);
  if (known) return known;
  const runs = new RegExp(`${written}+`, "gu");
  const ranges: [number, number][] = [];
  for (const [first, last] of UNIFORM) {
    if (String.fromCodePoint(first).match(runs)) ranges.push([first, last]);
  }
  for (const plane of DIVERSE_PLANES) {
    for (let start = plane; start < plane + PLANE; start += CHUNK) {
      for (const { index, 0: run } of chunk(start).matchAll(runs)) {
        const width = start < PLANE ? 1 : 2;
        const first = start + index / width;
        ranges.push([first, first + run.length / width - 1]);
      }
    }
  }
  const points = union(ranges);
  properties.set(written, points);
  return points;
}

const chunk = (start: number): string =>
  String.fromCodePoint(...Array.from({ length: CHUNK }, (_, at) => start + at));

function union(ranges: CodePoints): CodePoints {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

function complement(points: CodePoints): CodePoints {
  const starts = [0, ...points.map(([, last]) => last + 1)];
  const ends = [...points.map(([first]) => first - 1), LAST];
  return starts
    .map((start, at): [number, number] => [start, ends[at] ?? LAST])
    .filter(([start, end]) => start <= end);
}
