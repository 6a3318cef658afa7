import {
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { alertRecord } from "../../../src/contract/alerts.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  AGENT,
  allPages,
  callsOf,
  newAccount,
  textIn,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { newDestination } from "../../support/worker/destinations.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, newWorkflow } from "../../support/worker/webhooks.ts";

const MODEL = "openai/scripted";

const alertsOf = (token: string) =>
  allPages(token, "/api/v1/alerts?limit=100", "alerts", alertRecord);

const operator = callsOf(ADMIN_TOKEN);
const patched = async (accountId: string, body: object) => {
  const path = `/api/v1/admin/accounts/${accountId}`;
  expect((await operator.patch(path, body)).status).toBe(200);
};

describe("an endpoint", () => {
  it("that refuses half of its requests is failing, with the causes, until it recovers", async () => {
    const account = await newAccount();
    const events = ["endpoint.failing", "endpoint.recovered"];
    const { receiver, events: told } = await newDestination({ events }, account);
    const validation = { required: ["items"] };
    const { hook, endpointId } = await newEndpoint({ validation }, [], account);
    const sendMany = (count: number, body: object) =>
      Promise.all(Array.from({ length: count }, () => hook(body)));
    await sendMany(4, {});
    await sendMany(2, { items: [] });
    expect(await alertsOf(account.apiKey)).toEqual([]);
    await sendMany(1, {});
    const [failing] = await told(1);
    expect(failing).toMatchObject({
      type: "endpoint.failing",
      data: {
        endpointId,
        requests: 7,
        failed: 5,
        count: 5,
        causes: [{ stage: "validation", path: "items", rule: "required", count: 5 }],
      },
    });
    expect(await alertsOf(account.apiKey)).toMatchObject([
      { type: "endpoint.failing", resource: { kind: "endpoint", id: endpointId, name: "orders" } },
    ]);
    await sendMany(20, { items: [] });
    const [, recovered] = await told(2);
    const data = { resourceId: endpointId };
    expect(recovered).toMatchObject({ type: "endpoint.recovered", data });
    expect(await alertsOf(account.apiKey)).toEqual([]);
    expect(await receiver.letters()).toHaveLength(2);
  });

  it("names no causes of strangers while its own sender is accepted", async () => {
    const account = await newAccount();
    const { events: told } = await newDestination({ events: ["endpoint.failing"] }, account);
    const settings = {
      auth: { token: { secret: "of-the-shop" } },
      validation: { required: ["items"] },
    };
    const { hook } = await newEndpoint(settings, [], account);
    const send = (token: string, body: object) =>
      hook(body, { headers: { "X-Webhook-Token": token } });
    await send("of-the-shop", { items: [] });
    for (let n = 0; n < 6; n += 1) await send("of-nobody", {});
    for (let n = 0; n < 5; n += 1) await send("of-the-shop", {});
    const [failing] = await told(1);
    const causes = [expect.objectContaining({ stage: "validation", count: failing?.data.failed })];
    expect(failing?.data.causes).toEqual(causes);
  });

  it("that is deleted while it fails is no longer wrong", async () => {
    const account = await newAccount();
    const events = ["endpoint.failing", "endpoint.recovered"];
    const { events: told } = await newDestination({ events }, account);
    const { hook, call } = await newEndpoint({ validation: { required: ["items"] } }, [], account);
    for (let n = 0; n < 5; n += 1) await hook({});
    await told(1);
    expect((await call("", { method: "DELETE" })).status).toBe(204);
    expect((await told(2)).map(({ type }) => type)).toEqual(events);
    expect(await alertsOf(account.apiKey)).toEqual([]);
  });
});

it("an abandoned callback raises one alert for its host, until one arrives", async () => {
  const { apiKey, events } = await newDestination({ events: ["callback.failed"] });
  const gone = mailbox();
  await gone.answer(410);
  const prompt = promptOf({ finish: { summary: "Done." } });
  const start = () => trigger(apiKey, { prompt, model: MODEL, callbackUrl: gone.url });
  const executionId = await start();
  const [told] = await events(1);
  expect(told).toMatchObject({ type: "callback.failed", data: { executionId, count: 1 } });
  await start();
  await expect.poll(async () => (await alertsOf(apiKey))[0]?.count).toBe(2);
  await gone.answer(200);
  await callsOf(apiKey).post(`${AGENT}/trigger/${executionId}/callbacks/redeliver`, {});
  await expect.poll(() => alertsOf(apiKey)).toEqual([]);
  expect(await events(1)).toHaveLength(1);
});

it("a schedule with missed times raises an alert, until it runs again", async () => {
  const { apiKey, accountId, events } = await newDestination({ events: ["schedule.missed"] });
  const workflowId = await newWorkflow(apiKey, []);
  const { get, post } = callsOf(apiKey);
  const body = { workflowId, everySeconds: 60, catchUp: "none" };
  const scheduleId = await textIn(await post("/api/v1/schedules", body), "scheduleId");
  const object = env.ACCOUNT.getByName(accountId);
  await runInDurableObject(object, (_, { storage }) => {
    const now = Date.now();
    storage.sql.exec(
      "UPDATE schedules SET created_at = ?, next_at = ?, look_at = ?",
      now - 660_000,
      now - 600_000,
      now,
    );
  });
  await evictDurableObject(object);
  await get("/api/v1/account");
  const [told] = await events(1);
  expect(told).toMatchObject({
    type: "schedule.missed",
    data: { scheduleId, reason: "missed", count: 10 },
  });
  await expect.poll(() => alertsOf(apiKey)).toEqual([]);
});

it("a connection whose credential is refused needs attention", async () => {
  const { apiKey, events } = await newDestination({ events: ["connection.needs_attention"] });
  const site = mailbox();
  await site.answer(401);
  const body = {
    name: "crm",
    hosts: [new URL(site.url).hostname],
    header: "X-Key",
    value: "an expired credential",
  };
  const made = await callsOf(apiKey).post("/api/v1/connections", body);
  const connectionId = await textIn(made, "connectionId");
  const prompt = promptOf(
    { calls: [{ tool: "http_request", input: { method: "GET", url: site.url } }] },
    { finish: { summary: "Done." } },
  );
  const executionId = await trigger(apiKey, { prompt, model: MODEL, connections: ["crm"] });
  const [told] = await events(1);
  const data = { connectionId, executionId, name: "crm" };
  expect(told).toMatchObject({ type: "connection.needs_attention", data });
  expect(await alertsOf(apiKey)).toMatchObject([{ resource: { id: connectionId } }]);
});

it("credits are low below the account's threshold, until it has more", async () => {
  const account = await newAccount({ credits: 500 });
  const { apiKey, accountId, events } = await newDestination({ events: ["credits.low"] }, account);
  await patched(accountId, { creditsLowThreshold: 501 });
  const [told] = await events(1);
  const data = { availableCredits: 500, threshold: 501 };
  expect(told).toMatchObject({ type: "credits.low", data });
  const grant = { amount: 1, note: "more" };
  await operator.post(`/api/v1/admin/accounts/${accountId}/credits`, grant);
  expect(await alertsOf(apiKey)).toEqual([]);
});

it("a quota raises one alert each at 80 and 100 percent", async () => {
  const { apiKey, accountId, events } = await newDestination({ events: ["quota.near"] });
  await patched(accountId, { quotas: { activeExecutions: 2, workflows: 1 } });
  const started = [await trigger(apiKey), await trigger(apiKey)];
  const full = await events(2);
  expect(full.map(({ data }) => [data.quota, data.percent, data.used])).toEqual([
    ["activeExecutions", 80, 2],
    ["activeExecutions", 100, 2],
  ]);
  for (const executionId of started) {
    await callsOf(apiKey).post(`${AGENT}/trigger/${executionId}/stop`);
  }
  await expect.poll(() => alertsOf(apiKey)).toEqual([]);
  await newWorkflow(apiKey, []);
  const all = await events(4);
  expect(all.slice(2).map(({ data }) => [data.quota, data.percent])).toEqual([
    ["workflows", 80],
    ["workflows", 100],
  ]);
});

/** Returns when the account reports its usage, then has it do so at once. */
async function reportUsage(accountId: string): Promise<number | undefined> {
  const object = env.ACCOUNT.getByName(accountId);
  const planned = await runInDurableObject(object, async (_, { storage }) => {
    const due = storage.kv.get<Record<string, number>>("wakeups");
    storage.kv.put("wakeups", { ...due, usage: Date.now() });
    await storage.setAlarm(Date.now());
    return due?.usage;
  });
  await evictDurableObject(object);
  await runDurableObjectAlarm(object);
  return planned;
}

const afterMidnight = () => Date.now() - (Date.now() % 86_400_000) + 86_400_000 + 300_000;

it("the usage of a day is reported after its end", async () => {
  const { apiKey, accountId, events } = await newDestination({ events: ["usage.daily"] });
  const prompt = promptOf({ finish: { summary: "Done." } });
  await untilStatus(apiKey, await trigger(apiKey, { prompt, model: MODEL }), "completed");
  expect(await reportUsage(accountId)).toBe(afterMidnight());
  const [told] = await events(1);
  const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  expect(told).toMatchObject({ type: "usage.daily", data: { date, creditsConsumed: 0 } });
});

it("the usage is reported again when the only destination of it is enabled again", async () => {
  const { accountId, call } = await newDestination({ events: ["usage.daily"] });
  await call("/disable");
  await reportUsage(accountId);
  await call("/enable");
  expect(await reportUsage(accountId)).toBe(afterMidnight());
});

it("a change of the configuration is reported from any store, with its audit entry", async () => {
  const events = ["config.changed"];
  const { apiKey, events: told } = await newDestination({ events, payload: "full" });
  const workflowId = await newWorkflow(apiKey, []);
  await callsOf(apiKey).post("/api/v1/keys", { name: "ci" });
  // Creating a destination is a change as well.
  const changes = (await told(3)).map(({ data }) => [data.action, data.resourceId]);
  expect(changes).toHaveLength(3);
  expect(changes).toContainEqual(["workflow.created", workflowId]);
  expect(changes.map(([action]) => action).sort()).toEqual([
    "destination.created",
    "key.created",
    "workflow.created",
  ]);
});
