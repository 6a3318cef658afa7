import { describe, expect, it } from "vitest";
import type { Schema } from "../../../../src/docs/openapi.ts";
import {
  opened,
  opensHere,
  type Place,
  reachable,
  recursive,
  wordsFor,
} from "../../../../src/docs/schema/place.ts";

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
