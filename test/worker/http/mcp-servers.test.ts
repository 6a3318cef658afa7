import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { MAX_MCP_SERVERS, mcpServerRecord } from "../../../src/contract/mcp.ts";
import {
  AGENT,
  allPages,
  callsOf,
  env,
  expectProblem,
  newAccount,
} from "../../support/worker/client.ts";

const SERVERS = "/api/v1/mcp-servers";
const SECRET = "Bearer the-token-of-the-crm-7Qx9";

const account = await newAccount();

const post = (body: object, token = account.apiKey) =>
  callsOf(token).post(SERVERS, { name: "crm", url: "https://crm.example/mcp", ...body });

async function register(body: object, token?: string) {
  const response = await post(body, token);
  expect(response.status).toBe(201);
  return mcpServerRecord.parse(await response.json());
}

const list = (token = account.apiKey) =>
  allPages(token, `${SERVERS}?limit=100`, "mcpServers", mcpServerRecord);

describe("registering an MCP server", () => {
  it("returns the server with only the ends of its headers, and stores no value in plain text", async () => {
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
    const object = env.ACCOUNT.getByName(account.accountId);
    await runInDurableObject(object, async (_, { storage }) => {
      const rows = storage.sql.exec("SELECT * FROM mcp_servers").toArray();
      expect(rows).toMatchObject([{ name: "crm", sealed_headers: expect.stringMatching(/^v1\./) }]);
      const all = JSON.stringify([rows, [...(await storage.list())]]);
      expect(all).not.toContain("the-token-of-the-crm");
      expect(all).not.toContain("blue");
    });
    await evictDurableObject(object);
    expect(await list()).toEqual([made]);
  });

  it("refuses a taken name, and keeps the first server unchanged", async () => {
    const [before] = await list();
    await expectProblem(await post({ url: "https://other.example/mcp" }), 409, "conflict");
    expect(await list()).toEqual([before]);
    await register({}, (await newAccount()).apiKey);
  });

  it.each([
    [{ url: "http://crm.example/mcp" }, "url", "https"],
    [{ url: "https://10.0.0.1/mcp" }, "url", "private"],
    [{ url: "https://prompthook.example/mcp" }, "url", "service itself"],
    [{ headers: { Host: "other.example" } }, "headers", ""],
    [{ headers: { "X-Evil": "a\r\nX-Other: b" } }, "headers", ""],
    [{ headers: { "Mcp-Session-Id": "x" } }, "headers.Mcp-Session-Id", ""],
    [{ headers: { "X-Twice": "a", "x-twice": "b" } }, "headers", ""],
  ])("refuses %j", async (body, path, reason) => {
    const response = await post({ name: "x", ...body });
    const { errors, detail } = await expectProblem(response, 400, "invalid_request");
    expect(errors?.map((error) => error.path)).toEqual([path]);
    expect(detail).toContain(reason);
  });

  it("is limited in number", async () => {
    const { apiKey } = await newAccount();
    for (let n = 0; n < MAX_MCP_SERVERS; n += 1) await register({ name: `s${n}` }, apiKey);
    const problem = await expectProblem(await post({ name: "more" }, apiKey), 409, "conflict");
    expect(problem.detail).toContain(String(MAX_MCP_SERVERS));
  });
});

it("an MCP server is removed once, and its name is free", async () => {
  const { apiKey, remove } = await newAccount();
  const { serverId } = await register({}, apiKey);
  expect((await remove(`${SERVERS}/${serverId}`)).status).toBe(204);
  await expectProblem(await remove(`${SERVERS}/${serverId}`), 404, "not_found");
  await register({}, apiKey);
});

it("a trigger may name only MCP servers of its account, and a refusal holds no credits", async () => {
  const { apiKey, get, post: send } = await newAccount({ credits: 5 });
  const trigger = (body: object) => send(`${AGENT}/trigger`, { prompt: "Do it.", ...body });
  for (const [body, path] of [
    [{ tools: ["mcp__crm"] }, "tools"],
    [{ tools: ["browse", "mcp__crm__look_up"] }, "tools"],
    [{ approvals: ["mcp__crm"] }, "approvals"],
  ] as const) {
    const problem = await expectProblem(await trigger(body), 400, "invalid_request");
    expect(problem.errors?.[0]).toMatchObject({ path, rule: "mcp_server" });
    expect(problem.detail).toContain("crm");
  }
  const credits = await (await get(`${AGENT}/credits`)).json();
  expect(credits).toMatchObject({ availableCredits: 5, reservedCredits: 0 });
  await register({}, apiKey);
  const own = { tools: ["mcp__crm__look_up"], approvals: ["mcp__crm"], model: "openai/finishes" };
  expect((await trigger(own)).status).toBe(202);
});
