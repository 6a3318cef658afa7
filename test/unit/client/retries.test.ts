import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PrompthookError } from "../../../src/client/error.ts";
import {
  type Act,
  answer,
  drop,
  refuse,
  type ScriptedService,
  serving,
} from "../../support/scripted-service.ts";
import { CREDITS, EXECUTION_ID, stateAt } from "../../support/states.ts";

let service: ScriptedService;

const accepted = answer(
  {
    executionId: EXECUTION_ID,
    status: "active",
    availableCredits: 9,
    messageId: "msg_1",
    delivery: "queued",
    position: 1,
  },
  202,
);
const credits = answer(CREDITS);
const busy = refuse(503, "unavailable", { "Retry-After": "2" });

/** Lets time pass only as a test says, until it ends. */
function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("a call that reads", () => {
  it.each([
    ["a connection that was dropped", drop],
    ["502", answer("bad gateway", 502)],
    ["503", refuse(503, "unavailable")],
    ["504", answer("", 504)],
    ["429", refuse(429, "rate_limited")],
    ["a 500 of something in between", answer("<h1>oops</h1>", 500)],
    ["an answer that broke off", brokenOff],
  ])("is retried after %s", async (_, failure) => {
    service = await serving(failure, failure, credits);
    const { client } = service.client();
    expect(await client.credits()).toMatchObject({ availableCredits: 9 });
    expect(service.asked).toHaveLength(3);
  });

  it.each([
    [400, "invalid_request"],
    [404, "not_found"],
    [500, "internal_error"],
  ] as const)("fails at once with a %d", async (status, code) => {
    service = await serving(refuse(status, code));
    await expect(service.client().client.credits()).rejects.toMatchObject({ status, code });
    expect(service.asked).toHaveLength(1);
  });

  it.each([
    ["longer from try to try", [drop, drop, drop], [375, 750, 1_500]],
    ["as long as it is asked to", [busy], [2_125]],
  ])("waits %s, with jitter", async (_, failures, waits) => {
    service = await serving(...failures, credits);
    const { client, pauses } = service.client();
    await client.credits();
    expect(pauses).toEqual(waits);
  });

  it("accepts a Retry-After that is a date", async () => {
    const date = "Fri, 20 Nov 2026 09:30:07 GMT";
    service = await serving(refuse(503, "unavailable", { "Retry-After": date }), credits);
    const now = () => Date.parse("2026-11-20T09:30:00Z");
    const { client, pauses } = service.client({ runtime: { now } });
    await client.credits();
    expect(pauses).toEqual([7_125]);
  });

  it("gives up at once instead of waiting for minutes", async () => {
    service = await serving(refuse(503, "unavailable", { "Retry-After": "3600" }));
    const { client, pauses } = service.client();
    await expect(client.credits()).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
    expect(pauses).toEqual([]);
  });

  it("gives up after the configured retries, with the last failure", async () => {
    service = await serving(drop, busy);
    const { client } = service.client({ maxRetries: 1 });
    await expect(client.credits()).rejects.toMatchObject({
      name: "PrompthookError",
      status: 503,
      code: "unavailable",
      requestId: "req_1",
      retryAfterSeconds: 2,
    });
    expect(service.asked).toHaveLength(2);
  });

  it("is retried after a timeout", async () => {
    fakeTimeouts();
    service = await serving(() => void vi.advanceTimersByTime(500), credits);
    const { client } = service.client({ timeoutMs: 500 });
    expect(await client.credits()).toMatchObject({ availableCredits: 9 });
  });

  it("adds the requested long-poll time to its timeout", async () => {
    fakeTimeouts();
    service = await serving((response) => {
      vi.advanceTimersByTime(30_049);
      answer(stateAt(2))(response, asked);
    });
    const { client } = service.client({ timeoutMs: 50, maxRetries: 0 });
    const query = { sinceVersion: 1, waitSeconds: 30 };
    expect(await client.executions.status(EXECUTION_ID, query)).toMatchObject({ version: 2 });
  });
});

describe("a call that starts something", () => {
  const calls = {
    trigger: (client: Client) => client.executions.trigger({ prompt: "Do it." }),
    run: (client: Client) => client.workflows.run("wf_1", { page: "x" }),
    message: (client: Client) => client.executions.message(EXECUTION_ID, { message: "Faster." }),
  };
  type Client = ReturnType<ScriptedService["client"]>["client"];

  it.each(Object.entries(calls))("%s is retried under one key", async (_, call) => {
    service = await serving(drop, busy, accepted);
    const { client } = service.client();
    expect(await call(client)).toMatchObject({ executionId: EXECUTION_ID });
    const keys = service.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(new Set(service.asked.map(({ body }) => body)).size).toBe(1);
    await call(client);
    expect(service.asked.at(-1)?.headers["idempotency-key"]).not.toBe(keys[0]);
  });

  it("uses the caller's key if there is one", async () => {
    service = await serving(accepted);
    const { client } = service.client();
    await client.executions.trigger({ prompt: "x" }, { idempotencyKey: "order-7" });
    expect(service.asked[0]?.headers["idempotency-key"]).toBe("order-7");
  });
});

it("any other call is made once, whatever its result", async () => {
  service = await serving(busy);
  const { client } = service.client();
  await expect(client.executions.stop(EXECUTION_ID)).rejects.toThrow(PrompthookError);
  await expect(client.keys.create({ name: "x" })).rejects.toThrow(PrompthookError);
  await expect(client.keys.revoke("key_1")).rejects.toThrow(PrompthookError);
  await expect(client.webhooks.replay("ep_1", "req_1")).rejects.toThrow(PrompthookError);
  await expect(client.webhooks.update("ep_1", { name: "x" })).rejects.toThrow(PrompthookError);
  await expect(client.mcpServers.delete("mcp_1")).rejects.toThrow(PrompthookError);
  expect(service.asked).toHaveLength(6);
});

const asked = { method: "GET", path: "", headers: {}, body: "" };

/** Promises more than it sends. */
function brokenOff(response: Parameters<Act>[0]): void {
  response.writeHead(200, { "Content-Length": "1000" });
  response.write('{"available', () => response.destroy());
}
