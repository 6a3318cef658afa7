import { describe, expect, it, vi } from "vitest";
import { createRemoteTool, inputViolations } from "../../../../src/agent/mcp/tool.ts";
import type { Json, JsonObject } from "../../../../src/contract/json.ts";
import type { RemoteTool, ServerLookup } from "../../../../src/ports/mcp.ts";
import { toolContext } from "../tools/support.ts";

const NOTE: RemoteTool = {
  name: "mcp__crm__note",
  remoteName: "note",
  serverId: "mcp_1",
  server: "crm",
  description: "Notes.",
  inputSchema: { type: "object" },
  readOnly: false,
};

function call(directory: () => Promise<ServerLookup>) {
  const client = () => Promise.reject(new Error("nothing is to be sent"));
  return createRemoteTool(NOTE, { directory, client }).run({}, toolContext({}));
}

describe("a remote tool whose server cannot be looked up", () => {
  it("is certain not to have been called, and costs nothing", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const result = await call(() => Promise.reject(new Error("the account is away")));
    expect(result).toMatchObject({ price: 0, answer: { error: { code: "server_unavailable" } } });
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it("costs nothing when its headers are unreadable or it was removed", async () => {
    const message = "Its headers can no longer be decrypted.";
    expect(await call(async () => ({ kind: "unavailable", message }))).toMatchObject({ price: 0 });
    expect(await call(async () => ({ kind: "removed" }))).toMatchObject({ price: 0 });
  });
});

const schema: JsonObject = {
  type: "object",
  properties: { id: { type: "string", pattern: "^c[0-9]+$" }, of: { $ref: "#/definitions/of" } },
  required: ["id"],
  additionalProperties: false,
  definitions: { of: { type: "integer" } },
};

it("shows models the schema of a remote tool in keywords that every provider knows", () => {
  const dependencies = { directory: () => Promise.reject(), client: () => Promise.reject() };
  const tool = createRemoteTool({ ...NOTE, inputSchema: schema }, dependencies);
  expect(tool.description.inputSchema).toEqual({
    type: "object",
    properties: {
      id: { type: "string" },
      of: { type: "integer" },
    },
    required: ["id"],
    additionalProperties: false,
  });
});

const faultOf = (rules: JsonObject, input: Json): string | null => {
  const violations = inputViolations(rules, input);
  return violations.length === 0 ? null : JSON.stringify(violations);
};

describe("the input of a remote tool", () => {
  it("is accepted if it matches the schema", () => {
    expect(faultOf(schema, { id: "c1", of: 2 })).toBeNull();
  });

  it.each([
    [{}, "id"],
    [{ id: "x" }, "id"],
    [{ id: "c1", of: "2" }, "of"],
    [{ id: "c1", more: 1 }, "more"],
    ["c1", "object"],
    [null, "object"],
  ])("%j is refused", (input, fault) => {
    expect(faultOf(schema, input)).toContain(fault);
  });

  it("is checked by schemas of other dialects", () => {
    const older = { ...schema, $schema: "http://json-schema.org/draft-07/schema#", $id: "x" };
    expect(faultOf(older, {})).toContain("id");
  });

  it.each<[string, JsonObject]>([
    ["has a pattern that looks ahead", { properties: { id: { pattern: "^(?=b)" } } }],
    ["refers to itself without end", { $ref: "#" }],
    ["refers to somewhere else", { $ref: "https://elsewhere.example/schema.json" }],
    ["is none", { type: "objekt" }],
  ])("is left to the server if the schema %s", (_, dangerous) => {
    expect(faultOf(dangerous, { id: `${"a".repeat(40)}!` })).toBeNull();
    expect(faultOf(dangerous, "no object")).not.toBeNull();
  });
});
