import { expect, it } from "vitest";
import * as z from "zod";
import { createToolset, inputSchemaOf } from "../../../../src/agent/tools/registry.ts";
import { TOOL_NAMES } from "../../../../src/contract/tools/names.ts";

it("shows a model every tool's input as an object, which is all that their APIs take", () => {
  const options = {
    tools: TOOL_NAMES,
    interactive: true,
    capabilities: { browser: true, search: true },
    remote: [],
  };
  const { descriptions } = createToolset(options);
  expect(descriptions.map(({ name }) => name)).toContain("write_spreadsheet");
  for (const { inputSchema } of descriptions) {
    expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    for (const keyword of ["oneOf", "anyOf", "allOf", "enum", "not"]) {
      expect(inputSchema).not.toHaveProperty(keyword);
    }
  }
});

it("puts several kinds of input into one object", () => {
  const input = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a"), size: z.number(), name: z.string() }),
    z.object({ kind: z.literal("b"), size: z.string(), name: z.string() }),
  ]);
  expect(inputSchemaOf(input)).toEqual({
    type: "object",
    properties: {
      kind: { enum: ["a", "b"] },
      size: { anyOf: [{ type: "number" }, { type: "string" }] },
      name: { type: "string" },
    },
    required: ["kind", "size", "name"],
  });
});
