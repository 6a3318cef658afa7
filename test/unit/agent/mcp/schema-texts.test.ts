import { expect, it } from "vitest";
import { sanitizeSchema } from "../../../../src/agent/mcp/tool-list.ts";

it("shortens descriptions and titles at every depth, and takes invisible characters out", () => {
  const hidden = "A name\u200b\u{e0041}";
  const schema = {
    type: "object",
    title: hidden,
    properties: { name: { type: "string", description: `${hidden} ${"x".repeat(1_000)}` } },
    anyOf: [{ description: hidden }],
  };
  const plain = sanitizeSchema(schema);
  expect(plain).toMatchObject({ title: "A name", anyOf: [{ description: "A name" }] });
  expect(JSON.stringify(plain).length).toBeLessThan(500);
});

it("leaves what is compared with the input, and properties of these names, as they are", () => {
  const schema = {
    properties: { description: { const: { description: "\u200b" } }, title: { enum: ["a\u200b"] } },
    required: ["description"],
  };
  expect(sanitizeSchema(schema)).toEqual(schema);
});
