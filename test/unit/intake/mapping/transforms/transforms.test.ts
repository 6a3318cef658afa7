import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { apply, faultOf } from "../../../../support/mapping.ts";

const BIG = 12345678901234567890n;
const refusal = { refused: expect.any(String) };

type Setting = Parameters<typeof apply>[1];
type Table = [PayloadValue, PayloadValue][];

describe.each<["number" | "integer" | "boolean", Table, PayloadValue[]]>([
  [
    "number",
    [
      [1.5, 1.5],
      ["12", 12],
      [" -0.5 ", -0.5],
      ["1e3", 1000],
      [".5", 0.5],
      [BIG, 12345678901234567000],
    ],
    ["", "abc", "1,000", "1 000", "0x10", "12px", "NaN", "1e999", true, [], {}, 10n ** 400n],
  ],
  [
    "integer",
    [
      [3, 3],
      ["3", 3],
      ["+3", 3],
      ["3.00", 3],
      ["1e3", 1000],
      [BIG, BIG],
      [String(BIG), BIG],
      [`-${BIG}.0`, -BIG],
      ["9007199254740993", 9007199254740993n],
    ],
    [3.5, "3.5", "three", "", true, [], {}],
  ],
  [
    "boolean",
    [
      [true, true],
      ["TRUE", true],
      ["yes", true],
      ["on", true],
      [1, true],
      ["1", true],
      [false, false],
      ["No", false],
      [" off ", false],
      [0, false],
    ],
    ["", "maybe", "y", 2, -1, [], {}, [true]],
  ],
])("the transform %s", (type, table, others) => {
  it("accepts its equivalents", async () => {
    for (const [value, made] of table) expect(await apply(value, { type })).toBe(made);
  });

  it("refuses anything else", async () => {
    for (const value of others) expect(await apply(value, { type })).toEqual(refusal);
  });
});

it.each<[PayloadValue, string]>([
  [1.5, "1.5"],
  [BIG, String(BIG)],
  [false, "false"],
  [{ a: [BIG, "é", null] }, '{"a":[12345678901234567890,"é",null]}'],
])("the transform string writes %s", async (value, text) => {
  expect(await apply(value, { type: "string" })).toBe(text);
});

it.each<[Setting, string, PayloadValue]>([
  [{ type: "trim" }, "  a b ", "a b"],
  [{ type: "lower" }, "ÄB", "äb"],
  [{ type: "upper" }, "straße", "STRASSE"],
  [{ type: "split" }, "a,b,,c", ["a", "b", "", "c"]],
  [{ type: "replace", search: "." }, "a.b.c", "abc"],
])("%j changes text, and refuses other values", async (setting, text, changed) => {
  expect(await apply(text, setting)).toEqual(changed);
  for (const value of [1, ["x"]]) expect(await apply(value, setting)).toEqual(refusal);
});

describe("the transform replace", () => {
  const replace = (search: string, put: string, pattern = false) =>
    ({ type: "replace", search, with: put, pattern }) as const;

  it("replaces all occurrences of plain text", async () => {
    expect(await apply("aaa", replace("a", "$&$1"))).toBe("$&$1$&$1$&$1");
  });

  it("replaces all matches of a pattern", async () => {
    expect(await apply("a1b22", replace("[0-9]+", "#", true))).toBe("a#b#");
    expect(await apply("2026-01", replace("(\\d+)-(\\d+)", "$2/$1", true))).toBe("01/2026");
  });

  it("ends soon for a pattern that backtracks elsewhere", async () => {
    expect(await apply("a".repeat(5_000), replace("(a+)+$", "b", true))).toBe("b");
    const endless = apply("a".repeat(50_000), replace("a.*b|a", "b", true));
    await expect(endless).rejects.toThrow("takes too much work for one request");
  });

  it("produces no text far larger than a payload", async () => {
    const huge = await apply("a".repeat(100_000), replace("a", "b".repeat(500)));
    expect(huge).toEqual({ refused: "becomes longer than 10485760 characters" });
  });

  it("cannot be saved with a pattern that needs more than linear time", async () => {
    expect(await faultOf(replace("(", "", true))).toMatch(/^has a pattern that is not a regular/);
    expect(await faultOf(replace("(?=a)", "", true))).toMatch(/^has a pattern that looks ahead/);
    expect(await faultOf(replace("(a)\\1", "", true))).toMatch(/^has a pattern that refers back/);
    expect(await faultOf(replace("(", ""))).toBeNull();
  });
});

describe("transforms of lists", () => {
  it("join the elements", async () => {
    expect(await apply(["a", 1, true, BIG], { type: "join", separator: "; " })).toBe(
      `a; 1; true; ${BIG}`,
    );
    expect(await apply([], { type: "join" })).toBe("");
    expect(await apply(["a", null], { type: "join" })).toEqual({
      refused: "must contain only text, numbers and booleans; element [1] is none of them",
    });
    expect(await apply([["a"]], { type: "join" })).toEqual(refusal);
    expect(await apply("a", { type: "join" })).toEqual(refusal);
  });

  it("take one element", async () => {
    expect(await apply([1, 2, 3], { type: "first" })).toBe(1);
    expect(await apply([1, 2, 3], { type: "last" })).toBe(3);
    expect(await apply([], { type: "first" })).toEqual({ refused: "is an empty array" });
    expect(await apply("abc", { type: "last" })).toEqual(refusal);
  });

  it("count elements and characters", async () => {
    expect(await apply([1, [2, 3]], { type: "length" })).toBe(2);
    expect(await apply("a😀", { type: "length" })).toBe(2);
    expect(await apply({ a: 1 }, { type: "length" })).toEqual(refusal);
  });
});

describe("the transform json", () => {
  it("reads text and writes anything else", async () => {
    expect(await apply('{"a":[1,12345678901234567890]}', { type: "json" })).toEqual({
      a: [1, BIG],
    });
    expect(await apply("null", { type: "json" })).toBeNull();
    expect(await apply({ a: BIG }, { type: "json" })).toBe('{"a":12345678901234567890}');
    expect(await apply(7, { type: "json" })).toBe("7");
  });

  it("refuses invalid JSON", async () => {
    for (const text of ["", "{", '{"a":1,"a":2}', "[".repeat(100_000)]) {
      expect(await apply(text, { type: "json" })).toEqual(refusal);
    }
  });
});

describe("the transform template", () => {
  const payload = { a: { b: "x" }, list: [{ n: 1 }], none: null, value: "other", "p.q": "dotted" };
  const template = (text: string) => ({ type: "template", template: text }) as const;

  it("inserts the value and fields of the payload", async () => {
    const text = "{{value}}: {{ a.b }}, {{list[0].n}}, {{list}}, {{p\\.q}}, { {x} }}";
    expect(await apply("v", template(text), payload)).toBe('v: x, 1, [{"n":1}], dotted, { {x} }}');
  });

  it("does not expand references in inserted values", async () => {
    expect(await apply("{{a.b}}", template("{{value}}"), payload)).toBe("{{a.b}}");
  });

  it("refuses a reference to a missing field", async () => {
    for (const path of ["missing", "none", "constructor.name"]) {
      const refused = `lacks {{${path}}}, which the template needs`;
      expect(await apply("v", template(`{{${path}}}`), payload)).toEqual({ refused });
    }
  });

  it("produces no text far larger than a payload", async () => {
    const text = "{{value}}".repeat(40);
    expect(await apply("a".repeat(263_000), template(text))).toEqual(refusal);
  });

  it("cannot be saved with an unreadable path", async () => {
    expect(await faultOf(template("{{a..b}}"))).toMatch(
      /^refers to \{\{a\.\.b\}\}, whose path lacks a name/,
    );
    expect(await faultOf(template("{{}}"))).toBe("refers to {{}}, whose path is empty");
  });
});
