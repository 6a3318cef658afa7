import { afterEach, describe, expect, it } from "vitest";
import { credits } from "../../../src/contract/account.ts";
import { allWebhookUsage, usage, usageBreakdown } from "../../../src/contract/usage.ts";
import { insertEndpoint } from "../../../src/records/endpoints.ts";
import { configWith } from "../../support/endpoint.ts";
import {
  AGENT,
  env,
  expectProblem,
  newAccount,
  send,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const USAGE = "/api/v1/usage";
const scripted = { model: "openai/scripted", prompt: promptOf({ finish: { summary: "Done." } }) };

const NONE = { active: 0, waiting_for_input: 0, completed: 0, failed: 0, stopped: 0 };

const read = async (token: string, query = "") =>
  usage.parse(await (await send(`${USAGE}${query}`, { token })).json());
const readAll = async (token: string, query = "") =>
  allWebhookUsage.parse(await (await send(`${USAGE}/webhooks${query}`, { token })).json());

const rowsInD1 = (status: string, accountId: string) =>
  env.DB.prepare("SELECT count(*) AS rows FROM executions WHERE account_id = ? AND status = ?")
    .bind(accountId, status)
    .first("rows");

let giveBack: (() => Promise<unknown>) | null = null;
afterEach(async () => {
  await giveBack?.();
  giveBack = null;
});

describe("the usage of an account", () => {
  it("is all zeros, bucket by bucket, before anything has run", async () => {
    const { apiKey } = await newAccount();
    const { buckets, total, bucket, ...range } = await read(apiKey);
    expect(bucket).toBe("hour");
    expect(buckets).toHaveLength(24);
    expect(buckets[0]?.start).toBe(range.from);
    expect(range.countedFrom).toBe(range.from);
    expect(Date.parse(range.to)).toBeGreaterThan(Date.now());
    for (const { executions, creditsConsumed } of [...buckets, total]) {
      expect(creditsConsumed).toBe(0);
      expect(new Set(Object.values(executions))).toEqual(new Set([0]));
    }
  });

  it("counts an execution by its status, as soon as the database has it", async () => {
    const { apiKey, accountId, keyId } = await newAccount();
    const by = async (what: string) => {
      const answer = await send(`${USAGE}/breakdown?by=${what}`, { token: apiKey });
      return usageBreakdown.parse(await answer.json()).items;
    };
    const active = await trigger(apiKey);
    await expect.poll(() => rowsInD1("active", accountId)).toBe(1);
    expect((await read(apiKey)).total.executions).toEqual({ ...NONE, active: 1 });
    const stop = { method: "POST", token: apiKey };
    expect((await send(`${AGENT}/trigger/${active}/stop`, stop)).status).toBe(200);
    await expect.poll(() => rowsInD1("stopped", accountId)).toBe(1);
    expect((await read(apiKey)).total.executions).toEqual({ ...NONE, stopped: 1 });
    expect(await by("key")).toMatchObject([{ id: keyId, executions: { stopped: 1 } }]);
    expect(await by("workflow")).toMatchObject([{ id: null, executions: { stopped: 1 } }]);
  });

  it("sums to the credits that the account has used", async () => {
    const { apiKey } = await newAccount();
    const ids = [await trigger(apiKey, scripted), await trigger(apiKey, scripted)];
    for (const id of ids) await untilStatus(apiKey, id, "completed");
    await expect
      .poll(async () => (await read(apiKey, "?bucket=day")).total.executions)
      .toMatchObject({ completed: 2 });
    const balance = credits.parse(await (await send(`${AGENT}/credits`, { token: apiKey })).json());
    expect(balance.consumedCredits).toBeGreaterThan(0);
    const { buckets, total } = await read(apiKey, "?bucket=day");
    expect(total.creditsConsumed).toBe(balance.consumedCredits);
    expect(buckets).toHaveLength(30);
    const sum = buckets.reduce((credits, { creditsConsumed }) => credits + creditsConsumed, 0);
    expect(sum).toBe(total.creditsConsumed);
  });

  it("has what lies in its range, and nothing of another account", async () => {
    const { apiKey } = await newAccount();
    await trigger(apiKey);
    const before = await read(apiKey, "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z");
    expect(before.buckets).toHaveLength(24);
    expect(before.total.executions.active).toBe(0);
    const { apiKey: other } = await newAccount();
    expect((await read(other)).total.executions.active).toBe(0);
  });

  it("is unavailable while the database is, and says so", async () => {
    const { apiKey } = await newAccount();
    await env.DB.exec("ALTER TABLE executions RENAME TO executions_away");
    giveBack = () => env.DB.exec("ALTER TABLE executions_away RENAME TO executions");
    await expectProblem(await send(USAGE, { token: apiKey }), 503, "unavailable");
  });
});

describe("the usage of endpoints", () => {
  it("counts what became of their requests", async () => {
    const endpoint = await newEndpoint({ validation: { required: ["id"] } });
    await endpoint.take({ id: "evt_1" });
    await endpoint.take({ id: "evt_2" });
    await endpoint.take({ id: "evt_1" });
    expect((await endpoint.hook({})).status).toBe(422);
    const { buckets, total, endpoints, moreEndpoints } = await readAll(endpoint.apiKey);
    expect(total).toEqual({
      requests: {
        rejected: 1,
        queued: 2,
        running: 0,
        succeeded: 0,
        failed: 0,
        logged: 0,
        duplicate: 1,
        unrouted: 0,
        superseded: 0,
      },
      overLimit: 0,
    });
    expect(buckets).toHaveLength(24);
    expect(moreEndpoints).toBe(false);
    expect(endpoints).toEqual([
      {
        endpointId: endpoint.endpointId,
        name: "orders",
        workflowId: null,
        queuedCount: 2,
        ...total,
      },
    ]);
  });

  it("is that of the newest endpoints where there are many", async () => {
    const { apiKey: token, accountId } = await newAccount();
    for (let made = 0; made < 101; made += 1) {
      const config = configWith({ accountId, name: `number ${made}`, createdAt: made });
      await insertEndpoint(env.DB, config, 101);
    }
    const { endpoints, moreEndpoints } = await readAll(token);
    expect(endpoints.map(({ name }) => name).toSorted()).not.toContain("number 0");
    expect(endpoints).toHaveLength(100);
    expect(moreEndpoints).toBe(true);
  });
});

describe("the query of a usage route", () => {
  it.each([
    ["?from=yesterday", "from"],
    ["?to=2026-01-01", "to"],
    ["?bucket=minute", "bucket"],
    ["?bucket=hour&bucket=day", "bucket"],
    ["?from=2999-01-01T00:00:00Z", "from"],
    ["?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
    ["?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z", "from"],
    ["?from=1999-01-01T00:00:00Z&bucket=day", "from"],
    ["?limit=1", "limit"],
  ])("%s is refused, and it says what is wrong", async (query, where) => {
    const { apiKey: token } = await newAccount();
    for (const path of [USAGE, `${USAGE}/webhooks`]) {
      const answer = await send(`${path}${query}`, { token });
      const problem = await expectProblem(answer, 400, "invalid_request");
      expect(problem.errors?.[0]?.path).toBe(where);
    }
  });
});
