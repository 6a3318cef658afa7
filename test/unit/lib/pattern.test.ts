import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LinearPattern,
  linearPattern,
  patternFault,
} from "../../../src/lib/pattern/linear-pattern.ts";

/** Long enough that a search of quadratic time would not end. */
const LONG = 262_144;

function compiled(pattern: string, ignoreCase = false): LinearPattern {
  const result = linearPattern(pattern, { unicode: true, ignoreCase });
  if (!result.ok) throw new Error(`${pattern} ${result.reason}`);
  return result;
}

const TEXTS = [
  ...["", "a", "aaa", "ab\ncd", "a\r", "\u2028", "1", "٣", "x_1", "é", "ſ", "\u00a0", "\ufeff"],
  ...["\u180e", "😀", "\ud83d", "\ude00", "/", "a b", "2026-11-21", "ada@example.com", "Ω", "Ж"],
  ...["日本", "-", "]", "\\", "\u{10ffff}", "\u{fffff}"],
];

/** Patterns without a space, and the empty one. */
const PATTERNS = String.raw`
  ^a*$ ^\D$ ^\w$ ^\s$ \b ^\u{1F600}$ ^\ud83d\ude00$ \ud83d ^\u0061 ^\/$ \cM [\b] \0 ^(?<name>a)+$
  [] [^] ^[^\S]$ ^[\w-]+$ ^[\]\\]$ ^[a-z]{1,3}$ ^a{2,}?$ ^\P{L}$ ^\p{Lu}
  ^\p{General_Category=Decimal_Number}$ ^\p{Script=Greek}$ ^\p{sc=Cyrl}$
  ^\p{Script_Extensions=Han}+$ ^\p{Emoji}$ ^\p{Any}$ ^\p{Noncharacter_Code_Point}$
  ^\p{Unassigned}$ ^[\p{L}\d]+$ ^[^\p{ASCII}]+$ ^\d{4}-\d{2}-\d{2}$
  ^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$ ^(a+)+$ ^(a?){5}a{3}$ (x+x+)+y ^(?:)*$
`.split(/\s+/);

describe("a linear pattern", () => {
  it.each(PATTERNS)("matches what RegExp matches: %s", (pattern) => {
    const { test } = compiled(pattern);
    const native = new RegExp(pattern, "u");
    const matched = TEXTS.filter((text) => test(text));
    expect(matched).toEqual(TEXTS.filter((text) => native.test(text)));
  });

  it.each(["ab", "^É$", "^[^a]$", "^[^a-z]$", String.raw`^\w$`, String.raw`^\W$`, "^[^Ω]$"])(
    "matches what RegExp matches without regard to case: %s",
    (pattern) => {
      const { test } = compiled(pattern, true);
      const native = new RegExp(pattern, "iu");
      const texts = [...TEXTS, ...TEXTS.map((text) => text.toUpperCase())];
      expect(texts.filter((text) => test(text))).toEqual(texts.filter((text) => native.test(text)));
    },
  );

  it("matches what RegExp matches, for any combination", () => {
    fc.assert(
      fc.property(
        patterns.node,
        fc.string({ unit: fc.constantFrom(...ALPHABET) }),
        (pattern, text) => {
          // V8 alone takes the middle of a surrogate pair for a place where \B can match.
          fc.pre(!(pattern.includes("\\B") && text.includes("😀")));
          expect(compiled(pattern).test(text)).toBe(new RegExp(pattern, "u").test(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ...["^(a+)+$", "^(a|a)*$", "^(a?){4}a{4}$", "a*a*a*a*b", "(a*)*b", "(.*)(.*)(.*)(.*)[^a]$"],
    String.raw`^(\w+\s?)*$`,
  ])("runs %s over a long text quickly", (pattern) => {
    const { test } = compiled(pattern);
    const text = `${"a".repeat(LONG)}!`;
    expect(test(text)).toBe(pattern.includes("[^a]"));
  });

  it("refuses a text that is too long for a pattern of its size", () => {
    const { test } = compiled("^(?:[ab]{0,20}c){20}$");
    expect(test("ab")).toBe(false);
    expect(test("ab".repeat(LONG))).toBeNull();
  });

  it.each([
    ["(?=a)", "looks ahead"],
    ["(?!a)", "looks ahead"],
    ["(?<=a)b", "looks behind"],
    ["(?<!a)b", "looks behind"],
    [String.raw`(a)\1`, "refers back"],
    [String.raw`(?<n>a)\k<n>`, "refers back"],
    ["a{1001}", "repeats a part more than"],
    ["((a{0,100}){0,100}){0,100}", "too large"],
    ["(?<é>a)", "has a group name"],
    ["a".repeat(1_001), "longer"],
    ["(", "not a regular expression"],
    ["[z-a]", "not a regular expression"],
    ["a{2,1}", "not a regular expression"],
    [String.raw`\q`, "not a regular expression"],
    [String.raw`\p{Nothing}`, "not a regular expression"],
    ["(?i:a)", "not a regular expression"],
  ])("cannot be compiled from %s", (pattern, reason) => {
    expect(linearPattern(pattern)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe("replacing all matches", () => {
  it.each([
    ["l+", "hello world", "L"],
    ["", "ab😀", "-"],
    ["(?<x>l+)(o)?", "hello world", "[$<x>|$2|$&|$$|$3|$12|$0|$<y>|$"],
    ["(a)|b", "ab", "<$1>"],
    ["(a)", "a", "$<x>"],
    ["^a", "aaa", "b"],
    [String.raw`\s+`, " a  b ", ""],
    [String.raw`\p{L}`, "aé1", "$&$&"],
  ])("of %s in %j agrees with JavaScript", (pattern, text, replacement) => {
    const expected = text.replaceAll(new RegExp(pattern, "gu"), replacement);
    expect(compiled(pattern).replaceAll(text, replacement)).toBe(expected);
  });

  it.each([
    [String.raw`\s+`, "word  "],
    ["<[^>]+>", "<b>x</b>"],
    [String.raw`(\w+)-(\d+)`, "aaaaaaaa-12 "],
    ["x[^y]*y", "xxxxxxxxxy"],
    ["[ab]*b.?", "aaaabbbbaaaac"],
    ["(?:a|bc)d?", "abcdef"],
  ])("of %s in a long text runs in linear time", (pattern, piece) => {
    const text = piece.repeat(262_144 / piece.length);
    expect(compiled(pattern).replaceAll(text, "-")).toBe(
      text.replaceAll(new RegExp(pattern, "gu"), "-"),
    );
  });

  it("gives up if each match scans all of the text", () => {
    expect(compiled("a(?:.*z)?").replaceAll("a".repeat(LONG), "b")).toBeNull();
  });

  it("gives up on a result that is too long", () => {
    expect(compiled("a").replaceAll("a".repeat(50_000), "b".repeat(500))).toBeNull();
    expect(compiled("b").replaceAll(`b${"a".repeat(10_485_760)}`, "bb")).toBeNull();
  });
});

const ALPHABET = ["a", "b", "1", "_", " ", "\n", "é", "😀", "\u2028"];

/** Patterns of few characters, put together at random. */
const patterns = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom(...ALPHABET, ".", "\\d", "\\W", "\\s", "[^a]", "[a-f1]", "\\p{L}", "[\\d\\n]"),
    tie("node").map((node) => `(?:${node})`),
  ),
  node: fc.oneof(
    { depthSize: "small" },
    tie("atom"),
    fc.constantFrom("^", "$", "\\b", "\\B"),
    fc
      .tuple(tie("atom"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}?"))
      .map((parts) => parts.join("")),
    fc.tuple(tie("node"), tie("node")).map((parts) => parts.join("")),
    fc.tuple(tie("node"), tie("node")).map((parts) => parts.join("|")),
  ),
}));

describe("a pattern to be saved", () => {
  it.each([
    ...["^(a+)+$", "(a*)*", "(.*)+x", "(\\w+\\s?)*$", "^((a+))+$", "(?:a|a)*b", "(a+|b)+"],
    ...["x([a-z]*[0-9]?)+y", "(\\d+)*(ab)?", "((x|y+)z?)+"],
  ])("must not backtrack in other engines: %s", (pattern) => {
    expect(patternFault(pattern)).toContain("can run away");
  });

  it.each([
    ...["^([a-z]+\\.)+[a-z]+$", "^[a-z]+(-[a-z]+)*$", "^(\\d+,)*\\d+$", "^(ab|cd)+$"],
    ...["(a{1,3})+", "^.+@.+$", "^(https?://)?[^/]+(/.*)?$"],
  ])("may repeat a group with a delimiter: %s", (pattern) => {
    expect(patternFault(pattern)).toBeNull();
  });

  it("must be a supported pattern", () => {
    expect(patternFault("(")).toContain("is not a regular expression");
    expect(patternFault("(?=a)")).not.toBeNull();
  });
});
