import type { AST } from "@eslint-community/regexpp";

/** A set of code points as ranges, in order and apart from each other. */
export type CodePoints = readonly (readonly [first: number, last: number])[];

const LAST = 0x10_ffff;
const PLANE = 0x1_0000;
/** The planes with characters. In each other one all but its last two code points are alike. */
const DIVERSE_PLANES = [0x0_0000, 0x1_0000, 0x2_0000, 0x3_0000, 0xe_0000];
const ALIKE: CodePoints = Array.from({ length: 17 }, (_, plane) => plane * PLANE)
  .filter((plane) => !DIVERSE_PLANES.includes(plane))
  .flatMap((plane) => [
    [plane, plane + 0xfffd],
    [plane + 0xfffe, plane + 0xffff],
  ]);
/** Ends before 0xDC00, so that no high surrogate stands before a low one and becomes one with it. */
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

const properties = new Map<string, CodePoints>();

/** What `.`, `\d`, `\s`, `\w`, `\p{...}` and their opposites match (ECMA-262 with the u flag). */
export function ofSet(set: AST.CharacterSet): CodePoints {
  if (set.kind === "any") return complement(LINE_ENDS);
  if (set.kind === "property") return ofProperty(set.raw);
  const points = { digit: DIGITS, space: SPACE, word: WORD }[set.kind];
  return set.negate ? complement(points) : points;
}

/** What `[...]` matches. */
export function ofClass({ elements, negate }: AST.ClassRangesCharacterClass): CodePoints {
  const points = union(elements.flatMap(ofMember));
  return negate ? complement(points) : points;
}

function ofMember(member: AST.ClassRangesCharacterClassElement): CodePoints {
  if (member.type === "Character") return [[member.value, member.value]];
  if (member.type === "CharacterClassRange") return [[member.min.value, member.max.value]];
  return ofSet(member);
}

/** The engine itself is asked, so that its version of Unicode counts and no table is needed. */
function ofProperty(written: string): CodePoints {
  const known = properties.get(written);
  if (known) return known;
  const runs = new RegExp(`${written}+`, "gu");
  const ranges: [number, number][] = [];
  for (const [first, last] of ALIKE) {
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
