import { beforeAll, describe, expect, it } from "vitest";
import { expectProblem, newAccount, newKey, send, trigger } from "../../support/worker/client.ts";
import { issuedKey } from "../../support/worker/ids.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";

const ACCEPT = { Accept: "application/json, text/event-stream" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const CHALLENGE = 'Bearer realm="prompthook"';

let account: Awaited<ReturnType<typeof newAccount>>;

beforeAll(async () => {
  account = await newAccount();
});

/** A message as it is, from whoever has this key. */
const post = (body: unknown = LIST, headers: Record<string, string> = {}, token = account.apiKey) =>
  send("/mcp", { method: "POST", token, body, headers: { ...ACCEPT, ...headers } });

describe("whoever has no key for it", () => {
  it("is asked for one", async () => {
    const response = await send("/mcp", { method: "POST", body: LIST, headers: ACCEPT });
    await expectProblem(response, 401, "unauthorized");
    expect(response.headers.get("WWW-Authenticate")).toBe(CHALLENGE);
  });

  it("is refused, before the message is looked at", async () => {
    const stranger = await issuedKey(account.accountId);
    for (const token of ["x", stranger]) {
      const response = await post("no JSON", {}, token);
      await expectProblem(response, 401, "unauthorized");
      expect(response.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
    }
  });

  it("is refused from the moment that the key is revoked", async () => {
    const { apiKey, keyId } = await newKey(account.apiKey, { name: "short-lived" });
    expect((await post(LIST, {}, apiKey)).status).toBe(200);
    await send(`/api/v1/keys/${keyId}`, { method: "DELETE", token: account.apiKey });
    await expectProblem(await post(LIST, {}, apiKey), 401, "unauthorized");
  });
});

describe("what is no message", () => {
  it.each(["GET", "DELETE", "PUT", "OPTIONS"])(
    "is answered 405 when it comes by %s",
    async (method) => {
      const response = await send("/mcp", { method, token: account.apiKey, headers: ACCEPT });
      await expectProblem(response, 405, "method_not_allowed");
      expect(response.headers.get("Allow")).toBe("POST");
    },
  );

  it("is refused in the service's own words", async () => {
    await expectProblem(await post("{"), 400, "malformed_json");
    await expectProblem(await post('{"id":1,"id":2}'), 400, "malformed_json");
    const text = { "Content-Type": "text/plain" };
    await expectProblem(await post("x", text), 415, "unsupported_media_type");
  });

  it("is refused in the protocol's words when it is JSON", async () => {
    const response = await post({ hello: "world" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_600 } });
  });

  it("is drained no further than 64 MiB", async () => {
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const headers = { ...ACCEPT, "Content-Type": "application/json" };
    const token = account.apiKey;
    const response = await send("/mcp", { method: "POST", token, headers, stream });
    await expectProblem(response, 413, "payload_too_large");
    expect(sent).toBeLessThan(65 * 1_048_576);
  });
});

describe("a page in a browser", () => {
  it.each([
    "https://evil.example",
    "http://prompthook.example",
    "https://prompthook.example:8443",
    "https://prompthook.example.evil.example",
    "null",
  ])("of the origin %j is kept out", async (Origin) => {
    const response = await post(LIST, { Origin });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { message: /Origin/ }, id: null });
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it("of the service's own origin is let in", async () => {
    expect((await post(LIST, { Origin: "https://prompthook.example" })).status).toBe(200);
  });
});

describe("an answer", () => {
  it("is kept by nobody on its way", async () => {
    for (const response of [await post(), await post({ hello: "world" })]) {
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it("comes only by HTTPS", async () => {
    const options = { method: "POST", token: account.apiKey, body: LIST, headers: ACCEPT };
    const response = await send("http://prompthook.example/mcp", options);
    await expectProblem(response, 403, "https_required");
  });

  it("opens no stream for news that never come", async () => {
    const { client } = await connectMcp(account.apiKey);
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });
});

describe("a tool", () => {
  it("says what is wrong with its arguments, as an answer that a model can read", async () => {
    const mcp = await connectMcp(account.apiKey);
    for (const [name, input, words] of [
      ["trigger_agent", {}, "prompt"],
      ["trigger_agent", { prompt: "x", waitSeconds: 26 }, "waitSeconds"],
      ["trigger_agent", { prompt: "x", callback: "y" }, "Allowed: prompt"],
      ["get_status", { executionId: "../../keys" }, "executionId"],
      ["list_executions", { status: ["done"] }, "status"],
    ] as const) {
      const { isError, content } = await mcp.call(name, input);
      expect(isError).toBe(true);
      expect(content[0]?.text).toContain(words);
    }
  });

  it("tells what the API says is wrong, with its code and where", async () => {
    const mcp = await connectMcp(account.apiKey);
    const prompt = "Do it.";
    expect(await mcp.refused("trigger_agent", { prompt, tools: ["shell"] })).toMatchObject({
      code: "invalid_request",
      status: 400,
      detail: expect.stringContaining("tools"),
      errors: [{ path: expect.stringContaining("tools") }],
    });
    const poor = await connectMcp((await newAccount({ credits: 0 })).apiKey);
    expect(await poor.refused("trigger_agent", { prompt })).toMatchObject({
      code: "insufficient_credits",
      status: 402,
    });
  });

  it("does not do what the key may not", async () => {
    const { apiKey } = await newKey(account.apiKey, { name: "r", scopes: ["executions:read"] });
    const mcp = await connectMcp(apiKey);
    const executionId = await trigger(account.apiKey);
    expect(await mcp.ask("get_status", { executionId })).toMatchObject({ executionId });
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
  it("counts what tools do, and not what is said around it", async () => {
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

  it("hides no agent that was started before it was reached", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 1 });
    const mcp = await connectMcp(apiKey);
    const started = await mcp.ask("trigger_agent", { prompt: "Hang.", waitSeconds: 5 });
    expect(started).toMatchObject({
      status: "active",
      next: expect.stringContaining("get_status"),
    });
  });

  it("counts a wait by the log as one, however much happens", async () => {
    const { apiKey } = await newAccount({ requestsPerMinute: 4 });
    const mcp = await connectMcp(apiKey);
    const emit = { tool: "emit_output", input: { label: "N", type: "text", value: "x" } };
    const steps = [{ calls: [emit] }, { calls: [emit] }, { finish: { summary: "Done." } }];
    const prompt = JSON.stringify(steps);
    const input = { prompt, model: "openai/scripted", waitSeconds: 25 };
    expect(await mcp.ask("trigger_agent", input)).toMatchObject({ status: "completed" });
  });
});
