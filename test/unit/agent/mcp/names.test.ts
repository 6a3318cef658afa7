import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameTools } from "../../../../src/agent/mcp/tool-list.ts";
import { covers, mcpServerOf, toolReference } from "../../../../src/contract/tools/names.ts";

describe("the names of a server's tools", () => {
  it("are the server's own where models take them", () => {
    expect(nameTools("crm", ["look_up", "Add-Note"])).toEqual([
      "mcp__crm__look_up",
      "mcp__crm__Add-Note",
    ]);
  });

  it("have other characters replaced", () => {
    expect(nameTools("crm", ["files.list/all", "größe", "", "  "])).toEqual([
      "mcp__crm__files_list_all",
      "mcp__crm__gr__e",
      "mcp__crm__tool",
      "mcp__crm____",
    ]);
  });

  it("are numbered where they would be the same, and never take the name of another tool", () => {
    expect(nameTools("crm", ["a.b", "a/b", "a_b", "a_b_2"])).toEqual([
      "mcp__crm__a_b_3",
      "mcp__crm__a_b_4",
      "mcp__crm__a_b",
      "mcp__crm__a_b_2",
    ]);
    expect(nameTools("crm", ["same", "same"])).toEqual(["mcp__crm__same", "mcp__crm__same_2"]);
  });

  it("stay short, of one server, different and nameable, whatever the server calls its tools", () => {
    const server = fc.constantFrom("a", "crm", "a-b_c", "x".repeat(32));
    const names = fc.array(
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a", "a.", "a_")),
    );
    fc.assert(
      fc.property(server, names, (of, remote) => {
        const given = nameTools(of, remote);
        expect(new Set(given).size).toBe(remote.length);
        for (const name of given) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(mcpServerOf(name)).toBe(of);
          expect(toolReference.parse(name)).toBe(name);
          expect(covers([`mcp__${of}`], name)).toBe(true);
          expect(covers([`mcp__${of}x`, "mcp__other"], name)).toBe(false);
        }
      }),
    );
  });
});
