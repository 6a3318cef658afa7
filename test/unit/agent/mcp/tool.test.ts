import { describe, expect, it, vi } from "vitest";
import type { ServerLookup } from "../../../../src/agent/mcp/discover.ts";
import { createRemoteTool } from "../../../../src/agent/mcp/tool.ts";
import type { RemoteTool } from "../../../../src/agent/ports/mcp.ts";
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
  it("was surely not called, and costs nothing", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const result = await call(() => Promise.reject(new Error("the account is away")));
    expect(result).toMatchObject({ price: 0, answer: { error: { code: "server_unavailable" } } });
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it("costs nothing when its headers cannot be read, or when it was removed", async () => {
    const message = "Its headers can no longer be decrypted.";
    expect(await call(async () => ({ kind: "unavailable", message }))).toMatchObject({ price: 0 });
    expect(await call(async () => ({ kind: "removed" }))).toMatchObject({ price: 0 });
  });
});
