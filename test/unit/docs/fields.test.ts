import { describe, expect, it } from "vitest";
import { Fields, Values } from "../../../src/docs/components/fields.tsx";
import type { Schema } from "../../../src/docs/reference.ts";
import type { Place } from "../../../src/docs/schema.ts";

const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const schemas = new Map<string, Schema>([
  ["Tree", { type: "object", properties: { children: { type: "array", items: to("Tree") } } }],
  ["Leaf", { type: "object", properties: { colour: { type: "string", enum: ["red"] } } }],
]);
const input: Place = { schemas, isInput: true, within: [] };
const answer: Place = { ...input, isInput: false };

const shown = async (properties: Record<string, Schema>, place: Place, required: string[] = []) =>
  `${await Fields({ schema: { type: "object", properties, required }, place })}`;

describe("the fields of a body", () => {
  it("end in a link where a schema holds itself", async () => {
    const html = await shown({ root: to("Tree") }, input);
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html).toContain('list of <a href="#schema-Tree">Tree</a>');
  });

  it("open what they hold in place", async () => {
    const html = await shown({ leaf: { anyOf: [to("Leaf"), { type: "null" }] } }, input);
    expect(html).toContain("Leaf or null");
    expect(html).toContain("Fields of <code>leaf</code>");
    expect(html).toContain("colour");
    expect(html).toContain("&quot;red&quot;");
  });

  it("say which of them are required", async () => {
    const html = await shown({ one: {}, other: {} }, input, ["one"]);
    expect(html.match(/>required</g)).toHaveLength(1);
  });

  it("tell alternatives apart by the field that has one value", async () => {
    const kinds = ["trim", "lower"].map((type) => ({
      type: "object",
      properties: { type: { const: type, description: `It is ${type}.` } },
    }));
    const html = await shown({ transforms: { type: "array", items: { oneOf: kinds } } }, input);
    expect(html).toContain("Variants of <code>transforms</code>");
    expect(html).toContain("type: &quot;trim&quot;");
    expect(html).toContain("It is lower.");
  });

  it("show what each of them must keep to", async () => {
    const name = { type: "string", minLength: 1, pattern: "^a", default: "a" };
    const html = await shown({ name }, input);
    for (const part of ["at least 1 character", "<code>^a</code>", "<code>&quot;a&quot;</code>"]) {
      expect(html).toContain(part);
    }
  });
});

describe("the fields of an answer", () => {
  it("lead to the schemas that they have in common with others", async () => {
    const html = await shown({ leaf: to("Leaf") }, answer, ["leaf"]);
    expect(html).toContain('<a href="#schema-Leaf">Leaf</a>');
    expect(html).not.toContain("<details>");
    expect(html).not.toContain("required");
  });

  it("say which of them are not always there", async () => {
    expect(await shown({ one: {}, other: {} }, answer, ["one"])).toContain("optional");
  });
});

it("shows text from the document as text", async () => {
  const value = { name: "<b>", schema: { description: "a `<i>` b" }, isRequired: false };
  const html = `${await Values({ values: [value], place: input })}`;
  expect(html).toContain("&lt;b&gt;");
  expect(html).toContain("<code>&lt;i&gt;</code>");
});
