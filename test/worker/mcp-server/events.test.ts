import { evictDurableObject } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { inboxStub } from "../../../src/durable/stubs.ts";
import { ERAS } from "../../support/mcp/connect.ts";
import { env, expectProblem, newAccount, newKey, send } from "../../support/worker/client.ts";
import { eventReceiver, eventsOver, newSecret } from "../../support/worker/mcp-events.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const logging = { withoutWorkflow: "log" };

/** An order as its sender sends it. */
const order = (id: number, more: object = {}) => ({ event_id: `evt_${id}`, total: id, ...more });

const codeOf = (request: Promise<unknown>) =>
  request.then(
    () => null,
    (error: { code?: number; data?: unknown }) => ({ code: error.code, data: error.data }),
  );

describe.each(ERAS)("the events of a webhook endpoint over the %s protocol", (era) => {
  it("are announced, listed with their payload schemas, and read from a position", async () => {
    const endpoint = await newEndpoint(logging);
    const { client, list, poll } = await eventsOver(endpoint.apiKey, era);
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { "io.modelcontextprotocol/events": {} },
    });
    const name = `${endpoint.endpointId}.event`;
    const before = await poll({ name, cursor: null });
    expect(before).toMatchObject({ events: [], truncated: false });

    await endpoint.take(order(1));
    await endpoint.take(order(2));
    const { events } = await list();
    expect(events.find((event) => event.name === name)).toMatchObject({
      delivery: ["webhook", "poll"],
      payloadSchema: { anyOf: [{ properties: { total: { type: "integer" } } }, {}] },
    });
    const first = await poll({ name, cursor: before.cursor, maxEvents: 1 });
    expect(first).toMatchObject({ events: [{ eventId: "evt_1", data: { total: 1 } }] });
    const second = await poll({ name, cursor: first.cursor });
    expect(second).toMatchObject({ events: [{ eventId: "evt_2" }], truncated: false });
    expect(await poll({ name, cursor: second.cursor })).toMatchObject({ events: [] });
  });
});

describe("an event name", () => {
  it("has the endpoint's path and the sender's type, and its schema only widens", async () => {
    const path = `shop/${crypto.randomUUID()}`;
    const auth = { token: { secret: "a-token-of-the-tests" } };
    const endpoint = await newEndpoint({ ...logging, path, auth });
    const headers = { "X-Webhook-Token": "a-token-of-the-tests", "X-Event-Type": "order.paid" };
    const { list } = await eventsOver(endpoint.apiKey);
    const schema = async () => {
      const { events } = await list();
      return JSON.stringify(
        events.find(({ name }) => name === `${path}.order.paid`)?.payloadSchema,
      );
    };
    await endpoint.take({ at: "2026-11-20", total: 1 }, { headers });
    expect(await schema()).toContain('"total":{"type":"integer"}');
    await endpoint.take({ at: "soon", total: "one" }, { headers });
    const wider = await schema();
    expect(wider).toContain('"total":{"type":["integer","string"]}');
    expect(wider).not.toContain("format");
  });

  it("that is unknown to the account is not found", async () => {
    const stranger = await newEndpoint(logging);
    const { poll } = await eventsOver((await newAccount()).apiKey);
    const asked = poll({ name: `${stranger.endpointId}.event`, cursor: null });
    expect(await codeOf(asked)).toMatchObject({ code: -32_011, data: { kind: "event" } });
  });
});

it("a cursor that the service did not give is an invalid parameter, of every method", async () => {
  const endpoint = await newEndpoint(logging);
  const { list, poll, subscribe } = await eventsOver(endpoint.apiKey);
  const name = `${endpoint.endpointId}.event`;
  const delivery = { mode: "webhook", url: (await eventReceiver()).url, secret: newSecret() };
  const cursor = "made up";
  for (const asked of [
    list({ cursor }),
    poll({ name, cursor }),
    subscribe({ name, cursor, delivery }),
  ])
    expect(await codeOf(asked)).toMatchObject({ code: -32_602 });
});

it("a parameter that is missing or wrong is refused with its place and its rule", async () => {
  const { subscribe } = await eventsOver((await newAccount()).apiKey);
  const delivery = { mode: "webhook", url: "https://example.com/", secret: newSecret() };
  expect(await codeOf(subscribe({ delivery, ttlMs: 0 }))).toMatchObject({
    code: -32_602,
    data: { code: "invalid_request", errors: [{ path: "name" }, { path: "ttlMs" }] },
  });
});

it("a held or logged request is an event, a repeat or a replay is not", async () => {
  const endpoint = await newEndpoint();
  const held = await endpoint.hook(order(1));
  expect(await held.json()).toMatchObject({ status: "queued", executionId: null });
  await endpoint.change(logging);
  const logged = await endpoint.hook(order(2));
  expect(await logged.json()).toMatchObject({ status: "logged", executionId: null });
  await endpoint.take(order(2));
  const requestId = logged.headers.get("X-Request-Id");
  await endpoint.call(`/requests/${requestId}/replay`, { method: "POST", body: {} });
  const { poll } = await eventsOver(endpoint.apiKey);
  const { events } = await poll({ name: `${endpoint.endpointId}.event`, cursor: "e0" });
  expect(events.map(({ eventId }) => eventId)).toEqual(["evt_1", "evt_2"]);
});

it("wraps a payload that is not an object, or is too large, in an object", async () => {
  const endpoint = await newEndpoint(logging);
  await endpoint.take([1, 2]);
  const requestId = await endpoint.take({ text: "x".repeat(300_000) });
  const { poll } = await eventsOver(endpoint.apiKey);
  const { events } = await poll({ name: `${endpoint.endpointId}.event`, cursor: "e0" });
  expect(events.map(({ data }) => data)).toEqual([
    { value: [1, 2] },
    { truncated: true, requestId, url: expect.stringContaining(requestId) },
  ]);
});

describe("a subscription", () => {
  it("is created after the receiver answers the challenge, and delivers signed matching events in order", async () => {
    const endpoint = await newEndpoint(logging);
    const receiver = await eventReceiver();
    const secret = newSecret();
    const { subscribe } = await eventsOver(endpoint.apiKey);
    const name = `${endpoint.endpointId}.event`;
    const delivery = { mode: "webhook", url: receiver.url, secret };
    const args = { when: { path: "total", gt: 1 } };
    const made = await subscribe({ name, arguments: args, delivery });
    const [challenge] = await receiver.letters(1);
    expect(new Webhook(secret).verify(challenge?.body ?? "", challenge?.headers ?? {})).toEqual({
      type: "verification",
      challenge: expect.any(String),
    });
    expect(challenge?.headers["x-mcp-subscription-id"]).toBe(made.id);
    for (const id of [1, 2, 3]) await endpoint.take(order(id));
    expect(await receiver.events(2, secret)).toMatchObject([
      { eventId: "evt_2", name, data: order(2), subscriptionId: made.id },
      { eventId: "evt_3" },
    ]);
    // The same key, address, name and arguments: it is renewed, without another challenge.
    const renewed = await subscribe({ name, arguments: args, delivery });
    expect(renewed).toMatchObject({
      id: made.id,
      deliveryStatus: { active: true, lastError: null },
    });
    expect(await receiver.letters()).toHaveLength(3);
  });

  it("starts at a past position, and signs with both secrets after a change", async () => {
    const endpoint = await newEndpoint(logging);
    await endpoint.take(order(1));
    const receiver = await eventReceiver();
    const [first, second] = [newSecret(), newSecret()];
    const { subscribe } = await eventsOver(endpoint.apiKey);
    const name = `${endpoint.endpointId}.event`;
    const to = (secret: string) => ({ mode: "webhook", url: receiver.url, secret });
    await subscribe({ name, cursor: "e0", delivery: to(first) });
    await receiver.events(1, first);
    await subscribe({ name, delivery: to(second) });
    await endpoint.take(order(2));
    const [, , letter] = await receiver.letters(3);
    for (const secret of [first, second]) {
      const event = new Webhook(secret).verify(letter?.body ?? "", letter?.headers ?? {});
      expect(event).toMatchObject({ eventId: "evt_2" });
    }
  });

  it("does not retry a permanently refused event, and does not advance the cursor past it", async () => {
    const endpoint = await newEndpoint(logging);
    const receiver = await eventReceiver();
    const secret = newSecret();
    const { subscribe } = await eventsOver(endpoint.apiKey);
    const name = `${endpoint.endpointId}.event`;
    const delivery = { url: receiver.url, secret };
    await subscribe({ name, delivery });
    await receiver.answer(410);
    await endpoint.take(order(1));
    await receiver.letters(2);
    await expect
      .poll(async () => (await subscribe({ name, delivery })).deliveryStatus)
      .toMatchObject({ lastError: "http_4xx" });
    await receiver.answer(200);
    await endpoint.take(order(2));
    const [, , letter] = await receiver.letters(3);
    expect(JSON.parse(letter?.body ?? "")).toMatchObject({ eventId: "evt_2", cursor: "e0" });
    expect(await subscribe({ name, delivery })).toMatchObject({ cursor: "e0" });
  });

  it("is ended as if it had been there once its endpoint is deleted", async () => {
    const endpoint = await newEndpoint(logging);
    const receiver = await eventReceiver();
    const { subscribe, unsubscribe } = await eventsOver(endpoint.apiKey);
    const event = { name: `${endpoint.endpointId}.event` };
    const delivery = { url: receiver.url, secret: newSecret() };
    await subscribe({ ...event, delivery });
    expect((await endpoint.call("", { method: "DELETE" })).status).toBe(204);
    await unsubscribe({ ...event, delivery });
    const inbox = inboxStub(env, endpoint.endpointId);
    expect(await inbox.hasSubscription(endpoint.keyId, receiver.url)).toBe(false);
    await expect(subscribe({ ...event, delivery })).rejects.toMatchObject({ code: -32_011 });
    await expect(unsubscribe({ name: "ep_other.event", delivery })).rejects.toThrow();
  });

  it("ends when it expires, is ended, or its key is revoked", async () => {
    const endpoint = await newEndpoint(logging);
    const receiver = await eventReceiver();
    const { subscribe, unsubscribe } = await eventsOver(endpoint.apiKey);
    const name = `${endpoint.endpointId}.event`;
    const delivery = { url: receiver.url, secret: newSecret() };
    const inbox = inboxStub(env, endpoint.endpointId);
    const isLive = () => inbox.hasSubscription(endpoint.keyId, receiver.url);
    await subscribe({ name, delivery, ttlMs: 1_000 });
    expect(await isLive()).toBe(true);
    await expect.poll(isLive).toBe(false);
    await subscribe({ name, delivery });
    await unsubscribe({ name, delivery });
    expect(await isLive()).toBe(false);
    await unsubscribe({ name, delivery });

    await subscribe({ name, delivery });
    const other = await newKey(endpoint.apiKey, { name: "other" });
    const ended = await send(`/api/v1/keys/${endpoint.keyId}`, {
      method: "DELETE",
      token: other.apiKey,
    });
    expect(ended.status).toBe(204);
    await evictDurableObject(env.INBOX.getByName(endpoint.endpointId));
    await endpoint.take(order(1));
    await expect.poll(isLive).toBe(false);
  });

  it("is refused with an invalid address, secret or mode", async () => {
    const endpoint = await newEndpoint(logging);
    const receiver = await eventReceiver();
    const { subscribe } = await eventsOver(endpoint.apiKey);
    const name = `${endpoint.endpointId}.event`;
    for (const [change, code] of [
      [{ url: "http://example.com/hook" }, -32_602],
      [{ url: "https://10.0.0.1/hook" }, -32_602],
      [{ secret: "whsec_c2hvcnQ=" }, -32_602],
      [{ mode: "push" }, -32_014],
    ] as const) {
      const delivery = { url: receiver.url, secret: newSecret(), ...change };
      expect(await codeOf(subscribe({ name, delivery }))).toMatchObject({ code });
    }
    expect(await receiver.letters()).toEqual([]);
  });

  it("is refused if the receiver does not echo the challenge, without quoting its response", async () => {
    const endpoint = await newEndpoint(logging);
    const box = mailbox();
    await box.answer({ headers: {}, body: '{"challenge":"secret of the receiver"}' });
    const { subscribe } = await eventsOver(endpoint.apiKey);
    const delivery = { url: box.url, secret: newSecret() };
    const name = `${endpoint.endpointId}.event`;
    const refused = await codeOf(subscribe({ name, delivery }));
    expect(refused).toEqual({ code: -32_015, data: { reason: "challenge_failed" } });
  });
});

it("the account's own events arrive as executions end", async () => {
  const account = await newAccount();
  const receiver = await eventReceiver();
  const secret = newSecret();
  const { subscribe, poll } = await eventsOver(account.apiKey);
  const name = "execution.failed";
  await subscribe({ name, delivery: { url: receiver.url, secret } });
  const body = { prompt: "dance", model: "builtin/demo" };
  const token = account.apiKey;
  const started = await send("/api/v1/agent/trigger", { method: "POST", token, body });
  const { executionId } = (await started.json()) as { executionId: string };
  expect(await receiver.events(1, secret)).toMatchObject([
    { name, data: { executionId, statusDetail: "cannot_do" } },
  ]);
  expect(await codeOf(poll({ name, cursor: null }))).toMatchObject({ code: -32_014 });
});

describe("a token of the MCP server", () => {
  const TOKENS = "/api/v1/mcp-tokens";
  const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
  const headers = {
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
  };

  it("is an address that works without a key, for its scopes and endpoints, until it is revoked", async () => {
    const account = await newAccount();
    const token = account.apiKey;
    const [seen, hidden] = [
      await newEndpoint(logging, undefined, account),
      await newEndpoint(logging, undefined, account),
    ];
    const body = { name: "phone", scopes: ["webhooks:read"], endpointIds: [seen.endpointId] };
    const { endpointId: foreign } = await newEndpoint();
    const reaching = { ...body, endpointIds: [seen.endpointId, foreign] };
    const refused = await send(TOKENS, { method: "POST", token, body: reaching });
    const { errors } = await expectProblem(refused, 400, "invalid_request");
    expect(errors).toMatchObject([{ path: "endpointIds[1]" }]);
    const made = await send(TOKENS, { method: "POST", token, body });
    expect(made.status).toBe(201);
    const { url, tokenId } = (await made.json()) as { url: string; tokenId: string };
    const path = new URL(url).pathname;
    const ask = async (message: object) => {
      const answer = await send(path, { method: "POST", headers, body: message });
      return { status: answer.status, text: await answer.text() };
    };
    const hello = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "phone", version: "1" },
    };
    expect((await ask(rpc("initialize", hello))).text).toContain('"events":{}');
    const listed = await ask(rpc("events/list"));
    expect(listed.text).toContain(seen.endpointId);
    expect(listed.text).not.toContain(hidden.endpointId);
    const tools = await ask(rpc("tools/call", { name: "list_endpoints", arguments: {} }));
    expect(tools.text).toContain(seen.endpointId);
    expect(tools.text).not.toContain(hidden.endpointId);
    const requestId = await hidden.take({});
    const request = { endpointId: hidden.endpointId, requestId };
    const other = await ask(rpc("tools/call", { name: "get_request", arguments: request }));
    expect(other.text).toContain("not_found");
    const start = await ask(
      rpc("tools/call", { name: "trigger_agent", arguments: { prompt: "x" } }),
    );
    expect(start.text).toContain("insufficient_scope");

    const secret = path.split("/").at(-1) ?? "";
    for (const direct of ["/mcp", "/api/v1/account"]) {
      await expectProblem(
        await send(direct, { method: direct === "/mcp" ? "POST" : "GET", token: secret }),
        401,
        "unauthorized",
      );
    }
    const list = await (await send(TOKENS, { token })).text();
    expect(list).toContain(tokenId);
    expect(list).not.toContain(secret);
    expect(await (await send("/api/v1/keys", { token })).text()).not.toContain("phone");
    expect((await send(`${TOKENS}/${tokenId}`, { method: "DELETE", token })).status).toBe(204);
    expect((await ask(rpc("events/list"))).status).toBe(401);
    const audit = await (await send(`/api/v1/audit?resource=${tokenId}`, { token })).json();
    expect(audit).toMatchObject({
      entries: [{ action: "mcp_token.revoked" }, { action: "mcp_token.created" }],
    });
  });
});
