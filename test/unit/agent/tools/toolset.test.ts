import { describe, expect, it } from "vitest";
import { toSdkTools } from "../../../../src/agent/models/sdk/model.ts";
import { createToolset } from "../../../../src/agent/tools/toolset.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";
import { TOOL_NAMES } from "../../../../src/contract/tools/names.ts";
import { partsOfRequest } from "../../../eval/sizes.ts";
import { plainProblem } from "../../../support/model-server/tool-rules.ts";
import { NOTHING_FOUND, ownTools } from "../../../support/own-tools.ts";

const descriptionsOf = (outputSchema: JsonObject | null) =>
  createToolset({
    tools: TOOL_NAMES,
    interactive: true,
    own: ownTools({ search: NOTHING_FOUND }),
    remote: [],
    outputSchema,
  }).descriptions;

/** All keywords of a schema and of those inside it. */
function keywordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === "properties"
      ? [keyword, ...Object.values(value ?? {}).flatMap(keywordsOf)]
      : [keyword, ...(keyword === "enum" ? [] : keywordsOf(value))],
  );
}

it.each(descriptionsOf(null))(
  "the tool $name has a description that all providers accept",
  (tool) => {
    // https://platform.openai.com/docs/api-reference/chat/create: names of 64 characters, descriptions of 1,024.
    expect(tool.name).toMatch(/^[\w-]{1,64}$/);
    expect(tool.description.length).toBeLessThanOrEqual(1_024);
    expect(tool.inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    expect(tool.inputSchema).not.toHaveProperty("anyOf");
    const known = "type description properties required additionalProperties items enum anyOf";
    expect(known.split(" ")).toEqual(expect.arrayContaining(keywordsOf(tool.inputSchema)));
    for (const parameter of Object.values(tool.inputSchema.properties ?? {})) {
      expect(parameter).toHaveProperty("description");
    }
    // The schema of `tools` on the model pages of developers.cloudflare.com/workers-ai: one type each.
    const [shown] = toSdkTools([tool], true);
    expect(plainProblem(shown?.inputSchema)).toBeNull();
  },
);

// One token for each 4 characters of JSON: every step sends them all.
it("describes all tools in fewer than 4,000 tokens, and each in at most 750", () => {
  const parts = partsOfRequest();
  const tools = parts.filter(({ part }) => part !== "instructions");
  expect(tools.filter(({ tokens }) => tokens > 750)).toEqual([]);
  expect(tools.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(4_000);
  expect(parts).toHaveLength(TOOL_NAMES.length + 1);
});

it("merges the alternatives inside a tool's input into one object", () => {
  const tool = descriptionsOf(null).find(({ name }) => name === "process_data");
  expect(tool?.inputSchema.properties).toMatchObject({
    extract: { type: "object", required: ["kind"], additionalProperties: false },
    operations: {
      items: {
        required: ["op"],
        properties: { by: { anyOf: [{ type: "string" }, { type: "array" }] } },
      },
    },
  });
});

describe("finish", () => {
  const outputSchema = {
    type: "object",
    properties: { price: { type: "number", minimum: 0 }, note: { type: "string" } },
    required: ["price"],
  };

  it("takes the output schema as its parameter data, with an own type for Workers AI", () => {
    const finish = descriptionsOf(outputSchema).filter(({ name }) => name === "finish");
    const price = { properties: { price: { type: "number" } }, required: ["price"] };
    expect(finish[0]?.inputSchema).toMatchObject({
      properties: { data: { anyOf: [{ type: "object", ...price }, { type: "null" }] } },
      required: ["status", "summary", "data"],
    });
    expect(toSdkTools(finish, true)[0]?.inputSchema).toMatchObject({
      properties: { data: { type: "object", description: expect.any(String), ...price } },
    });
  });
});
