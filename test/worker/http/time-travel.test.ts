import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { timeTravelled } from "../../../src/contract/backup.ts";
import { scheduleRecord } from "../../../src/contract/schedule.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  callsOf,
  env,
  expectProblem,
  newAccount,
  resultOf,
  textIn,
} from "../../support/worker/client.ts";
import { hostOf, mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const travel = (accountId: string, to: number, dryRun?: boolean) =>
  callsOf(ADMIN_TOKEN).post(`/api/v1/admin/accounts/${accountId}/time-travel`, {
    to: new Date(to).toISOString(),
    ...(dryRun !== undefined && { dryRun }),
  });

const report = async (response: Response) => timeTravelled.parse(await response.json());

/**
 * Lets an object go back as Cloudflare's do: to the rows that it had when this was called, or to none with
 * `isNew`.
 */
async function rememberRows(
  object: DurableObjectStub,
  tables: readonly string[],
  { isNew = false } = {},
): Promise<() => Promise<void>> {
  const rows = isNew
    ? []
    : await runInDurableObject(object, (_, { storage }) =>
        tables.map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
      );
  return () =>
    runInDurableObject(object, (_, { storage }) => {
      Object.assign(storage, {
        getBookmarkForTime: async () => "a bookmark",
        async onNextSessionRestoreBookmark() {
          tables.forEach((table, at) => {
            storage.sql.exec(`DELETE FROM ${table}`);
            for (const row of rows[at] ?? []) {
              const names = Object.keys(row);
              const marks = names.map(() => "?").join();
              const query = `INSERT INTO ${table} (${names.join()}) VALUES (${marks})`;
              storage.sql.exec(query, ...Object.values(row));
            }
          });
          await storage.sync();
          return "what was before";
        },
      });
    });
}

it("refuses on a local service, and changes nothing", async () => {
  const { accountId, paying, asked } = await openOffice();
  const { id } = await paying();
  await asked(id, "pay");
  const { dryRun, parts } = await report(await travel(accountId, Date.now() - 1_000));
  expect(dryRun).toBe(true);
  expect(parts.map(({ state }) => state)).toEqual(["refused", "refused"]);
  const refused = await travel(accountId, Date.now() - 1_000, false);
  const { detail } = await expectProblem(refused, 409, "conflict");
  expect(detail).toMatch(/^Nothing was set back, because host\/\d+ refuses: .*point-in-time/);
  await expectProblem(await travel(accountId, Date.now() + 60_000), 400, "invalid_request");
  await asked(id, "pay");
});

it("does not repeat an effect confirmed after the restored time", async () => {
  const { accountId, apiKey, paying, asked, decide, ended } = await openOffice();
  const { id, site } = await paying();
  await asked(id, "pay");
  const at = Date.now();
  const objects = [
    await rememberRows(env.ACCOUNT.getByName(accountId), ["executions", "grants"]),
    await rememberRows(hostOf(accountId, id), ["heads", "journal"]),
  ];
  await decide(id, "pay", "approve");
  await ended(id);
  for (const prepare of objects) await prepare();

  const plan = await report(await travel(accountId, at));
  const effect = { executionId: id, effectId: "pay", tool: "http_request", state: "confirmed" };
  expect(plan).toMatchObject({ dryRun: true, effects: [effect] });
  expect(plan.parts.map(({ state }) => state)).toEqual(["ready", "ready"]);
  const done = await report(await travel(accountId, at, false));
  expect(done).toMatchObject({ dryRun: false, effects: [effect] });
  expect(done.parts.map(({ state }) => state)).toEqual(["restored", "restored"]);

  await asked(id, "pay");
  await decide(id, "pay", "approve");
  await ended(id);
  expect(await site.letters()).toHaveLength(1);
  const { effects } = await resultOf(apiKey, id);
  expect(effects).toMatchObject([{ effectId: "pay", state: "confirmed" }]);
});

/** A workflow whose executions each pay at the same place, and end. */
async function payingWorkflow(account: Awaited<ReturnType<typeof newAccount>>) {
  const site = mailbox();
  const input = { method: "POST", url: site.url, body: { amount: 5 } };
  const made = await account.post("/api/v1/workflows", {
    name: "pay",
    prompt: promptOf(
      { calls: [{ tool: "http_request", input, id: "pay" }] },
      { finish: { summary: "Paid." } },
    ),
    model: "openai/scripted",
  });
  return { site, workflowId: await textIn(made, "workflowId") };
}

/** An endpoint of such a workflow. With `holds`, it has none yet. */
async function payingEndpoint({ holds = false } = {}) {
  const account = await newAccount();
  const { site, workflowId } = await payingWorkflow(account);
  const endpoint = await newEndpoint({ workflowId: holds ? null : workflowId }, undefined, account);
  const succeeded = async (requestId: string) => {
    const status = async () => (await endpoint.entry(requestId)).status;
    await expect.poll(status, { timeout: 15_000 }).toBe("succeeded");
    const { executionId } = await endpoint.entry(requestId);
    if (executionId === null) throw new Error("it started nothing");
    return executionId;
  };
  const logged = async () => (await endpoint.log()).requests.map(({ requestId }) => requestId);
  return { ...endpoint, workflowId, site, succeeded, logged };
}

it("starts a webhook again that was waiting at the restored time, without repeating its effects", async () => {
  const { accountId, endpointId, site, take, call, succeeded, logged } = await payingEndpoint();
  const inbox = () => env.INBOX.getByName(endpointId);
  const before = await take({ id: 1 });
  const first = await succeeded(before);
  const lost = await runInDurableObject(inbox(), (instance) => {
    const own = Reflect.get(instance, "env") as CloudflareEnv;
    const metrics = { backlogCount: 0, backlogBytes: 0 };
    return vi.spyOn(own.INBOUND, "sendBatch").mockResolvedValue({ metadata: { metrics } });
  });
  const waiting = await take({ id: 2 });
  await vi.waitFor(() => expect(lost).toHaveBeenCalled());
  const at = Date.now();
  const objects = [
    await rememberRows(env.ACCOUNT.getByName(accountId), ["executions", "grants"]),
    await rememberRows(hostOf(accountId, first), ["heads", "journal"]),
    await rememberRows(inbox(), ["requests", "work", "starts", "places"]),
  ];
  lost.mockRestore();
  await evictDurableObject(inbox());
  const since = await take({ id: 3 });
  await Promise.all([waiting, since].map(succeeded));
  expect(await site.letters()).toHaveLength(3);
  for (const prepare of objects) await prepare();

  const { parts, effects } = await report(await travel(accountId, at, false));
  expect(parts).toContainEqual({ part: `inbox/${endpointId}`, state: "restored", reason: null });
  expect(new Set(parts.map(({ state }) => state))).toEqual(new Set(["restored"]));
  expect(effects).toHaveLength(2);
  expect(await logged()).toEqual([waiting, before]);
  expect((await call(`/requests/${since}`)).status).toBe(404);
  const again = await succeeded(waiting);
  expect(effects.map(({ executionId }) => executionId)).toContain(again);
  expect(await succeeded(before)).toBe(first);
  expect(await site.letters()).toHaveLength(3);
  await succeeded(await take({ id: 3 }));
  expect(await site.letters()).toHaveLength(4);
});

it("does not repeat the effects of a webhook that was held at the restored time and is released again", async () => {
  const { accountId, endpointId, workflowId, site, take, entry, change, succeeded } =
    await payingEndpoint({ holds: true });
  const inbox = env.INBOX.getByName(endpointId);
  const requestId = await take({ id: 1 });
  const at = Date.now();
  const prepareInbox = await rememberRows(inbox, [
    "configs",
    "requests",
    "work",
    "starts",
    "places",
  ]);
  const prepareAccount = await rememberRows(env.ACCOUNT.getByName(accountId), ["executions"]);
  await change({ workflowId });
  const first = await succeeded(requestId);
  const prepareHost = await rememberRows(hostOf(accountId, first), ["heads", "journal"], {
    isNew: true,
  });
  for (const prepare of [prepareInbox, prepareAccount, prepareHost]) await prepare();

  const { effects } = await report(await travel(accountId, at, false));
  expect(effects).toMatchObject([{ executionId: first, cause: `${requestId} ${workflowId}` }]);
  expect(await entry(requestId)).toMatchObject({ status: "queued", executionId: null });
  await change({ name: "orders" });
  expect(await succeeded(requestId)).not.toBe(first);
  expect(await site.letters()).toHaveLength(1);
});

it("makes up for the run of a schedule that the restored time missed, without repeating its effects", async () => {
  const account = await newAccount();
  const { accountId, apiKey, get, post } = account;
  const { site, workflowId } = await payingWorkflow(account);
  const at = new Date(Date.now() + 1_500).toISOString();
  const made = await post("/api/v1/schedules", { workflowId, at });
  const path = `/api/v1/schedules/${await textIn(made, "scheduleId")}`;
  const runs = async () => scheduleRecord.parse(await (await get(path)).json()).lastRuns;
  const before = Date.now();
  const prepareAccount = await rememberRows(env.ACCOUNT.getByName(accountId), [
    "executions",
    "schedules",
  ]);
  const completed = [{ scheduledFor: at, status: "completed" }];
  await expect.poll(runs).toMatchObject(completed);
  const [first] = await runs();
  const host = hostOf(accountId, first?.executionId ?? "");
  const prepareHost = await rememberRows(host, ["heads", "journal"], { isNew: true });
  for (const prepare of [prepareAccount, prepareHost]) await prepare();

  await report(await travel(accountId, before, false));
  await expect.poll(runs).toMatchObject(completed);
  const [again] = await runs();
  expect(again?.executionId).not.toBe(first?.executionId);
  expect(await site.letters()).toHaveLength(1);
  const { effects } = await resultOf(apiKey, again?.executionId ?? "");
  expect(effects).toMatchObject([{ effectId: "pay", state: "confirmed" }]);
});
