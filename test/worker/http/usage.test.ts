import { describe, expect, it } from "vitest";
import { credits } from "../../../src/contract/account.ts";
import { allWebhookUsage, usage, usageBreakdown } from "../../../src/contract/usage.ts";
import { insertEndpoint } from "../../../src/records/endpoints.ts";
import { configWith } from "../../support/endpoint.ts";
import {
  AGENT,
  callsOf,
  env,
  newAccount,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const USAGE = "/api/v1/usage";
const scripted = { model: "openai/scripted", prompt: promptOf({ finish: { summary: "Done." } }) };

const NONE = { active: 0, waiting_for_input: 0, completed: 0, failed: 0, stopped: 0 };

const json = async (token: string, path: string) => (await callsOf(token).get(path)).json();
const read = async (token: string, query = "") =>
  usage.parse(await json(token, `${USAGE}${query}`));
const readAll = async (token: string) =>
  allWebhookUsage.parse(await json(token, `${USAGE}/webhooks`));

const rowsInD1 = (status: string, accountId: string) =>
  env.DB.prepare("SELECT count(*) AS rows FROM executions WHERE account_id = ? AND status = ?")
    .bind(accountId, status)
    .first("rows");

describe("the usage of an account", () => {
  it("counts an execution by its status, as soon as the database has it", async () => {
    const { apiKey, accountId, keyId } = await newAccount();
    const by = async (what: string) =>
      usageBreakdown.parse(await json(apiKey, `${USAGE}/breakdown?by=${what}`)).items;
    // The row of one that is still active is written seconds later.
    await callsOf(apiKey).post(`${AGENT}/trigger/${await trigger(apiKey)}/stop`);
    await expect.poll(() => rowsInD1("stopped", accountId)).toBe(1);
    expect((await read((await newAccount()).apiKey)).total.executions).toEqual(NONE);
    expect((await read(apiKey)).total.executions).toEqual({ ...NONE, stopped: 1 });
    expect(await by("key")).toMatchObject([{ id: keyId, executions: { stopped: 1 } }]);
    expect(await by("workflow")).toMatchObject([{ id: null, executions: { stopped: 1 } }]);
  });

  it("adds up to the credits that the account has used", async () => {
    const { apiKey } = await newAccount();
    const ids = [await trigger(apiKey, scripted), await trigger(apiKey, scripted)];
    for (const id of ids) await untilStatus(apiKey, id, "completed");
    const days = () => read(apiKey, "?bucket=day");
    await expect.poll(async () => (await days()).total.executions.completed).toBe(2);
    const { consumedCredits } = credits.parse(await json(apiKey, `${AGENT}/credits`));
    expect(consumedCredits).toBeGreaterThan(0);
    const { buckets, total } = await days();
    expect(total.creditsConsumed).toBe(consumedCredits);
    expect(buckets).toHaveLength(30);
    const sum = buckets.reduce((before, { creditsConsumed }) => before + creditsConsumed, 0);
    expect(sum).toBe(consumedCredits);
  });
});

describe("the usage of endpoints", () => {
  it("covers the newest endpoints if there are many", async () => {
    const { apiKey, accountId } = await newAccount();
    for (let made = 0; made < 101; made += 1) {
      const config = configWith({ accountId, name: `number ${made}`, createdAt: made });
      await insertEndpoint(env.DB, config, 101);
    }
    const { endpoints, moreEndpoints } = await readAll(apiKey);
    expect(endpoints.map(({ name }) => name)).not.toContain("number 0");
    expect(endpoints).toHaveLength(100);
    expect(moreEndpoints).toBe(true);
  });
});
