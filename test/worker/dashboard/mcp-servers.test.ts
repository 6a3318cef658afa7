import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type McpServerRecord, mcpServerRecord } from "../../../src/contract/mcp.ts";
import { newAccount, newKey, send } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";

const SERVERS = "/dashboard/mcp-servers";
const FORM = { name: "crm", url: "https://crm.example/mcp", headers: "", headerValue: "" };
const HEADER = { headers: "Authorization", headerValue: "Bearer a-token-of-ours-3xYz" };

async function newRoom() {
  const { apiKey } = await newAccount();
  const session = await signedIn(apiKey);
  const list = async (): Promise<McpServerRecord[]> => {
    const response = await send("/api/v1/mcp-servers", { token: apiKey });
    return z.object({ mcpServers: z.array(mcpServerRecord) }).parse(await response.json())
      .mcpServers;
  };
  const read = async (path = SERVERS) => {
    const response = await session.get(path);
    expect(response.status).toBe(200);
    return response.text();
  };
  return { apiKey, session, list, read };
}

describe("MCP servers", () => {
  it("are asked for where there are none", async () => {
    const { read } = await newRoom();
    expect(await read()).toContain("No MCP servers yet");
  });

  it("are added with a header whose value is not shown again", async () => {
    const { session, list, read } = await newRoom();
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

  it("are added without a header as well", async () => {
    const { session, list } = await newRoom();
    expect((await session.post(SERVERS, FORM)).status).toBe(303);
    expect(await list()).toMatchObject([{ headers: [] }]);
  });

  it.each([
    [{ ...HEADER, name: "Not a name!" }, "name"],
    [{ ...HEADER, url: "https://169.254.169.254/mcp" }, "url"],
    [{ ...HEADER, url: "nowhere" }, "url"],
    [{ headers: "Authorization" }, "headerValue"],
    [{ headerValue: "a-token" }, "headers"],
    [{ ...HEADER, headers: "Mcp-Session-Id" }, "headers"],
    [{ ...HEADER, headers: "a b" }, "headers"],
  ])("are refused with %j, which is said at its field and kept", async (typed, field) => {
    const { session, list } = await newRoom();
    const answer = await session.post(SERVERS, { ...FORM, ...typed });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(`id="${field}-error"`);
    expect(page).not.toContain("a-token");
    expect(await list()).toEqual([]);
  });

  it("have names of their own", async () => {
    const { session, list } = await newRoom();
    await session.post(SERVERS, FORM);
    const answer = await session.post(SERVERS, FORM);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("already has an MCP server named crm.");
    expect(await list()).toHaveLength(1);
  });

  it("are removed after a question that names them", async () => {
    const { session, list, read } = await newRoom();
    await session.post(SERVERS, FORM);
    const path = `${SERVERS}/${(await list())[0]?.serverId}/remove`;
    expect(await read(path)).toContain("Remove crm?");
    expect(await list()).toHaveLength(1);
    expect((await session.post(path)).headers.get("Location")).toBe(SERVERS);
    expect(await list()).toEqual([]);
  });

  it("of another account are not there", async () => {
    const { session, list } = await newRoom();
    await session.post(SERVERS, FORM);
    const path = `${SERVERS}/${(await list())[0]?.serverId}/remove`;
    const other = await newRoom();
    expect((await other.session.get(path)).status).toBe(404);
    expect((await other.session.post(path)).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it("are not for keys that may not manage credentials", async () => {
    const { apiKey } = await newRoom();
    const reader = await newKey(apiKey, { name: "r", scopes: ["executions:read"] });
    const session = await signedIn(reader.apiKey);
    expect((await session.get(SERVERS)).status).toBe(403);
    expect((await session.post(SERVERS, FORM)).status).toBe(403);
  });
});

describe("connections", () => {
  const CONNECTIONS = "/dashboard/connections";
  const CRM = { name: "crm", hosts: "api.crm.example\n*.crm.example", pathPrefix: "/v2" };
  const CREDENTIAL = { header: "Authorization", value: "Bearer a-token-of-ours-3xYz" };

  it("are created, listed without their value, and deleted after a question", async () => {
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

  it("are refused with the fault at its field and without the value", async () => {
    const { session } = await newRoom();
    const answer = await session.post(CONNECTIONS, { ...CRM, ...CREDENTIAL, hosts: "a/b" });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('id="hosts-error"');
    expect(page).not.toContain("a-token-of-ours");
  });
});
