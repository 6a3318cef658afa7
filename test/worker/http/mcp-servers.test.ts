import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { MAX_MCP_SERVERS, mcpServerRecord } from "../../../src/contract/mcp.ts";
import { AGENT, env, expectProblem, newAccount, send } from "../../support/worker/client.ts";

const SERVERS = "/api/v1/mcp-servers";
const SECRET = "Bearer the-token-of-the-crm-7Qx9";

let account: Awaited<ReturnType<typeof newAccount>>;
beforeAll(async () => {
  account = await newAccount();
});

function post(body: Record<string, unknown>, token = account.apiKey) {
  const server = { name: "crm", url: "https://crm.example/mcp", ...body };
  return send(SERVERS, { method: "POST", token, body: server });
}

async function register(body: Record<string, unknown>, token?: string) {
  const response = await post(body, token);
  expect(response.status).toBe(201);
  return mcpServerRecord.parse(await response.json());
}

async function list(token: string, query = "") {
  const response = await send(SERVERS + query, { token });
  expect(response.status).toBe(200);
  return z
    .strictObject({ mcpServers: z.array(mcpServerRecord), nextCursor: z.string().nullable() })
    .parse(await response.json());
}

const remove = (serverId: string, token: string) =>
  send(`${SERVERS}/${serverId}`, { method: "DELETE", token });

describe("registering an MCP server", () => {
  it("answers with the server, and of its headers only the ends", async () => {
    const made = await register({ headers: { Authorization: SECRET, "X-Team": "blue" } });
    expect(made).toMatchObject({
      serverId: expect.stringMatching(/^mcp_[0-9A-Za-z]{16}$/),
      name: "crm",
      url: "https://crm.example/mcp",
      headers: [
        { name: "Authorization", set: true, last4: "7Qx9" },
        { name: "X-Team", set: true, last4: "" },
      ],
    });
    expect((await list(account.apiKey)).mcpServers).toEqual([made]);
  });

  it("keeps header values nowhere in the clear", async () => {
    await runInDurableObject(env.ACCOUNT.getByName(account.accountId), async (_, { storage }) => {
      const rows = storage.sql.exec("SELECT * FROM mcp_servers").toArray();
      expect(rows).toMatchObject([{ name: "crm", sealed_headers: expect.stringMatching(/^v1\./) }]);
      const all = JSON.stringify([rows, [...(await storage.list())]]);
      expect(all).not.toContain("the-token-of-the-crm");
      expect(all).not.toContain("blue");
    });
  });

  it("survives that the account's object leaves the memory", async () => {
    const before = await list(account.apiKey);
    await evictDurableObject(env.ACCOUNT.getByName(account.accountId));
    expect(await list(account.apiKey)).toEqual(before);
  });

  it("refuses a name that is taken, and leaves the first one as it is", async () => {
    await expectProblem(await post({ url: "https://other.example/mcp" }), 409, "conflict");
    expect((await list(account.apiKey)).mcpServers).toMatchObject([
      { url: "https://crm.example/mcp" },
    ]);
    await register({}, (await newAccount()).apiKey);
  });

  it.each([
    ["http://crm.example/mcp", "https"],
    ["https://10.0.0.1/mcp", "private"],
    ["https://169.254.169.254/mcp", "private"],
    ["https://metadata.google.internal/mcp", "private network"],
    ["https://user:pass@crm.example/mcp", "password"],
    ["https://prompthook.example/mcp", "service itself"],
    ["wss://crm.example/mcp", "https"],
    ["crm", "absolute"],
  ])("refuses the address %s", async (url, reason) => {
    const problem = await expectProblem(await post({ name: "x", url }), 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("url");
    expect(problem.detail).toContain(reason);
  });

  it.each([
    [{ Host: "other.example" }],
    [{ "X-Forwarded-For": "127.0.0.1" }],
    [{ "X-Evil": "a\r\nX-Other: b" }],
    [{ "not a name": "x" }],
    [{ "Mcp-Session-Id": "x" }],
    [{ "content-type": "text/plain" }],
    [{ "X-Twice": "a", "x-twice": "b" }],
    [Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`X-${n}`, "v"]))],
    [{ "X-Long": "v".repeat(4_097) }],
  ])("refuses the headers %j", async (headers) => {
    const problem = await expectProblem(await post({ name: "x", headers }), 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toMatch(/^headers/);
  });

  it.each(["Crm", "a b", "a__b", "-a", "a".repeat(33), ""])("refuses the name %j", async (name) => {
    const problem = await expectProblem(await post({ name }), 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("name");
  });

  it("ends at so many servers", async () => {
    const { apiKey } = await newAccount();
    for (let n = 0; n < MAX_MCP_SERVERS; n += 1) await register({ name: `s${n}` }, apiKey);
    const problem = await expectProblem(await post({ name: "more" }, apiKey), 409, "conflict");
    expect(problem.detail).toContain(String(MAX_MCP_SERVERS));
  });
});

describe("removing an MCP server", () => {
  it("is done once, and frees the name", async () => {
    const { apiKey } = await newAccount();
    const { serverId } = await register({}, apiKey);
    expect((await remove(serverId, apiKey)).status).toBe(204);
    await expectProblem(await remove(serverId, apiKey), 404, "not_found");
    await expectProblem(await remove("mcp_x", apiKey), 404, "not_found");
    await register({}, apiKey);
  });
});

describe("a trigger that names MCP servers", () => {
  const trigger = (apiKey: string, body: Record<string, unknown>) =>
    send(`${AGENT}/trigger`, {
      method: "POST",
      token: apiKey,
      body: { prompt: "Do it.", ...body },
    });

  it.each([
    [{ tools: ["mcp__nobody"] }, "tools"],
    [{ tools: ["browse", "mcp__nobody__look_up"] }, "tools"],
    [{ approvals: ["mcp__nobody"] }, "approvals"],
  ])("refuses %j, and holds nothing", async (body, field) => {
    const { apiKey } = await newAccount({ credits: 5 });
    const problem = await expectProblem(await trigger(apiKey, body), 400, "invalid_request");
    expect(problem.errors?.[0]).toMatchObject({ path: field, rule: "mcp_server" });
    expect(problem.detail).toContain("nobody");
    const credits = await send(`${AGENT}/credits`, { token: apiKey });
    expect(await credits.json()).toMatchObject({ availableCredits: 5, reservedCredits: 0 });
  });

  it("takes the account's own, not another's", async () => {
    const owner = await newAccount();
    await register({}, owner.apiKey);
    const body = {
      tools: ["mcp__crm__look_up"],
      approvals: ["mcp__crm"],
      model: "openai/finishes",
    };
    expect((await trigger(owner.apiKey, body)).status).toBe(202);
    const { apiKey } = await newAccount();
    await expectProblem(await trigger(apiKey, body), 400, "invalid_request");
  });
});
