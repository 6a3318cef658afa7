import { describe, expect, it } from "vitest";
import { schemaFault, validateJson } from "../../../../src/lib/json-schema/validate.ts";
import type { Json, JsonObject } from "../../../../src/lib/json-values.ts";

const check = (schema: JsonObject, value: Json) => validateJson(schema, value, 50);
const rulesOf = (schema: JsonObject, value: Json) =>
  check(schema, value).violations.map(({ path, rule }) => `${path.join(".")}:${rule}`);

it.each<[JsonObject, Json[], Json[]]>([
  [{ multipleOf: 0.01 }, [19.99, 0.07, 1e22], [19.995, 0.005]],
  [{ required: ["a", "__proto__"] }, [JSON.parse('{"a":1,"__proto__":2}')], [{ a: 1 }]],
  [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }], [{ toString: 1 }]],
])("validates cases that the official suite lacks: %j", (schema, valid, invalid) => {
  expect(schemaFault(schema)).toBeNull();
  for (const value of valid) expect([value, rulesOf(schema, value)]).toEqual([value, []]);
  for (const value of invalid) expect(rulesOf(schema, value)).not.toEqual([]);
});

it("says what a keyword allows whose value may be of two types", () => {
  for (const type of ["strnig", ["strnig"]]) {
    expect(schemaFault({ type })?.message).toMatch(/^must be one of .*string/);
  }
});

describe("findings", () => {
  it("include every violation with its path and rule", () => {
    const schema = {
      required: ["id"],
      properties: { n: { type: "number", minimum: 3 }, list: { items: { required: ["sku"] } } },
      additionalProperties: false,
    };
    expect(rulesOf(schema, { n: 2, list: [{ sku: 1 }, {}], x: 1 })).toEqual([
      "id:required",
      "n:minimum",
      "list.1.sku:required",
      "x:additionalProperties",
    ]);
  });

  it("exclude schemas that need not match", () => {
    const schema = { anyOf: [{ required: ["a"] }, { type: "null" }], not: { required: ["b"] } };
    expect(rulesOf(schema, {})).toEqual([":anyOf"]);
    expect(rulesOf(schema, { a: 1 })).toEqual([]);
  });

  it("are listed up to a limit, and counted beyond it", () => {
    const many = Array.from({ length: 200_000 }, (_, at) => at);
    const { violations, omitted } = validateJson({ items: { type: "string" } }, many, 20);
    expect([violations.length, omitted]).toEqual([20, 199_980]);
  });

  it("quote long values in part", () => {
    const schema = { enum: Array.from({ length: 10_000 }, (_, at) => `value ${at}`) };
    expect(check(schema, "x").violations[0]?.message.length).toBeLessThan(300);
  });
});

describe("hostile schemas and values", () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => at);
  const members = Object.fromEntries(numbers.slice(0, 50_000).map((at) => [`k${at}`, at]));
  const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
  const objects = numbers.slice(0, 50_000).map((v) => ({ v }));
  const first = (count: number, schema: JsonObject) => Array<JsonObject>(count).fill(schema);
  const runaway = "^a*a*a*a*a*a*$";
  const long = `${"a".repeat(262_144)}!`;
  const patterns = Object.fromEntries(first(100, {}).map((any, at) => [`${at}a*a*a*a*a*$`, any]));
  const chain: JsonObject = { end: { items: { $ref: "#/$defs/d0" } } };
  for (let at = 0; at < 400; at += 1) {
    chain[`d${at}`] = { $ref: `#/$defs/${at < 399 ? `d${at + 1}` : "end"}` };
  }
  const twice = [{ items: { $ref: "#/$defs/a" } }, { items: { $ref: "#/$defs/a" } }];

  it.each<[string, JsonObject, Json]>([
    ["unique objects", { uniqueItems: true }, objects],
    ["unique numbers", { uniqueItems: true }, numbers],
    ["a runaway pattern", { pattern: runaway }, long],
    ["a large pattern", { pattern: "^(?:[ab]{0,20}c){20}$" }, "ab".repeat(131_072)],
    ["a pattern of names", { patternProperties: { [runaway]: false } }, { [long]: 1 }],
    ["many patterns of names", { patternProperties: patterns }, members],
    ["many schemas for one value", { items: { allOf: first(900, { type: "number" }) } }, numbers],
    ["many values of an enum", { items: { enum: objects.slice(0, 10_000) } }, objects],
    [
      "what doubles with each level",
      { $ref: "#/$defs/a", $defs: { a: { allOf: twice } } },
      nested(60),
    ],
    ["long chains of references", { $ref: "#/$defs/d0", $defs: chain }, nested(60)],
    ["many members that are not evaluated", { unevaluatedProperties: false }, members],
    ["a format that backtracks", { format: "uri" }, `http://${"a".repeat(262_144)}\u0000`],
    ["a format that is none here", { format: "url" }, `http://${"a".repeat(100)}!`],
  ])("are checked in limited time: %s", (_, schema, value) => {
    expect(schemaFault(schema)).toBeNull();
    check(schema, value);
  });

  it("produce a finding on a timeout", () => {
    const schema = { $ref: "#/$defs/a", $defs: { a: { allOf: twice } } };
    expect(rulesOf(schema, nested(60))).toEqual([":work"]);
  });
});
