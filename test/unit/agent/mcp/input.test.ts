import { describe, expect, it } from "vitest";
import { inputError } from "../../../../src/agent/mcp/tool.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";

const schema: JsonObject = {
  type: "object",
  properties: { id: { type: "string", pattern: "^c[0-9]+$" }, of: { $ref: "#/definitions/of" } },
  required: ["id"],
  additionalProperties: false,
  definitions: { of: { type: "integer" } },
};

describe("the input of a remote tool", () => {
  it.each([
    [{ id: "c1", of: 2 }, null],
    [{}, "id"],
    [{ id: "x" }, "id"],
    [{ id: "c1", of: "2" }, "of"],
    [{ id: "c1", more: 1 }, "more"],
    ["c1", "object"],
    [[], "object"],
    [null, "object"],
  ])("%j is checked", (input, fault) => {
    if (fault === null) expect(inputError(schema, input)).toBeNull();
    else expect(inputError(schema, input)).toContain(fault);
  });

  it("is checked by schemas of other dialects as well", () => {
    const older = { ...schema, $schema: "http://json-schema.org/draft-07/schema#", $id: "x" };
    expect(inputError(older, {})).toContain("id");
  });

  it.each<[string, JsonObject]>([
    ["has a pattern that looks ahead", { properties: { id: { pattern: "^(?=b)" } } }],
    ["refers to itself without end", { $ref: "#" }],
    ["refers to somewhere else", { $ref: "https://elsewhere.example/schema.json" }],
    ["is none", { type: "objekt" }],
  ])("is left to the server where the schema %s", (_, dangerous) => {
    const started = performance.now();
    expect(inputError(dangerous, { id: `${"a".repeat(40)}!` })).toBeNull();
    expect(inputError(dangerous, "no object")).not.toBeNull();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
