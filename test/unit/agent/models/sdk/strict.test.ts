import { describe, expect, it } from "vitest";
import {
  ANTHROPIC_STRICT,
  OPENAI_STRICT,
  strictSchema,
} from "../../../../../src/agent/models/sdk/strict.ts";
import type { JsonObject } from "../../../../../src/contract/json.ts";

const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = { type: "string" };
const nullable = { anyOf: [text, { type: "null" }] };
const many = (count: number, part: JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, part]));

describe("OpenAI's strict mode", () => {
  const strict = (schema: JsonObject) => strictSchema(schema, OPENAI_STRICT);

  it("requires every property, at every depth; optional ones accept null", () => {
    const described = { ...text, description: "A name." };
    const schema = object({ list: { type: "array", items: object({ name: described }, []) } }, []);
    const items = object({ name: { ...nullable, description: "A name." } });
    expect(strict(schema)).toEqual(
      object({ list: { anyOf: [{ type: "array", items }, { type: "null" }] } }),
    );
  });

  it("leaves a property that accepts null already as it is", () => {
    expect(strict(object({ reason: nullable }, []))).toEqual(object({ reason: nullable }));
  });

  it.each([
    ["any value", object({ data: {} })],
    ["an object of any properties", object({ data: { type: "object" } })],
    ["a map", object({ data: { type: "object", additionalProperties: text } })],
    ["a list of any items", object({ data: { type: "array" } })],
    ["any value among alternatives", object({ data: { anyOf: [text, {}] } })],
  ])("does not know %s", (_, schema) => {
    expect(strict(schema)).toBeNull();
    expect(strictSchema(schema, ANTHROPIC_STRICT)).toBeNull();
  });

  it("has limits of properties, depth, values and characters", () => {
    const deep = (depth: number): JsonObject =>
      depth === 1 ? object({ a: text }) : object({ a: deep(depth - 1) });
    const values = (count: number) =>
      object({ a: { ...text, enum: Object.keys(many(count, text)) } });
    expect(strict(object(many(5_000, text)))).not.toBeNull();
    expect(strict(object(many(5_001, text)))).toBeNull();
    expect(strict(deep(10))).not.toBeNull();
    expect(strict(deep(11))).toBeNull();
    expect(strict(values(1_000))).not.toBeNull();
    expect(strict(values(1_001))).toBeNull();
    const long = (count: number) =>
      object({
        a: { ...text, enum: Array.from({ length: count }, (_, n) => `${n}`.padStart(60, "x")) },
      });
    expect(strict(long(250))).not.toBeNull();
    expect(strict(long(251))).toBeNull();
    expect(strict(object({ ["x".repeat(120_000)]: text }))).not.toBeNull();
    expect(strict(object({ ["x".repeat(120_001)]: text }))).toBeNull();
  });
});

describe("Anthropic's strict mode", () => {
  const strict = (schema: JsonObject) => strictSchema(schema, ANTHROPIC_STRICT);

  it("leaves optional properties optional, 24 of them at most", () => {
    expect(strict(object(many(24, text), []))).toEqual(object(many(24, text), []));
    expect(strict(object(many(25, text), []))).toBeNull();
  });

  it("takes 16 properties of several types at most", () => {
    expect(strict(object(many(16, nullable)))).not.toBeNull();
    expect(strict(object(many(17, { type: ["string", "null"] })))).toBeNull();
  });
});
