import { describe, expect, it } from "vitest";
import type { Schema } from "../../../src/docs/reference.ts";
import {
  fieldsOf,
  limitsOf,
  opened,
  opensHere,
  type Place,
  reachable,
  recursive,
  typeOf,
  valuesOf,
  variantsOf,
  wordsFor,
} from "../../../src/docs/schema.ts";

const ORDER = { $ref: "#/components/schemas/Order" };

const inWords = (schema: Schema): string =>
  typeOf(schema)
    .map((part) => ("text" in part ? part.text : `<${part.schema}>`))
    .join("");

describe("a type in words", () => {
  it.each<[string, Schema, string]>([
    ["text", { type: "string" }, "string"],
    ["a whole number", { type: "integer" }, "whole number"],
    ["a UUID by its format", { type: "string", format: "uuid" }, "UUID"],
    ["a format that has no name of its own", { type: "string", format: "email" }, "string"],
    ["anything", {}, "any JSON value"],
    ["what may be null", { type: ["string", "null"] }, "string or null"],
    ["one value", { type: "string", const: "active" }, '"active"'],
    ["a list", { type: "array", items: { type: "integer" } }, "list of whole numbers"],
    ["a list of anything", { type: "array", items: {} }, "list of any JSON values"],
    ["a list of a schema", { type: "array", items: ORDER }, "list of <Order>"],
    [
      "a list of lists",
      { type: "array", items: { type: "array", items: { type: "string" } } },
      "list of lists of strings",
    ],
    ["an object", { type: "object", properties: {} }, "object"],
    [
      "an object by its values",
      { type: "object", additionalProperties: { type: "string" } },
      "object of strings",
    ],
    ["a schema", ORDER, "<Order>"],
    ["a schema or null", { anyOf: [ORDER, { type: "null" }] }, "<Order> or null"],
    ["alternatives", { oneOf: [{ type: "string" }, ORDER] }, "string or <Order>"],
  ])("is that of %s", (_, schema, words) => {
    expect(inWords(schema)).toBe(words);
  });
});

describe("the limits of a value", () => {
  it.each<[Schema, string[]]>([
    [{ type: "string", minLength: 1, maxLength: 32_000 }, ["1 to 32,000 characters"]],
    [{ type: "string", minLength: 3, maxLength: 3 }, ["3 characters"]],
    [{ type: "string", maxLength: 1 }, ["at most 1 character"]],
    [{ type: "integer", minimum: 0 }, ["at least 0"]],
    [{ type: "integer", minimum: 1, maximum: 100 }, ["1 to 100"]],
    [
      { type: "array", minItems: 1, maxItems: 20, items: { type: "string", maxLength: 50 } },
      ["1 to 20 items", "each at most 50 characters"],
    ],
    [{ anyOf: [{ type: "integer", maximum: 9 }, { type: "null" }] }, ["at most 9"]],
    [{ type: "boolean" }, []],
  ])("%j are %j", (schema, limits) => {
    expect(limitsOf(schema)).toEqual(limits);
  });
});

it("lists the values of an enumeration, and of a list's items", () => {
  expect(valuesOf({ enum: ["a", "b"] })).toEqual(["a", "b"]);
  expect(valuesOf({ type: "array", items: { enum: [1] } })).toEqual([1]);
  expect(valuesOf({ type: "string" })).toEqual([]);
});

it("lists the values of what may be null, and of an object by its values", () => {
  const kinds = { type: "string", enum: ["a", "b"] };
  expect(valuesOf({ anyOf: [kinds, { type: "null" }] })).toEqual(["a", "b"]);
  expect(valuesOf({ type: "object", additionalProperties: kinds })).toEqual(["a", "b"]);
  expect(valuesOf({ type: "object", additionalProperties: false })).toEqual([]);
  expect(valuesOf({ anyOf: [kinds, { type: "integer" }] })).toEqual([]);
});

describe("what can be opened", () => {
  const fields = { type: "object", properties: { id: { type: "string" } } };

  it.each<[string, Schema]>([
    ["an object", fields],
    ["a list of objects", { type: "array", items: fields }],
    ["an object of objects", { type: "object", additionalProperties: fields }],
  ])("are the fields of %s", (_, schema) => {
    expect(fieldsOf(schema)).toBe(fields);
  });

  it("are alternatives of which there is more to tell than their types", () => {
    expect(variantsOf({ anyOf: [ORDER, fields, { type: "null" }] })).toEqual([ORDER, fields]);
    expect(variantsOf({ type: "array", items: { oneOf: [fields, ORDER] } })).toHaveLength(2);
    expect(variantsOf({ anyOf: [{ type: "string" }, { type: "number" }] })).toEqual([]);
    expect(variantsOf({ anyOf: [ORDER, { type: "null" }] })).toEqual([]);
  });
});

const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const TREE: Schema = {
  description: "A tree.",
  type: "object",
  properties: { children: { type: "array", items: to("Tree") }, leaf: to("Leaf") },
};
const LEAF: Schema = { type: "object", properties: { colour: { type: "string" } } };
const EGG: Schema = { anyOf: [to("Hen"), { type: "null" }] };
const HEN: Schema = { type: "object", additionalProperties: to("Egg") };

const schemas = new Map([
  ["Tree", TREE],
  ["Leaf", LEAF],
  ["Egg", EGG],
  ["Hen", HEN],
]);
const input: Place = { schemas, isInput: true, within: [] };

describe("a schema that is named", () => {
  it("opens where it is filled in, and remembers that it is open", () => {
    const open = opened(to("Tree"), input);
    expect(open?.inner).toBe(TREE);
    expect(open?.place.within).toEqual(["Tree"]);
  });

  it("opens from a list, and where null may be instead", () => {
    expect(opened({ type: "array", items: to("Leaf") }, input)?.inner).toBe(LEAF);
    expect(opened({ anyOf: [to("Leaf"), { type: "null" }] }, input)?.inner).toBe(LEAF);
  });

  it("opens neither within itself, nor in answers, nor where nobody knows it", () => {
    expect(opened(to("Tree"), { ...input, within: ["Tree"] })).toBeNull();
    expect(opened(to("Tree"), { ...input, isInput: false })).toBeNull();
    expect(opened(to("Nobody"), input)).toBeNull();
    expect(opensHere("Tree", { ...input, within: ["Tree"] })).toBe(false);
  });

  it("lends its words to a value that has none", () => {
    expect(wordsFor(to("Tree"), input)).toBe("A tree.");
    expect(wordsFor({ anyOf: [to("Tree"), { type: "null" }] }, input)).toBe("A tree.");
    expect(wordsFor({ ...to("Tree"), description: "Mine." }, input)).toBe("Mine.");
    expect(wordsFor({ type: "string" }, input)).toBe("");
  });
});

it("follows every way from a schema to others, in circles too", () => {
  expect([...reachable([to("Tree")], schemas)].sort()).toEqual(["Leaf", "Tree"]);
  expect([...reachable([{ oneOf: [to("Egg"), LEAF] }], schemas)].sort()).toEqual(["Egg", "Hen"]);
  expect([...reachable([], schemas)]).toEqual([]);
});

it("finds the schemas that hold themselves, at whatever distance", () => {
  expect([...recursive(schemas)].sort()).toEqual(["Egg", "Hen", "Tree"]);
});
