import { describe, expect, it } from "vitest";
import { parametersOf, portableSchema } from "../../../../src/lib/json-schema/portable.ts";
import type { JsonObject } from "../../../../src/lib/json-values.ts";

describe("a portable schema", () => {
  it("closes objects and keeps what is required", () => {
    const person = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Person",
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name", "age"],
    };
    expect(portableSchema(person)).toEqual({
      type: "object",
      properties: { name: { type: "string" }, age: {} },
      required: ["name", "age"],
      additionalProperties: false,
    });
  });

  it("states scalar defaults in words and omits limits", () => {
    const name = {
      type: "string",
      description: "A name.",
      minLength: 2,
      pattern: "^(?=a)",
      default: "x",
    };
    expect(portableSchema(name)).toEqual({ type: "string", description: "A name. (default x)" });
  });

  it("writes alternatives as anyOf and constants as values with their types", () => {
    expect(portableSchema({ oneOf: [{ const: "a" }, { enum: [1, null] }] })).toEqual({
      anyOf: [
        { type: "string", enum: ["a"] },
        { type: ["number", "null"], enum: [1, null] },
      ],
    });
  });

  it("inlines the target of a reference, with its description", () => {
    const schema = {
      $defs: { price: { type: "number", description: "Any price." } },
      type: "array",
      items: { $ref: "#/$defs/price", description: "The price." },
    };
    expect(portableSchema(schema)).toEqual({
      type: "array",
      items: { type: "number", description: "The price." },
    });
  });

  it("merges allOf into one object", () => {
    const schema = {
      $defs: {
        base: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
      },
      allOf: [{ $ref: "#/$defs/base" }, { properties: { name: { type: "string" } } }],
    };
    expect(portableSchema(schema)).toEqual({
      type: "object",
      properties: { id: { type: "integer" }, name: { type: "string" } },
      required: ["id"],
      additionalProperties: false,
    });
  });

  it("ends at recursive references", () => {
    const tree = { type: "object", properties: { child: { $ref: "#" } } };
    expect(portableSchema(tree)).toMatchObject({ properties: { child: {} } });
  });

  it("stays small if references multiply", () => {
    const level = (n: number) => ({
      type: "object",
      properties: { a: { $ref: `#/$defs/l${n}` }, b: { $ref: `#/$defs/l${n}` } },
    });
    const $defs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`l${n}`, level(n + 1)]));
    const schema = { $defs: { ...$defs, l20: { type: "string" } }, ...level(0) };
    expect(JSON.stringify(portableSchema(schema)).length).toBeLessThan(40_000);
  });

  it("leaves open what accepts any value", () => {
    expect(portableSchema({ type: "object" })).toEqual({ type: "object" });
    expect(portableSchema({ type: "object", additionalProperties: { type: "string" } })).toEqual({
      type: "object",
      additionalProperties: { type: "string" },
    });
    expect(portableSchema({ anyOf: [{ type: "string" }, true] })).toEqual({});
  });
});

describe("parameters", () => {
  it("are one object with the properties of all alternatives", () => {
    const object = (properties: JsonObject, required: string[]) => ({
      type: "object",
      properties,
      required,
    });
    const schema = {
      oneOf: [
        object({ kind: { const: "a" }, size: { type: "number" } }, ["kind", "size"]),
        object({ kind: { const: "b" }, size: { type: "string" } }, ["kind"]),
      ],
    };
    expect(parametersOf(schema)).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        size: { anyOf: [{ type: "number" }, { type: "string" }] },
      },
      required: ["kind"],
      additionalProperties: false,
    });
  });

  it("are an object even for an empty schema", () => {
    expect(parametersOf({})).toEqual({ type: "object", properties: {}, required: [] });
  });
});
