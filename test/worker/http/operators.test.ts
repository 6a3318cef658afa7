import {
  createExecutionContext,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { app } from "../../../src/app.ts";
import { accountDetails, resealed } from "../../../src/contract/operators.ts";
import { quotaUse } from "../../../src/contract/quotas.ts";
import { hostNameOf } from "../../../src/durable/stubs.ts";
import { parseSettings } from "../../../src/env.ts";
import { openEndpoint } from "../../../src/inbound/secrets.ts";
import { loadEndpoint } from "../../../src/records/endpoints.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  env,
  eventsOf,
  expectProblem,
  newAccount,
  newKey,
  ORIGIN,
  resultOf,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, newWorkflow, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ADMIN = "/api/v1/admin";
const admin = (method: string, path: string, body?: unknown) =>
  send(ADMIN + path, { method, token: ADMIN_TOKEN, body });

/** Changes what operators decide about an account. */
async function change(accountId: string, body: object): Promise<void> {
  expect((await admin("PATCH", `/accounts/${accountId}`, body)).status).toBe(200);
}
const setQuotas = (accountId: string, quotas: object) => change(accountId, { quotas });

describe("a quota", () => {
  it("of endpoints refuses one more with its name, also of two at once, and frees deleted ones", async () => {
    const { accountId, apiKey, endpointId, call } = await newEndpoint();
    await setQuotas(accountId, { endpoints: 2 });
    const create = () =>
      send(WEBHOOKS, { method: "POST", token: apiKey, body: { name: "another" } });
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const problem = await expectProblem(await create(), 409, "conflict");
    expect(problem.detail).toMatch(/2 endpoints, which is its quota `endpoints`/);
    expect((await call("", { method: "DELETE" })).status).toBe(204);
    expect((await create()).status, endpointId).toBe(201);
  });

  it("of workflows refuses one more", async () => {
    const { accountId, apiKey } = await newAccount();
    await setQuotas(accountId, { workflows: 1 });
    await newWorkflow(apiKey, []);
    const body = { name: "more", prompt: "Look." };
    const response = await send("/api/v1/workflows", { method: "POST", token: apiKey, body });
    const problem = await expectProblem(response, 409, "conflict");
    expect(problem.detail).toContain("`workflows`");
  });

  it("of active executions refuses a trigger, and a webhook's execution waits for its turn", async () => {
    const { accountId, apiKey, take, entry } = await newEndpoint({}, []);
    await setQuotas(accountId, { activeExecutions: 1 });
    const first = await trigger(apiKey);
    const body = { prompt: "Do it." };
    const more = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(more, 429, "rate_limited");
    expect(problem.detail).toContain("1 active executions, which is its quota");
    expect(more.headers.get("Retry-After")).toBe("10");

    const requestId = await take({ id: 1 });
    const { executionId } = await entry(requestId);
    await send(`${AGENT}/trigger/${first}/stop`, { method: "POST", token: apiKey });
    await untilStatus(apiKey, executionId ?? "", "active");
  });

  it("of stored bytes refuses executions", async () => {
    const { accountId, apiKey } = await newAccount();
    await setQuotas(accountId, { storedBytes: 1_000 });
    const body = { prompt: "Do it." };
    const response = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(response, 429, "rate_limited");
    expect(problem.detail).toContain("`storedBytes`");
  });

  it("of webhook requests counts over all endpoints, and not those of strangers", async () => {
    const { accountId, apiKey, hook } = await newEndpoint();
    const body = { name: "second", auth: { token: { secret: "the-secret-of-it" } } };
    const made = await send(WEBHOOKS, { method: "POST", token: apiKey, body });
    const { endpointId } = z.object({ endpointId: z.string() }).parse(await made.json());
    await setQuotas(accountId, { webhookRequestsPerMinute: 3 });
    const second = (headers: Record<string, string>) =>
      send(`/hooks/${endpointId}`, { method: "POST", body: {}, headers });
    const secret = { "X-Webhook-Token": "the-secret-of-it" };
    for (let n = 0; n < 5; n += 1) await expectProblem(await second({}), 401, "unauthorized");

    expect((await second(secret)).status).toBe(202);
    expect((await hook({})).status).toBe(202);
    expect((await hook({})).status).toBe(202);
    for (const response of [await hook({}), await second(secret)]) {
      const problem = await expectProblem(response, 429, "rate_limited");
      expect(problem.detail).toContain("over all endpoints");
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
  });

  it("is shown with its use to its account and to operators", async () => {
    const { accountId, apiKey } = await newEndpoint({}, []);
    await setQuotas(accountId, { endpoints: 7 });
    await trigger(apiKey);
    const own = await send("/api/v1/usage/quotas", { token: apiKey });
    const use = z.strictObject(quotaUse.shape).parse(await own.json());
    expect(use).toMatchObject({
      endpoints: { used: 1, limit: 7 },
      workflows: { used: 1, limit: 1_000 },
      activeExecutions: { used: 1, limit: 1_000 },
    });
    expect(use.storedBytes.used).toBeGreaterThan(0);
    const account = accountDetails.parse(
      await (await admin("GET", `/accounts/${accountId}`)).json(),
    );
    expect(account).toMatchObject({ status: "active", quotas: { endpoints: 7, workflows: 1_000 } });
    expect(account.usage.endpoints).toEqual({ used: 1, limit: 7 });
  });
});

describe("a suspended account", () => {
  it("has its executions stopped, starts nothing, reads all, and lives again", async () => {
    const { accountId, apiKey, hook, take, entry } = await newEndpoint({}, []);
    const executionId = await trigger(apiKey);
    await take({ id: 1 });
    await change(accountId, { status: "suspended" });

    await untilStatus(apiKey, executionId, "stopped");
    expect((await resultOf(apiKey, executionId)).presentedResult.summary).toContain("suspended");
    const body = { prompt: "Do it." };
    const refused = await send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(refused, 403, "insufficient_scope");
    expect(problem.detail).toContain("suspended");
    const sent = await hook({ id: 2 });
    await expectProblem(sent, 503, "unavailable");
    expect(sent.headers.get("Retry-After")).toBe("3600");
    for (const path of [`${AGENT}/trigger/list`, `${AGENT}/credits`, WEBHOOKS, "/api/v1/keys"]) {
      expect((await send(path, { token: apiKey })).status, path).toBe(200);
    }

    await change(accountId, { status: "active" });
    const { executionId: again } = await entry(await take({ id: 3 }));
    await untilStatus(apiKey, again ?? "", "active");
  });

  it("stops what its webhooks had promised before it started", async () => {
    const { accountId, apiKey, take, entry, change: update } = await newEndpoint();
    const requestId = await take({ id: 1 });
    await update({ workflowId: await newWorkflow(apiKey, []) });
    await change(accountId, { status: "suspended" });
    const settled = async () => (await entry(requestId)).errors;
    await expect.poll(settled).toMatchObject([{ rule: "user_request" }]);
  });
});

describe("operators", () => {
  it("find the account of an execution", async () => {
    const [{ accountId, apiKey }, other] = [await newAccount(), await newAccount()];
    await trigger(other.apiKey);
    const executionId = await trigger(apiKey);
    await expect
      .poll(async () => (await admin("GET", `/executions/${executionId}`)).json())
      .toEqual({ executionId, accountId });
    const unknown = await admin("GET", `/executions/${crypto.randomUUID()}`);
    await expectProblem(unknown, 404, "not_found");
  });

  it("revoke a key of any account, by its id and by the key itself", async () => {
    const { accountId, apiKey, keyId } = await newAccount();
    const { apiKey: found, keyId: foundId } = await newKey(apiKey, { name: "published" });
    const revoked = await admin("POST", "/keys/revoke", { apiKey: found });
    expect(await revoked.json()).toEqual({ accountId, keyId: foundId });
    await expectProblem(await send("/api/v1/keys", { token: found }), 401, "unauthorized");

    const keys = await (await admin("GET", `/accounts/${accountId}/keys`)).json();
    expect(keys).toMatchObject({ keys: [{ keyId: foundId }, { keyId }], nextCursor: null });
    expect((await admin("DELETE", `/accounts/${accountId}/keys/${keyId}`)).status).toBe(204);
    await expectProblem(await send("/api/v1/keys", { token: apiKey }), 401, "unauthorized");
    const unknown = await admin("POST", "/keys/revoke", { apiKey: "ph_live_x" });
    await expectProblem(unknown, 404, "not_found");
  });
});

describe("a connection", () => {
  const create = (token: string, body: object = {}) =>
    send("/api/v1/connections", {
      method: "POST",
      token,
      body: { name: "crm", hosts: ["API.crm.example"], header: "X-Key", value: VALUE, ...body },
    });
  const VALUE = "the-credential-itself";

  it("is listed without its value, and named once", async () => {
    const { apiKey } = await newAccount();
    const made = await create(apiKey, { pathPrefix: "/v2" });
    expect(made.status).toBe(201);
    const listed = await (await send("/api/v1/connections", { token: apiKey })).text();
    expect((await made.text()) + listed).not.toContain("credential");
    expect(JSON.parse(listed)).toMatchObject({
      connections: [
        { name: "crm", hosts: ["api.crm.example"], pathPrefix: "/v2", header: "X-Key" },
      ],
    });
    await expectProblem(await create(apiKey), 409, "conflict");
  });

  it.each([
    { hosts: ["https://crm.example"] },
    { hosts: ["*"] },
    { header: "Host" },
    { value: "two\r\nlines" },
    { pathPrefix: "v2" },
  ])("is not made with %j", async (body) => {
    const { apiKey } = await newAccount();
    await expectProblem(await create(apiKey, body), 400, "invalid_request");
  });

  it("must exist when a trigger names it, and can be deleted", async () => {
    const { apiKey } = await newAccount();
    const body = { prompt: "Do it.", connections: ["crm"] };
    const start = () => send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body });
    const problem = await expectProblem(await start(), 400, "invalid_request");
    expect(problem.detail).toContain("names crm, which the account does not have");
    const { connectionId } = z
      .object({ connectionId: z.string() })
      .parse(await (await create(apiKey)).json());
    expect((await start()).status).toBe(202);
    const path = `/api/v1/connections/${connectionId}`;
    const statuses = [1, 2].map(
      async () => (await send(path, { method: "DELETE", token: apiKey })).status,
    );
    expect((await Promise.all(statuses)).sort()).toEqual([204, 404]);
  });
});

describe("the recipients of an account", () => {
  it("replace those of the deployment, and hold from its next execution", async () => {
    const { accountId, apiKey } = await newAccount();
    await change(accountId, { emailRecipients: ["ann@shop.example"] });
    const mail = (to: string) => ({
      tool: "send_email",
      input: { to: [to], subject: "Hello", text: "Hello." },
    });
    const prompt = promptOf(
      { calls: [mail("ann@shop.example"), mail("bob@example.com")] },
      { finish: { summary: "Done." } },
    );
    const executionId = await trigger(apiKey, { prompt, model: "openai/scripted" });
    await untilStatus(apiKey, executionId, "completed");
    const finished = await eventsOf(apiKey, executionId, "tool.finished");
    expect(finished).toMatchObject([
      { data: { ok: true } },
      { data: { ok: false, error: { code: "recipient_not_allowed" } } },
    ]);
  });
});

it("an export has all of an account as lines, without secrets", async () => {
  const auth = { token: { secret: "the-token-of-it" } };
  const { accountId, apiKey, endpointId, workflowId, take } = await newEndpoint({ auth }, []);
  const secret = { headers: { "X-Webhook-Token": "the-token-of-it" } };
  const requestId = await take({ id: 1 }, secret);
  const file = { label: "Prices", type: "file", filename: "prices.csv", value: "name" };
  const prompt = promptOf(
    { calls: [{ tool: "emit_output", input: file }] },
    { finish: { summary: "Done." } },
  );
  const ended = await trigger(apiKey, { prompt, model: "openai/scripted" });
  await untilStatus(apiKey, ended, "completed");
  await expect.poll(async () => (await admin("GET", `/executions/${ended}`)).status).toBe(200);

  const exported = async (query = "") => {
    const response = await admin("GET", `/accounts/${accountId}/export${query}`);
    const text = await response.text();
    expect(text).not.toContain("the-token-of-it");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => z.looseObject({ type: z.string() }).parse(JSON.parse(line)));
  };
  const lines = await exported();
  expect(lines.at(0)).toMatchObject({ type: "account", accountId });
  expect(lines.at(-1)).toEqual({ type: "end" });
  for (const line of [
    { type: "key" },
    { type: "workflow", workflowId },
    { type: "endpoint", endpointId },
    { type: "request", requestId },
    { type: "file", executionId: ended, base64: btoa("name") },
    { type: "event", executionId: ended },
    { type: "execution", executionId: ended },
  ]) {
    expect(lines).toContainEqual(expect.objectContaining(line));
  }
  expect(await exported(`?after=${ended}`)).toEqual([{ type: "end" }]);
});

describe("an erased account", () => {
  /** What a storage holds: its tables and its values. */
  const contents = (object: DurableObjectStub) =>
    runInDurableObject(object, async (_, { storage }) => [
      ...storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'")
        .toArray(),
      ...storage.kv.list(),
      ...[await storage.getAlarm()].filter((at) => at !== null),
    ]);

  it("has nothing left in its objects and in D1, and is gone at once for its keys and senders", async () => {
    const endpoint = await newEndpoint({}, []);
    const { accountId, apiKey, endpointId, hook } = endpoint;
    const gone = await send(WEBHOOKS, { method: "POST", token: apiKey, body: { name: "old" } });
    const { endpointId: deletedId } = z.object({ endpointId: z.string() }).parse(await gone.json());
    await send(`${WEBHOOKS}/${deletedId}`, { method: "DELETE", token: apiKey });
    await endpoint.take({ id: 1 });
    const ended = await trigger(apiKey, { model: "openai/finishes" });
    await untilStatus(apiKey, ended, "completed");
    const live = await trigger(apiKey);
    await untilStatus(apiKey, live, "active");
    await expect.poll(async () => (await admin("GET", `/executions/${ended}`)).status).toBe(200);

    const begun = await admin("DELETE", `/accounts/${accountId}`);
    expect(begun.status).toBe(202);
    expect(accountDetails.parse(await begun.json())).toMatchObject({
      status: "erasing",
      erasure: { executions: 0, endpoints: 0 },
    });
    await expectProblem(await send("/api/v1/keys", { token: apiKey }), 401, "unauthorized");
    expect((await hook({ id: 2 })).status).toBeGreaterThanOrEqual(404);

    const status = async () => (await admin("GET", `/accounts/${accountId}`)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(404);
    expect((await hook({ id: 3 })).status).toBeGreaterThanOrEqual(404);
    const { results: tables } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%account_id%'",
    ).all<{ name: string }>();
    expect(tables.length).toBeGreaterThan(3);
    for (const { name } of tables) {
      const rows = await env.DB.prepare(`SELECT 1 FROM ${name} WHERE account_id = ?`)
        .bind(accountId)
        .all();
      expect(rows.results, name).toEqual([]);
    }
    const objects = [
      env.ACCOUNT.getByName(accountId),
      ...[ended, live].map((id) => env.SESSION_HOST.getByName(hostNameOf(accountId, id))),
      ...[endpointId, deletedId].map((id) => env.INBOX.getByName(id)),
    ];
    for (const object of objects) expect(await contents(object)).toEqual([]);
  });

  it("is erased to its end if the process dies meanwhile", async () => {
    const { accountId, apiKey } = await newEndpoint({}, []);
    await trigger(apiKey);
    expect((await admin("DELETE", `/accounts/${accountId}`)).status).toBe(202);
    const object = env.ACCOUNT.getByName(accountId);
    await evictDurableObject(object);
    const status = async () => {
      await runDurableObjectAlarm(object);
      return (await admin("GET", `/accounts/${accountId}`)).status;
    };
    await expect.poll(status, { timeout: 20_000 }).toBe(404);
  });
});

describe("a new encryption key", () => {
  const NEW_KEY = btoa("fedcba9876543210fedcba9876543210");

  it("seals every secret anew, after which the old one is not needed", async () => {
    const auth = { token: { secret: "the-token-of-it" }, hmac: { secret: "the-hmac-of-it" } };
    const { apiKey, accountId, endpointId } = await newEndpoint({ auth });
    const post = (path: string, body: object) =>
      send(path, { method: "POST", token: apiKey, body });
    const made = [
      await post("/api/v1/workflows", {
        name: "a",
        prompt: "Do it.",
        callbackSecret: "a-secret-of-it",
      }),
      await post("/api/v1/connections", {
        name: "crm",
        hosts: ["crm.example"],
        header: "X-Key",
        value: "a-value-of-it",
      }),
      await post("/api/v1/mcp-servers", {
        name: "crm",
        url: "https://crm.example/mcp",
        headers: { "X-Key": "a-value-of-it" },
      }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);

    const both = { ...env, ENCRYPTION_KEY: `${NEW_KEY},${env.ENCRYPTION_KEY}` };
    let count = 0;
    let body = {};
    for (;;) {
      const response = await app.fetch(
        new Request(`${ORIGIN}${ADMIN}/reseal`, {
          method: "POST",
          headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
        both,
        createExecutionContext(),
      );
      const page = resealed.parse(await response.json());
      count += page.resealed;
      if (page.nextCursor === null) break;
      body = { cursor: page.nextCursor };
    }
    // The account's object has the variables of the test's Worker, whose newest key has not changed.
    expect(count).toBeGreaterThanOrEqual(3);
    const stored = await loadEndpoint(env.DB, accountId, endpointId);
    if (stored === null) throw new Error("the endpoint is gone");
    const opened = await openEndpoint(stored, parseSettings({ ENCRYPTION_KEY: NEW_KEY }));
    expect(opened.token?.current).toBe("the-token-of-it");
    expect(opened.hmac?.current).toBe("the-hmac-of-it");
  });
});
