import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serviceHealth } from "../../../src/contract/operators.ts";
import { executionIdOf } from "../../../src/lib/execution-id.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { AGENT, callsOf, env, newAccount, trigger } from "../../support/worker/client.ts";
import { changeHead, hostOf, mailbox } from "../../support/worker/objects.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

async function health(query = "?limit=1") {
  const response = await callsOf(ADMIN_TOKEN).get(`/api/v1/admin/health${query}`);
  const { checks, ...rest } = serviceHealth.parse(await response.json());
  return { ...rest, of: Object.fromEntries(checks.map(({ name, value }) => [name, value])) };
}

afterEach(() => vi.restoreAllMocks());

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

it("counts what runs, and what failed, of the accounts of a page", async () => {
  await newAccount();
  const { apiKey, start, ended } = await openOffice();
  await ended(await start([{ error: { status: 400, message: "No." } }]));
  await trigger(apiKey);
  const count = async () => (await health()).errors;
  await expect.poll(count).toEqual({ model_error: 1 });
  const { liveExecutions, hosts, accounts, nextCursor } = await health();
  expect({ liveExecutions, hosts, accounts }).toEqual({ liveExecutions: 1, hosts: 1, accounts: 1 });
  expect((await health(`?limit=1&cursor=${nextCursor}`)).errors).toEqual({});
});

it("finds the webhook that waits longest, and logs what is not well", async () => {
  const { endpointId, take } = await newEndpoint({}, []);
  await take({ id: 1 });
  const moment = { at: Date.now() - 700_000, place: 0 };
  const lost = executionIdOf(endpointId, moment, { slot: 0, random: new Uint8Array(2) });
  await runInDurableObject(env.INBOX.getByName(endpointId), (_, { storage }) => {
    storage.sql.exec("UPDATE requests SET status = 'queued', execution_id = ? WHERE seq = 1", lost);
  });
  const { verdict, of } = await health();
  expect(verdict).toBe("failing");
  expect(of.queueLag).toBeGreaterThanOrEqual(700);
  expect(vi.mocked(console.warn).mock.calls.join()).toContain('"check":"queueLag"');
});

it("finds the callback that is due the longest, of an execution that has ended", async () => {
  const receiver = mailbox();
  await receiver.answer(500);
  const { accountId, apiKey, start, ended } = await openOffice();
  const id = await start([{ finish: { summary: "Done." } }], { callbackUrl: receiver.url });
  await ended(id);
  const attempts = () => callsOf(apiKey).get(`${AGENT}/trigger/${id}/callbacks`);
  await expect.poll(async () => (await attempts()).text()).toContain('"nextAttemptAt"');
  expect((await health()).of.callbackLag).toBe(0);
  const inAMinute = Date.now() + 60_000;
  await changeHead({ executionId: id, account: { accountId } }, ({ deliveries, due, ...head }) => {
    const [owed] = deliveries.pending;
    if (owed === undefined) throw new Error("nothing is owed");
    const late = { ...owed, dueAt: Date.now() - 700_000, checkAt: inAMinute };
    return {
      ...head,
      deliveries: { ...deliveries, pending: [late] },
      due: { ...due, callbacks: inAMinute },
    };
  });
  await evictDurableObject(hostOf(accountId, id));
  const lag = async () => (await health()).of.callbackLag;
  await expect.poll(lag).toBeGreaterThanOrEqual(700);
  expect(vi.mocked(console.warn).mock.calls.join()).toContain('"check":"callbackLag"');
});

it("judges the other accounts while an object does not answer", async () => {
  await newAccount();
  const { endpointId } = await newEndpoint({}, []);
  await runInDurableObject(env.INBOX.getByName(endpointId), (inbox) => {
    const queuedSince = vi.spyOn(Object.getPrototypeOf(inbox), "queuedSince");
    queuedSince.mockRejectedValue(new Error("It does not answer."));
  });
  const { accounts, of, verdict } = await health("?limit=2");
  expect({ accounts, silent: of.silent, verdict }).toEqual({
    accounts: 2,
    silent: 1,
    verdict: "warning",
  });
});
