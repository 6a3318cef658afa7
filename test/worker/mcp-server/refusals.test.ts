import { describe, expect, it } from "vitest";
import { expectProblem, newAccount, newKey, send, trigger } from "../../support/worker/client.ts";
import { issuedKey } from "../../support/worker/ids.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";

const ACCEPT = { Accept: "application/json, text/event-stream" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const CHALLENGE = 'Bearer realm="prompthook"';

const account = await newAccount();

/** A message as it is, from whoever has this key. */
const post = (body: unknown = LIST, headers: Record<string, string> = {}, token = account.apiKey) =>
  send("/mcp", { method: "POST", token, body, headers: { ...ACCEPT, ...headers } });

describe("a caller without a key for it", () => {
  it("gets a 401 that asks for one", async () => {
    const response = await send("/mcp", { method: "POST", body: LIST, headers: ACCEPT });
    await expectProblem(response, 401, "unauthorized");
    expect(response.headers.get("WWW-Authenticate")).toBe(CHALLENGE);
  });

  it("is refused before the message is read, immediately after its key is revoked", async () => {
    for (const token of ["x", await issuedKey(account.accountId)]) {
      const response = await post("no JSON", {}, token);
      await expectProblem(response, 401, "unauthorized");
      expect(response.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
    }
    const { apiKey, keyId } = await newKey(account.apiKey, { name: "short-lived" });
    expect((await post(LIST, {}, apiKey)).status).toBe(200);
    await account.remove(`/api/v1/keys/${keyId}`);
    await expectProblem(await post(LIST, {}, apiKey), 401, "unauthorized");
  });
});

it("a refusal at the address of a token names one request in its header and its body", async () => {
  const response = await send("/mcp/k/none", { method: "POST", body: LIST, headers: ACCEPT });
  await expectProblem(response, 401, "unauthorized");
});

describe("a request without a message", () => {
  it.each(["GET", "DELETE"])("gets a 405 by %s", async (method) => {
    const response = await send("/mcp", { method, token: account.apiKey, headers: ACCEPT });
    await expectProblem(response, 405, "method_not_allowed");
    expect(response.headers.get("Allow")).toBe("POST");
  });

  it("is refused with a problem, or a protocol error if it is JSON", async () => {
    await expectProblem(await post("{"), 400, "malformed_json");
    await expectProblem(await post('{"id":1,"id":2}'), 400, "malformed_json");
    const text = await post("x", { "Content-Type": "text/plain" });
    await expectProblem(text, 415, "unsupported_media_type");
    const response = await post({ hello: "world" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_600 } });
  });
});

it("a page of another origin is refused, and one of the service is admitted", async () => {
  const response = await post(LIST, { Origin: "https://prompthook.example.evil.example" });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: { message: /Origin/ }, id: null });
  expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect((await post(LIST, { Origin: "https://prompthook.example" })).status).toBe(200);
});

it("no stream is opened for unsupported notifications", async () => {
  const { client } = await connectMcp(account.apiKey);
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
});

describe("a tool", () => {
  it.each([
    ["trigger_agent", {}, "prompt", "`prompt` is required."],
    ["trigger_agent", { prompt: "x", waitSeconds: 26 }, "waitSeconds", "must be at most 25"],
    ["trigger_agent", { prompt: "x", callback: "y" }, "callback", "Allowed: prompt"],
    ["get_status", { executionId: "../../keys" }, "executionId", "`executionId` must be a UUID."],
    ["list_executions", { status: ["done"] }, "status[0]", "`status[0]` must be one of active"],
  ])(
    "refuses the arguments of %s %j as the API refuses a body",
    async (name, input, path, words) => {
      const mcp = await connectMcp(account.apiKey);
      expect(await mcp.refused(name, input)).toMatchObject({
        code: "invalid_request",
        status: 400,
        detail: expect.stringContaining(words),
        errors: [{ path }],
      });
    },
  );

  it("reports an API error with its code and path", async () => {
    const mcp = await connectMcp((await newAccount({ credits: 0 })).apiKey);
    const prompt = "Do it.";
    expect(await mcp.refused("trigger_agent", { prompt, tools: ["shell"] })).toMatchObject({
      code: "invalid_request",
      status: 400,
      detail: expect.stringContaining("tools"),
      errors: [{ path: expect.stringContaining("tools") }],
    });
    const poor = { code: "insufficient_credits", status: 402 };
    expect(await mcp.refused("trigger_agent", { prompt })).toMatchObject(poor);
  });

  it("is limited to the scopes of the key", async () => {
    const { apiKey } = await newKey(account.apiKey, { name: "r", scopes: ["executions:read"] });
    const mcp = await connectMcp(apiKey);
    const executionId = await trigger(account.apiKey);
    for (const [name, input] of [
      ["trigger_agent", { prompt: "Do it." }],
      ["send_message", { executionId, message: "Hello." }],
      ["stop_agent", { executionId }],
      ["list_workflows", {}],
    ] as const) {
      expect(await mcp.refused(name, input)).toMatchObject({ code: "insufficient_scope" });
    }
    expect(await mcp.ask("get_status", { executionId })).toMatchObject({ status: "active" });
  });
});

describe("the agent limit", () => {
  it("counts tool calls, and not protocol messages", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 2 });
    const mcp = await connectMcp(apiKey);
    await mcp.client.listTools();
    const { executionId } = await mcp.ask("trigger_agent", { prompt: "Hang." });
    await mcp.ask("get_status", { executionId });
    const refused = await mcp.refused("get_status", { executionId });
    expect(refused).toMatchObject({ code: "rate_limited", status: 429 });
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    await mcp.client.listTools();
  });

  it("does not hide an agent that was started before it was reached", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    const mcp = await connectMcp(apiKey);
    const next = expect.stringContaining("get_status");
    const started = await mcp.ask("trigger_agent", { prompt: "Hang.", waitSeconds: 5 });
    expect(started).toMatchObject({ status: "active", next });
  });
});
