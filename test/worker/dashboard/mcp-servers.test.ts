import { describe, expect, it } from "vitest";
import { mcpServerRecord } from "../../../src/contract/mcp.ts";
import { allPages } from "../../support/worker/client.ts";
import { newBrowser } from "../../support/worker/dashboard.ts";

const SERVERS = "/dashboard/mcp-servers";
const FORM = { name: "crm", url: "https://crm.example/mcp", headers: "", headerValue: "" };
const HEADER = { headers: "Authorization", headerValue: "Bearer a-token-of-ours-3xYz" };

async function newRoom() {
  const { apiKey, me: session } = await newBrowser();
  const list = () =>
    allPages(apiKey, "/api/v1/mcp-servers?limit=100", "mcpServers", mcpServerRecord);
  const read = (path = SERVERS) => session.read(path);
  return { session, list, read };
}

describe("MCP servers", () => {
  it("are added with a header whose value is never shown again", async () => {
    const { session, list, read } = await newRoom();
    expect(await read()).toContain("No MCP servers yet");
    const answer = await session.post(SERVERS, { ...FORM, ...HEADER });
    expect(answer.headers.get("Location")).toBe(`${SERVERS}?done=created`);
    expect(await read(`${SERVERS}?done=created`)).toContain(
      "Server added. Each execution looks up its tools",
    );
    expect(await list()).toMatchObject([
      { name: "crm", url: FORM.url, headers: [{ name: "Authorization", last4: "3xYz" }] },
    ]);
    const page = await read();
    expect(page).toContain("mcp__crm");
    expect(page).toContain("…3xYz");
    expect(page).not.toContain("a-token-of-ours");
  });

  it("show an error at its field, keep the input, and have unique names", async () => {
    const { session, list } = await newRoom();
    for (const [typed, field] of [
      [{ ...HEADER, name: "Not a name!" }, "name"],
      [{ headers: "Authorization" }, "headerValue"],
      [{ headerValue: "a-token" }, "headers"],
    ] as const) {
      const answer = await session.post(SERVERS, { ...FORM, ...typed });
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(page).toContain(`id="${field}-error"`);
      expect(page).not.toContain("a-token");
    }
    expect(await list()).toEqual([]);
    expect((await session.post(SERVERS, FORM)).status).toBe(303);
    const again = await session.post(SERVERS, FORM);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("already has an MCP server named crm.");
    expect(await list()).toMatchObject([{ headers: [] }]);
  });

  it("are removed after a confirmation with their name, only by their account", async () => {
    const { session, list, read } = await newRoom();
    await session.post(SERVERS, FORM);
    const path = `${SERVERS}/${(await list())[0]?.serverId}/remove`;
    expect(await read(path)).toContain("Remove crm?");
    const other = await newRoom();
    expect((await other.session.get(path)).status).toBe(404);
    expect((await other.session.post(path)).status).toBe(404);
    expect(await list()).toHaveLength(1);
    expect((await session.post(path)).headers.get("Location")).toBe(SERVERS);
    expect(await list()).toEqual([]);
  });
});

describe("connections", () => {
  const CONNECTIONS = "/dashboard/connections";
  const CRM = { name: "crm", hosts: "api.crm.example\n*.crm.example", pathPrefix: "/v2" };
  const CREDENTIAL = { header: "Authorization", value: "Bearer a-token-of-ours-3xYz" };

  it("are created, listed without their value, and deleted after a confirmation", async () => {
    const { session, read } = await newRoom();
    expect(await read(CONNECTIONS)).toContain("No connections yet");
    const created = await session.post(CONNECTIONS, { ...CRM, ...CREDENTIAL });
    expect(created.headers.get("Location")).toBe(`${CONNECTIONS}?done=created`);
    const page = await read(`${CONNECTIONS}?done=created`);
    expect(page).toContain("Connection created.");
    expect(page).toContain("<code>*.crm.example/v2</code>");
    expect(page).not.toContain("a-token-of-ours");
    const path = /href="([^"]+\/delete)"/.exec(page)?.[1] ?? "";
    expect(await read(path)).toContain("Delete crm?");
    expect((await (await newRoom()).session.get(path)).status).toBe(404);
    expect((await session.post(path)).headers.get("Location")).toBe(CONNECTIONS);
    expect(await read(CONNECTIONS)).toContain("No connections yet");
  });
});
