import {
  evictDurableObject,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
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
  callsOf,
  env,
  expectProblem,
  newAccount,
  textIn,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { hostOf } from "../../support/worker/objects.ts";
import { sendWith } from "../../support/worker/other-service.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, WEBHOOKS } from "../../support/worker/webhooks.ts";

const ADMIN = "/api/v1/admin";
const operator = callsOf(ADMIN_TOKEN);

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

describe("an account with every kind of resource", () => {
  it("is erased completely", async () => {
    const others = await allObjects();
    const auth = { token: { secret: "the-token-of-it" } };
    const endpoint = await newEndpoint({ auth }, []);
    const { accountId, apiKey, endpointId, workflowId, hook, get, post, patch, remove } = endpoint;
    const created = async (path: string, body: object, id: string) =>
      textIn(await post(path, body), id);
    const secret = { headers: { "X-Webhook-Token": "the-token-of-it" } };
    await endpoint.take({ id: 1 }, secret);
    const routes = [{ name: "orders", workflowId, key: { path: "id" } }];
    const routed = await created(WEBHOOKS, { name: "routed", routing: { routes } }, "endpointId");
    await created(`/hooks/${routed}`, { id: 7 }, "requestId");
    await created("/api/v1/connections", connection, "connectionId");
    await created("/api/v1/mcp-servers", mcpServer, "serverId");
    await created("/api/v1/model-providers", modelProvider, "providerId");
    await created("/api/v1/schedules", { workflowId, everySeconds: 86_400 }, "scheduleId");
    for (const path of [`/workflows/${workflowId}`, `/webhooks/${endpointId}`]) {
      expect((await patch(`/api/v1${path}`, { name: "another" })).status).toBe(200);
    }
    await remove(`${WEBHOOKS}/${await created(WEBHOOKS, { name: "gone" }, "endpointId")}`);

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

    const begun = await operator.remove(`${ADMIN}/accounts/${accountId}`);
    expect(begun.status).toBe(202);
    expect(accountDetails.parse(await begun.json())).toMatchObject({
      status: "erasing",
      erasure: { executions: 0, endpoints: 0 },
    });
    await expectProblem(await get("/api/v1/keys"), 401, "unauthorized");
    const path = `${ADMIN}/accounts/${accountId}`;
    const grant = { amount: 1, note: "too late" };
    for (const change of [
      operator.patch(path, { name: "another" }),
      operator.post(`${path}/credits`, grant),
      operator.post(`${path}/keys`, { name: "another" }),
    ]) {
      await expectProblem(await change, 409, "conflict");
    }
    expect((await hook({ id: 2 }, secret)).status).toBeGreaterThanOrEqual(404);
    const status = async () => (await operator.get(`${ADMIN}/accounts/${accountId}`)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(404);
    expect((await hook({ id: 3 }, secret)).status).toBeGreaterThanOrEqual(404);
    expect(await rowsOf(accountId)).toEqual([]);
    const objects = [...(await allObjects())].filter(([id]) => !others.has(id));
    // The account, two hosts at least and two inboxes.
    expect(objects.length).toBeGreaterThanOrEqual(5);
    for (const [, object] of objects) expect(await contents(object)).toEqual([]);
  });

  it("is erased completely even if the process dies meanwhile", async () => {
    const { accountId, apiKey } = await newEndpoint({}, []);
    await trigger(apiKey);
    expect((await operator.remove(`${ADMIN}/accounts/${accountId}`)).status).toBe(202);
    const object = env.ACCOUNT.getByName(accountId);
    await evictDurableObject(object);
    const status = async () => {
      await runDurableObjectAlarm(object);
      return (await operator.get(`${ADMIN}/accounts/${accountId}`)).status;
    };
    await expect.poll(status, { timeout: 20_000 }).toBe(404);
  });
});

describe("a new encryption key", () => {
  const reseal = async (body: object) =>
    resealed.parse(await (await operator.post(`${ADMIN}/reseal`, body)).json());

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

  /** Creates something with the service as it was before the new key came, and returns its id. */
  async function createBefore(token: string, path: string, body: object, id = "name") {
    const bindings = { ENCRYPTION_KEY: OLD_ENCRYPTION_KEY };
    return textIn(await sendWith(bindings, path, { method: "POST", token, body }), id);
  }

  it("re-seals every secret, even of unstarted executions, so that the old key is not needed", async () => {
    const { apiKey, accountId, get, post, patch } = await newAccount();
    const quotas = { activeExecutions: 1 };
    await operator.patch(`${ADMIN}/accounts/${accountId}`, { quotas });
    const create = (path: string, body: object, id?: string) =>
      createBefore(apiKey, path, body, id);
    const task = {
      prompt: "Do it.",
      tools: ["finish"],
      callbackUrl: "https://crm.example/",
      callbackSecret: "a-secret-of-it",
    };
    const workflowId = await create("/api/v1/workflows", { name: "a", ...task }, "workflowId");
    await create("/api/v1/connections", connection);
    await create("/api/v1/mcp-servers", mcpServer);
    await create("/api/v1/model-providers", modelProvider);
    const auth = { token: { secret: "the-token-of-it" }, hmac: { secret: "the-hmac-of-it" } };
    const endpointId = await create(WEBHOOKS, { name: "signed", auth }, "endpointId");
    const routes = [{ name: "orders", workflowId, key: { path: "id" } }];
    const routed = await create(WEBHOOKS, { name: "routed", routing: { routes } }, "endpointId");
    const executionId = await create(`${AGENT}/trigger`, task, "executionId");
    // The execution of the first waits for its turn in the account; the second waits for it in the inbox,
    // under the configuration that it met.
    for (const n of [1, 2]) await post(`/hooks/${routed}`, { id: 7, n });
    const list = async () => (await get(`${AGENT}/trigger/list`)).text();
    await expect.poll(list).toContain('"origin":"webhook"');
    await patch(`${WEBHOOKS}/${routed}`, { name: "renamed" });

    const stored = async () => {
      const objects = [
        env.ACCOUNT.getByName(accountId),
        hostOf(accountId, executionId),
        env.INBOX.getByName(routed),
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
    const settings = parseSettings({ ENCRYPTION_KEY: NEW_ENCRYPTION_KEY });
    const opened = await openEndpoint(config, settings);
    expect(opened.token?.current).toBe("the-token-of-it");
    expect(opened.hmac?.current).toBe("the-hmac-of-it");
  });

  it("is not finished while any object has only the old key", async () => {
    const { accountId, apiKey, endpointId } = await newEndpoint();
    const callback = { callbackUrl: "https://crm.example/", callbackSecret: "a-secret-of-it" };
    const task = { prompt: "Do it.", ...callback };
    const executionId = await createBefore(apiKey, `${AGENT}/trigger`, task, "executionId");
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

  it("restarts its round if another Worker began it with other keys", async () => {
    const { apiKey } = await newAccount();
    await createBefore(apiKey, "/api/v1/connections", connection);
    const end = encodeCursor({ createdAt: 0, id: "acc_0" });
    expect(await reseal({ cursor: `0badf00d.0.${end}` })).toMatchObject({ resealed: 1 });
    const madeUp = await operator.post(`${ADMIN}/reseal`, { cursor: "made up" });
    await expectProblem(madeUp, 400, "invalid_request");
  });
});
