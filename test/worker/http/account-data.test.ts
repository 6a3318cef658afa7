import {
  createExecutionContext,
  evictDurableObject,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { app } from "../../../src/app.ts";
import { accountDetails, resealed } from "../../../src/contract/operators.ts";
import { parseSettings } from "../../../src/env.ts";
import { encodeCursor } from "../../../src/http/list.ts";
import { openEndpoint } from "../../../src/intake/secrets.ts";
import { fingerprints, seal } from "../../../src/lib/secrets.ts";
import { loadEndpoint } from "../../../src/records/endpoints.ts";
import {
  ADMIN_TOKEN,
  NEW_ENCRYPTION_KEY,
  OLD_ENCRYPTION_KEY,
} from "../../support/worker/bindings.ts";
import {
  AGENT,
  env,
  expectProblem,
  newAccount,
  ORIGIN,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { hostOf } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, WEBHOOKS } from "../../support/worker/webhooks.ts";

const admin = (method: string, path: string, body?: unknown) =>
  send(`/api/v1/admin${path}`, { method, token: ADMIN_TOKEN, body });

const made = z.looseObject({
  endpointId: z.string().catch(""),
  workflowId: z.string().catch(""),
  executionId: z.string().catch(""),
});

// A round of sealing, and of erasing, asks all accounts: those of other files have ended.
beforeAll(() => env.DB.prepare("DELETE FROM accounts").run());

/** What a storage holds: its rows and its values. */
const contents = (object: DurableObjectStub) =>
  runInDurableObject(object, async (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
      )
      .toArray();
    return [
      ...tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]),
      ...storage.kv.list(),
      ...[await storage.getAlarm()].filter((at) => at !== null),
    ];
  });

/** All objects that have storage, by their ids. */
async function allObjects(): Promise<Map<string, DurableObjectStub>> {
  const stubs = async (namespace: DurableObjectNamespace) =>
    (await listDurableObjectIds(namespace)).map((id) => [`${id}`, namespace.get(id)] as const);
  const { ACCOUNT, SESSION_HOST, INBOX } = env;
  const found = [await stubs(ACCOUNT), await stubs(SESSION_HOST), await stubs(INBOX)];
  return new Map(found.flat());
}

/** The rows of an account in D1, by table. */
async function rowsOf(accountId: string) {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%account_id%'",
  ).all<{ name: string }>();
  expect(tables.length).toBeGreaterThan(3);
  const found = tables.map(async ({ name }) => {
    const query = env.DB.prepare(`SELECT * FROM ${name} WHERE account_id = ?`).bind(accountId);
    return (await query.all()).results;
  });
  return (await Promise.all(found)).flat();
}

const connection = {
  name: "crm",
  hosts: ["crm.example"],
  header: "X-Key",
  value: "a-value-of-it",
};
const mcpServer = {
  name: "crm",
  url: "https://crm.example/mcp",
  headers: { "X-Key": "a-value-of-it" },
};
const modelProvider = { name: "mine", kind: "openai", apiKey: "a-value-of-it" };

describe("an account with all that one can have", () => {
  it("leaves nothing when it is erased", async () => {
    const others = await allObjects();
    const auth = { token: { secret: "the-token-of-it" } };
    const endpoint = await newEndpoint({ auth }, []);
    const { accountId, apiKey, endpointId, workflowId, hook } = endpoint;
    const post = async (path: string, body: object) => {
      const response = await send(path, { method: "POST", token: apiKey, body });
      expect(response.status).toBeLessThan(300);
      return made.parse(await response.json());
    };
    const secret = { headers: { "X-Webhook-Token": "the-token-of-it" } };
    await endpoint.take({ id: 1 }, secret);
    const routes = [{ name: "orders", workflowId, key: { path: "id" } }];
    const routed = await post(WEBHOOKS, { name: "routed", routing: { routes } });
    await post(`/hooks/${routed.endpointId}`, { id: 7 });
    await post("/api/v1/connections", connection);
    await post("/api/v1/mcp-servers", mcpServer);
    await post("/api/v1/model-providers", modelProvider);
    await post("/api/v1/schedules", { workflowId, everySeconds: 86_400 });
    for (const path of [`/workflows/${workflowId}`, `/webhooks/${endpointId}`]) {
      const change = { method: "PATCH", token: apiKey, body: { name: "another" } } as const;
      expect((await send(`/api/v1${path}`, change)).status).toBe(200);
    }
    const gone = await post(WEBHOOKS, { name: "gone" });
    await send(`${WEBHOOKS}/${gone.endpointId}`, { method: "DELETE", token: apiKey });

    const file = { label: "Prices", type: "file", filename: "prices.csv", value: "name" };
    const prompt = promptOf(
      { calls: [{ tool: "emit_output", input: file }] },
      { finish: { summary: "Done." } },
    );
    const ended = await trigger(apiKey, { prompt, model: "openai/scripted" });
    await untilStatus(apiKey, ended, "completed");
    const wait = { endpointId, when: { path: "id", equals: 9 }, timeoutSeconds: 600 };
    const waits = promptOf({ calls: [{ tool: "wait_for_event", input: wait }] });
    const waiting = await trigger(apiKey, { prompt: waits, model: "openai/scripted" });
    await untilStatus(apiKey, waiting, "waiting_for_input");

    const begun = await admin("DELETE", `/accounts/${accountId}`);
    expect(begun.status).toBe(202);
    expect(accountDetails.parse(await begun.json())).toMatchObject({
      status: "erasing",
      erasure: { executions: 0, endpoints: 0 },
    });
    await expectProblem(await send("/api/v1/keys", { token: apiKey }), 401, "unauthorized");
    expect((await hook({ id: 2 }, secret)).status).toBeGreaterThanOrEqual(404);
    const status = async () => (await admin("GET", `/accounts/${accountId}`)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(404);
    expect((await hook({ id: 3 }, secret)).status).toBeGreaterThanOrEqual(404);
    expect(await rowsOf(accountId)).toEqual([]);
    const objects = [...(await allObjects())].filter(([id]) => !others.has(id));
    // The account, two hosts at least and two inboxes.
    expect(objects.length).toBeGreaterThanOrEqual(5);
    for (const [, object] of objects) expect(await contents(object)).toEqual([]);
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
  const reseal = async (body: object) =>
    resealed.parse(await (await admin("POST", "/reseal", body)).json());

  /** Goes through all secrets until none is left to seal. */
  async function resealAll() {
    const responses = [await reseal({})];
    for (let cursor = responses[0]?.nextCursor; cursor != null; ) {
      const response = await reseal({ cursor });
      responses.push(response);
      cursor = response.nextCursor;
    }
    return responses;
  }

  /** Asks the service as it was before the new key came. */
  async function postBefore(token: string, path: string, body: object) {
    const request = new Request(ORIGIN + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const bindings = { ...env, ENCRYPTION_KEY: OLD_ENCRYPTION_KEY };
    const response = await app.fetch(request, bindings, createExecutionContext());
    expect(response.status).toBeLessThan(300);
    return made.parse(await response.json());
  }

  it("seals every secret anew, also of what is accepted and not started, after which the old one is not needed", async () => {
    const { apiKey, accountId } = await newAccount();
    await admin("PATCH", `/accounts/${accountId}`, { quotas: { activeExecutions: 1 } });
    const post = (path: string, body: object) => postBefore(apiKey, path, body);
    const task = {
      prompt: "Do it.",
      tools: ["finish"],
      callbackUrl: "https://crm.example/",
      callbackSecret: "a-secret-of-it",
    };
    const { workflowId } = await post("/api/v1/workflows", { name: "a", ...task });
    await post("/api/v1/connections", connection);
    await post("/api/v1/mcp-servers", mcpServer);
    await post("/api/v1/model-providers", modelProvider);
    const { endpointId } = await post(WEBHOOKS, {
      name: "signed",
      auth: { token: { secret: "the-token-of-it" }, hmac: { secret: "the-hmac-of-it" } },
    });
    const routes = [{ name: "orders", workflowId, key: { path: "id" } }];
    const routed = await post(WEBHOOKS, { name: "routed", routing: { routes } });
    const { executionId } = await post(`${AGENT}/trigger`, task);
    // The execution of the first waits for its turn in the account; the second waits for it in the inbox,
    // under the configuration that it met.
    const hook = `/hooks/${routed.endpointId}`;
    for (const n of [1, 2]) await send(hook, { method: "POST", body: { id: 7, n } });
    const list = async () => (await send(`${AGENT}/trigger/list`, { token: apiKey })).text();
    await expect.poll(list).toContain('"origin":"webhook"');
    const path = `${WEBHOOKS}/${routed.endpointId}`;
    await send(path, { method: "PATCH", token: apiKey, body: { name: "renamed" } });

    const stored = async () => {
      const objects = [
        env.ACCOUNT.getByName(accountId),
        hostOf(accountId, executionId),
        env.INBOX.getByName(routed.endpointId),
      ];
      const all = [await rowsOf(accountId), ...(await Promise.all(objects.map(contents)))];
      return all.map((each) => JSON.stringify(each));
    };
    const beginning = async (key: string) => (await seal("any", [key], "here")).slice(0, 12);
    const before = await beginning(OLD_ENCRYPTION_KEY);
    const after = await beginning(NEW_ENCRYPTION_KEY);
    for (const text of await stored()) expect(text).toContain(before);

    const responses = await resealAll();
    expect(responses.map(({ lost }) => lost)).toEqual(responses.map(() => 0));
    expect(responses.at(-1)).toMatchObject({ resealed: 0 });
    const known = await fingerprints([NEW_ENCRYPTION_KEY, OLD_ENCRYPTION_KEY]);
    for (const { keys } of responses) expect(keys).toMatchObject([{ fingerprints: known }]);
    for (const text of await stored()) {
      expect(text).not.toContain(before);
      expect(text).toContain(after);
    }
    expect(await contents(env.INBOX.getByName(endpointId)), "never used").toEqual([]);
    const config = await loadEndpoint(env.DB, accountId, endpointId);
    if (config === null) throw new Error("the endpoint is gone");
    const opened = await openEndpoint(
      config,
      parseSettings({ ENCRYPTION_KEY: NEW_ENCRYPTION_KEY }),
    );
    expect(opened.token?.current).toBe("the-token-of-it");
    expect(opened.hmac?.current).toBe("the-hmac-of-it");
  });

  it("is not done while an object of any kind still has the old one alone", async () => {
    const { accountId, apiKey, endpointId } = await newEndpoint();
    const callback = { callbackUrl: "https://crm.example/", callbackSecret: "a-secret-of-it" };
    const { executionId } = await postBefore(apiKey, `${AGENT}/trigger`, {
      prompt: "Do it.",
      ...callback,
    });
    const objects = [
      env.ACCOUNT.getByName(accountId),
      env.INBOX.getByName(endpointId),
      hostOf(accountId, executionId),
    ];
    const old = await fingerprints([OLD_ENCRYPTION_KEY]);
    for (const behind of objects) {
      const give = (ENCRYPTION_KEY: string) =>
        runInDurableObject(behind, (instance) => {
          Reflect.set(instance, "env", { ...env, ENCRYPTION_KEY });
        });
      await give(OLD_ENCRYPTION_KEY);
      const [first, second] = [await reseal({}), await reseal({})];
      expect([first.nextCursor, second.nextCursor]).not.toContain(null);
      const again = await reseal({ cursor: second.nextCursor });
      expect(again.keys).toContainEqual({ fingerprints: old, objects: 1 });
      expect(again.nextCursor).not.toBeNull();
      await give(env.ENCRYPTION_KEY);
    }
    expect((await resealAll()).at(-1)).toMatchObject({ resealed: 0, nextCursor: null });
  });

  it("begins its round again where another Worker began it with other keys", async () => {
    const { apiKey } = await newAccount();
    await postBefore(apiKey, "/api/v1/connections", connection);
    const end = encodeCursor({ createdAt: 0, id: "acc_0" });
    expect(await reseal({ cursor: `0badf00d.0.${end}` })).toMatchObject({ resealed: 1 });
    await expectProblem(
      await admin("POST", "/reseal", { cursor: "made up" }),
      400,
      "invalid_request",
    );
  });
});
