import fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_JSON_DEPTH, parseStrictJson } from "../../../src/lib/strict-json.ts";

const read = (text: string) => parseStrictJson(new TextEncoder().encode(text));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

it("reads all output of JSON.stringify like JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: "binary" }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

it("never throws, and refuses all that JSON.parse refuses", () => {
  const piece = fc.constantFrom(
    ...['{"a":', '"a"', "[", "]", "{", "}", ",", ":", '\\"', "\\", '"', "1e999", "-0", "\\ud800"],
    ...["null", " ", "\n", "1", "é", "\u0000"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const outcome = read(text);
      if (outcome.ok) expect(outcome.value).toEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

it("refuses a duplicate name in one object, in any spelling", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }).filter((name) => name.isWellFormed()),
      (name) => {
        const plain = JSON.stringify(name);
        const escaped = `"${[...Array(name.length).keys()]
          .map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, "0")}`)
          .join("")}"`;
        expect(read(`{"x":[{${plain}:1, "y~": {} ,${escaped} : 2}]}`)).toMatchObject({
          ok: false,
          code: "malformed_json",
        });
      },
    ),
  );
});

it("reports the duplicate name and its path", () => {
  expect(read('{"a":1,"b":{"a":2},"a":3}')).toEqual({
    ok: false,
    code: "malformed_json",
    detail: 'The name "a" comes twice in one object, at position 19.',
  });
});

it("accepts the same name in different objects and as a value", () => {
  expect(read('[{"a":"a"},{"a":["a","a"]},{"b":{"a":1},"a":"b"}]').ok).toBe(true);
});

it("accepts 64 levels and refuses the 65th", () => {
  expect(read(nested(MAX_JSON_DEPTH)).ok).toBe(true);
  expect(read(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ ok: false, code: "invalid_request" });
  expect(read(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)).toMatchObject({ ok: false });
});

it("ignores brackets inside strings", () => {
  expect(read(JSON.stringify({ a: '[[{"\\'.repeat(100) })).ok).toBe(true);
});

it.each(['"\\ud800"', '{"\\uDFFF":1}', '["\\ude00\\ud83d"]'])(
  "refuses half a surrogate pair: %s",
  (text) => {
    expect(read(text)).toMatchObject({ ok: false, code: "invalid_request" });
  },
);

it("reads a whole surrogate pair written as escapes", () => {
  expect(read('"\\ud83d\\ude00"')).toEqual({ ok: true, value: "😀" });
});

it.each(["1e999", "-1e309", "[1,9e400]", "9".repeat(400)])(
  "refuses a number that would be read as infinite: %s",
  (text) => {
    expect(read(text)).toMatchObject({ ok: false, code: "invalid_request" });
  },
);

it("refuses bytes that are not UTF-8", () => {
  expect(parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({
    ok: false,
    code: "malformed_json",
    detail: "The body is not UTF-8.",
  });
});

it.each(["", "{", "{'a':1}", "[1,]", "// x\n1", "NaN", "01", "undefined"])(
  "refuses invalid JSON: %j",
  (text) => {
    expect(read(text)).toMatchObject({ ok: false, code: "malformed_json" });
  },
);
