import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../src/contract/webhooks/payload.ts";
import type { ValidationRules } from "../../../src/contract/webhooks/validation.ts";
import { validatePayload, validationFaults } from "../../../src/intake/validation.ts";

const rules = (some: Partial<ValidationRules>): ValidationRules => ({
  required: [],
  types: {},
  schema: null,
  maxBytes: 1_048_576,
  ...some,
});

const faults = (payload: PayloadValue, some: Partial<ValidationRules>) =>
  validatePayload(payload, rules(some)).map(({ path, rule }) => `${path}:${rule}`);

describe("a payload", () => {
  it("with endless names is reported in few words", () => {
    const texts = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at}`, "x"]));
    const schema = { additionalProperties: { additionalProperties: { type: "number" } } };
    const told = validatePayload({ ["x".repeat(1_000_000)]: texts }, rules({ schema }));
    expect(told).toHaveLength(50);
    expect(told[0]?.path).toMatch(/^x+….n0$/);
    expect(JSON.stringify(told).length).toBeLessThan(20_000);
  });

  it("must have the formats of the schema unless they are annotations", () => {
    const schema = { properties: { at: { format: "date-time" } } };
    expect(faults({ at: "soon" }, { schema })).toEqual(["at:format"]);
    expect(faults({ at: "soon" }, { schema, formats: "annotate" })).toEqual([]);
  });

  it("must have the required members, and not as null", () => {
    const required = ["a.b", "list[1]", "x\\.y"];
    expect(faults({ a: { b: 0 }, list: [1, false], "x.y": "" }, { required })).toEqual([]);
    expect(faults({ a: { b: null }, list: [1] }, { required })).toEqual([
      "a.b:required",
      "list[1]:required",
      "x\\.y:required",
    ]);
  });

  it("may be named as a whole by `$`", () => {
    const whole: Partial<ValidationRules> = { required: ["$"], types: { $: "array" } };
    expect(faults([], whole)).toEqual([]);
    expect(faults(null, whole)).toEqual(["$:required", "$:type"]);
  });

  it("must have own members, not inherited ones", () => {
    const required = ["__proto__", "constructor", "toString.name"];
    expect(faults({}, { required })).toHaveLength(3);
    expect(
      faults(JSON.parse('{"__proto__":1,"constructor":1,"toString":{"name":1}}'), { required }),
    ).toEqual([]);
  });

  const SAMPLES: PayloadValue[] = [null, true, 1, 1.5, 12345678901234567890n, "a", [], {}];
  it.each([
    ["null", [null]],
    ["boolean", [true]],
    ["integer", [1, 12345678901234567890n]],
    ["number", [1, 1.5, 12345678901234567890n]],
    ["string", ["a"]],
    ["array", [[]]],
    ["object", [{}]],
    ["timestamp", [1, 1.5, 12345678901234567890n]],
  ] as const)("can be checked for the type %s", (type, fitting) => {
    const judged = (a: PayloadValue) => validatePayload({ a }, rules({ types: { a: type } }));
    const found = SAMPLES.filter((a) => judged(a).length === 0);
    expect(found).toEqual(fitting);
    expect(judged(type === "object" ? [] : {})[0]?.message).toMatch(/^must be /);
    expect(faults({}, { types: { a: type } })).toEqual([]);
  });

  it("must have a time with an offset as a timestamp", () => {
    const areTimes = (texts: string[]) =>
      texts.filter((a) => faults({ a }, { types: { a: "timestamp" } }).length === 0);
    const times = ["2026-11-21t10:00:00.123456789z", "2024-02-29T23:59:59-0530"];
    expect(areTimes(times)).toEqual(times);
    const dates = ["2026-11-21T10:00:00", "2026-11-21", "2026-02-30T10:00:00Z"];
    expect(areTimes([...dates, "2026-11-21T24:00:00Z", "1700000000", "yesterday", ""])).toEqual([]);
  });

  it("is reported with all faults, under all rules", () => {
    const all = {
      required: ["id"],
      types: { total: "number" },
      schema: { required: ["name"], properties: { items: { items: { type: "string" } } } },
    } as const;
    const schema = JSON.parse(JSON.stringify(all.schema));
    expect(
      faults({ total: "1", items: [1, "a", 2] }, { ...all, required: ["id"], schema }),
    ).toEqual(["id:required", "total:type", "name:required", "items[0]:type", "items[2]:type"]);
  });

  it("may have long whole numbers, which are numbers to a schema", () => {
    const schema = { properties: { id: { type: "integer", minimum: 1e18 } } };
    expect(faults({ id: 12345678901234567890n }, { schema })).toEqual([]);
  });

  it("is reported with at most fifty faults, the last of which counts the rest", () => {
    const schema = { items: { type: "string" } };
    const numbers = Array.from({ length: 1_000 }, (_, at) => at);
    const found = validatePayload(numbers, rules({ schema, required: ["a"] }));
    expect(found).toHaveLength(50);
    expect(found.at(-1)).toEqual({ path: "", rule: "more", message: "and 952 more" });
    expect(validatePayload(numbers.slice(0, 50), rules({ schema }))).toHaveLength(50);
  });
});

describe("rules that are saved", () => {
  it("may be valid", () => {
    const some = { required: ["a.b[0]"], types: { "x\\.y": "string" as const } };
    const schema = { pattern: "^([a-z]+\\.)+[a-z]+$" };
    expect(validationFaults(rules({ ...some, schema }))).toEqual([]);
  });

  it("may have no pattern that backtracks in other engines", () => {
    const schema = { properties: { a: { pattern: "^(a+)+$" } } };
    expect(validationFaults(rules({ schema }))).toMatchObject([
      { path: "validation.schema.properties.a.pattern", rule: "pattern" },
    ]);
  });

  it("report each path and schema that is invalid", () => {
    const found = validationFaults(
      rules({
        required: ["a", "b..c"],
        types: { "[": "string" },
        schema: { properties: { a: { pattern: "(?=a)" } } },
      }),
    );
    expect(found.map(({ path, rule }) => `${path}:${rule}`)).toEqual([
      "validation.required[1]:path",
      "validation.types.[:path",
      "validation.schema.properties.a.pattern:pattern",
    ]);
  });
});
