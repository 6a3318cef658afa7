import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import type { Decision } from "../../../src/contract/webhooks/inbox.ts";
import { createComponents } from "../../../src/endpoints/components.ts";
import { MOST_BYTES } from "../../../src/endpoints/retention.ts";
import { insertEndpoint } from "../../../src/records/endpoints.ts";
import {
  accepting,
  arrive,
  change,
  endOf,
  entryOf,
  env,
  handed,
  openInbox,
  planned,
  refusing,
  type TestInbox,
  wake,
  wholeLog,
  workflow,
} from "../../support/worker/inboxes.ts";

const DAY_MS = 86_400_000;

const invalid: Decision = refusing("validation", {
  errors: [{ stage: "validation", rule: "required", message: "no" }],
});

/** Lets so much time pass for what is stored. */
const age = (inbox: TestInbox, days: number) =>
  inbox.sql(
    `UPDATE requests SET received_at = received_at - ?1, arrived_at = arrived_at - ?1,
       settled_at = settled_at - ?1`,
    days * DAY_MS,
  );

const unasked = async (): Promise<never> => {
  throw new Error("Nothing is asked here.");
};
const SMALL = {
  env: () => env,
  inbox: { acceptBatch: unasked, configure: unasked },
  now: Date.now,
  wake: () => {},
  mostBytes: 1_000_000,
};

/** Sweeps until the inbox has less than a megabyte. */
async function makeRoom(inbox: TestInbox): Promise<void> {
  await runInDurableObject(inbox.object, (_, { storage }) => {
    const { retention } = createComponents(storage, SMALL);
    expect(retention.isOverfull).toBe(true);
    for (let n = 0; n < 5 && retention.isOverfull; n += 1) retention.sweep(30, Date.now());
    expect(retention.isOverfull).toBe(false);
  });
}

const statuses = async (inbox: TestInbox) =>
  (await inbox.api.list(wholeLog)).entries.map(({ status }) => status).sort();

const stored = (inbox: TestInbox) =>
  runInDurableObject(inbox.object, (_, { storage }) => [...storage.kv.list()].length);

/** One request in each status, with bodies that are kept in pieces. */
async function fill(inbox: TestInbox) {
  const body = new Uint8Array(100_000).fill(120);
  const receive = (decision: Decision) => arrive(inbox, { request: { body }, decision });
  const failed = await receive(accepting({ eventId: "evt_failed" }));
  const running = await receive(accepting({ eventId: "evt_running" }));
  await receive(accepting({ eventId: "evt_failed" }));
  await receive(accepting());
  await inbox.api.acknowledge([
    { requestId: failed, kind: "failed", errors: [] },
    { requestId: running, kind: "handed" },
  ]);
  return { failed, running };
}

describe("retention", () => {
  it("removes only entries that ended long ago, with their bodies and claims", async () => {
    const inbox = await openInbox({ retentionDays: 5 });
    const { running } = await fill(inbox);
    await age(inbox, 4);
    await wake(inbox);
    expect(await statuses(inbox)).toEqual(["duplicate", "failed", "queued", "running"]);
    await age(inbox, 2);
    await wake(inbox);
    expect(await statuses(inbox)).toEqual(["queued", "running"]);
    expect(await inbox.api.claimOf("evt_failed")).toBeNull();
    expect(await inbox.api.claimOf("evt_running")).toMatchObject({ requestId: running });
    expect(await inbox.sql("SELECT count(*) AS n FROM chunks")).toEqual([{ n: 2 }]);
    const { executionId = null } = (await entryOf(inbox, running)) ?? {};
    await inbox.api.report(endOf({ requestId: running, executionId }, { finishedAt: Date.now() }));
    await wake(inbox);
    expect(await statuses(inbox)).toEqual(["queued", "succeeded"]);
  });

  it("runs in batches until all is removed", async () => {
    const inbox = await openInbox({ retentionDays: 1 });
    const arrivals = Array.from({ length: 250 }, () => inbox.arrival({ decision: invalid }));
    await Promise.all([inbox.arrival(), ...arrivals].map((arrival) => inbox.api.accept(arrival)));
    await age(inbox, 2);
    await wake(inbox);
    await expect.poll(() => statuses(inbox)).toEqual(["queued"]);
  });

  it("deletes all of a deleted endpoint after its log has expired", async () => {
    const inbox = await openInbox({ retentionDays: 5 });
    const { running } = await fill(inbox);
    await change(inbox, { deleted: true, retentionDays: 1, workflow: null });
    await age(inbox, 2);
    await wake(inbox);
    expect(await statuses(inbox)).toHaveLength(4);
    await age(inbox, 4);
    await wake(inbox);
    expect(await statuses(inbox)).toEqual(["queued", "running"]);
    const ids = (await inbox.api.list(wholeLog)).entries.map(({ requestId }) => requestId);
    const { items } = await inbox.api.workBatch(ids);
    await inbox.api.acknowledge(handed([...items.map(({ requestId }) => requestId), running]));
    for (const requestId of ids) {
      const { executionId = null } = (await entryOf(inbox, requestId)) ?? {};
      await inbox.api.report(endOf({ requestId, executionId }));
    }
    await age(inbox, 6);
    await wake(inbox);
    expect(await stored(inbox)).toBe(0);
    expect(await inbox.api.accept(inbox.arrival())).toEqual({ kind: "behind" });
    await inbox.api.configure(inbox.config);
    expect(await stored(inbox)).toBe(0);
  });

  it("sets no alarm for removed entries, even if something else was due", async () => {
    const inbox = await openInbox();
    await change(inbox, { deleted: true, workflow: null });
    await inbox.api.expectChange();
    await runInDurableObject(inbox.object, (_, { storage }) => {
      storage.kv.put("wakeups", { retain: 1, look: 2 });
    });
    await inbox.evict();
    await runDurableObjectAlarm(inbox.object);
    await runInDurableObject(inbox.object, async (_, { storage }) => {
      expect([...storage.kv.list()]).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });
});

describe("storage", () => {
  it("is freed from the oldest bodies, and their entries note it", async () => {
    const inbox = await openInbox();
    const body = new Uint8Array(200_000).fill(120);
    const waiting = await arrive(inbox, { request: { body } });
    const others: string[] = [];
    for (let n = 0; n < 9; n += 1) others.push(await arrive(inbox, { request: { body } }));
    await inbox.api.acknowledge(
      others.map((requestId) => ({ requestId, kind: "failed", errors: [] })),
    );
    await makeRoom(inbox);
    const bodyOf = async (requestId = "") => (await inbox.api.entry(requestId))?.request;
    expect(await bodyOf(waiting)).toMatchObject({ bodyTruncated: false });
    expect((await bodyOf(waiting))?.body).toHaveLength(200_000);
    expect(await bodyOf(others[0])).toMatchObject({ body: null, bodyTruncated: true });
    expect((await inbox.api.list(wholeLog)).entries).toHaveLength(10);
  });

  it("is freed as soon as it is full, before the next planned check", async () => {
    const inbox = await openInbox();
    const body = new Uint8Array(9_000_000);
    const next = async () => {
      await arrive(inbox, { request: { body } });
      return await runInDurableObject(inbox.object, (_, { storage }) => {
        const { retain } = storage.kv.get<Record<string, number>>("wakeups") ?? {};
        return Number(retain) - Date.now();
      });
    };
    await runInDurableObject(inbox.object, (_, { storage }) => {
      Object.defineProperty(storage.sql, "databaseSize", { get: () => MOST_BYTES + 1 });
    });
    expect(await next()).toBeGreaterThan(60_000);
    for (let n = 0; n < 6; n += 1) await next();
    expect(await next()).toBeLessThan(1_000);
  });

  it("is freed from unauthenticated requests before authenticated ones", async () => {
    const inbox = await openInbox({ workflow: null });
    const body = new Uint8Array(200_000).fill(120);
    const forged = refusing("signature");
    const receive = (decision: Decision) => arrive(inbox, { request: { body }, decision });
    const genuine = [await receive(invalid), await receive(invalid)];
    for (let n = 0; n < 10; n += 1) await receive(forged);
    genuine.push(await receive(invalid));
    await makeRoom(inbox);
    const { entries } = await inbox.api.list(wholeLog);
    expect(entries.map(({ requestId }) => requestId)).toEqual(genuine.reverse());
    for (const requestId of genuine) {
      expect((await inbox.api.entry(requestId))?.request.body).toHaveLength(200_000);
    }
  });
});

describe("an announced change", () => {
  const announced = async (changes: Partial<EndpointConfig>) => {
    const accountId = `acc_${crypto.randomUUID()}`;
    const inbox = await openInbox({ accountId, workflow: null });
    await inbox.api.accept(inbox.arrival());
    await inbox.api.expectChange();
    await insertEndpoint(env.DB, { ...inbox.config, version: 2, ...changes }, 100);
    return inbox;
  };
  const name = async (inbox: TestInbox) => {
    const receipt = await inbox.api.accept(inbox.arrival());
    return receipt.kind === "outdated" ? receipt.config.name : receipt.kind;
  };

  /** Lets the alarm fire so many milliseconds from now. */
  const wakeLater = async (inbox: TestInbox, ms: number) => {
    const now = Date.now;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
    await runDurableObjectAlarm(inbox.object);
    clock.mockRestore();
  };

  it("that arrives with a newer one does not replace that", async () => {
    const inbox = await announced({ name: "renamed" });
    await inbox.api.configure({ ...inbox.config, version: 3, name: "renamed again" });
    await wake(inbox);
    expect(await name(inbox)).toBe("renamed again");
  });

  it("that never arrives is read from the database, again if that does not answer", async () => {
    const inbox = await announced({ version: 3, name: "renamed again" });
    await inbox.api.configure({ ...inbox.config, version: 2, name: "renamed" });
    await runInDurableObject(inbox.object, (instance) => {
      Reflect.set(instance, "env", { ...env, DB: null });
    });
    const { look: first = 0 } = await planned(inbox);
    await wakeLater(inbox, 4_000);
    expect((await planned(inbox)).look).toBeGreaterThan(first);
    await wake(inbox);
    await expect.poll(() => name(inbox)).toBe("renamed again");
  });

  it("is read a second time, in case the first read preceded the change", async () => {
    const inbox = await openInbox({ workflow: null });
    await inbox.api.expectChange();
    const { look: first = 0 } = await planned(inbox);
    await wakeLater(inbox, 4_000);
    const { look, lookAgain = 0 } = await planned(inbox);
    expect(look).toBeUndefined();
    expect(lookAgain).toBeGreaterThan(first + 30_000);
  });
});

it("an inbox of older code is readable", async () => {
  const inbox = await openInbox({ workflow });
  await inbox.api.accept(inbox.arrival({ decision: accepting({ eventId: "evt_1" }) }));
  // What the first version of the log wrote.
  await inbox.sql("UPDATE requests SET facts = ?, outcome = ?", FACTS_V1, OUTCOME_V1);
  await inbox.evict();
  expect((await inbox.api.list(wholeLog)).entries).toMatchObject([
    { method: "POST", eventId: "evt_1", status: "queued", errors: [] },
  ]);
});

const OUTCOME_V1 = '{"errors":[],"warnings":["w"]}';
const FACTS_V1 =
  '{"v":1,"method":"POST","path":"/hooks/orders","query":{"a":"1"},"headers":{"x":"y"},' +
  '"contentType":"application/json","sourceIp":"203.0.113.7","replayOf":null,"edited":false,' +
  '"httpStatus":202,"diagnosis":[],"receipt":{"kind":"accepted","executionId":null,"duplicate":false}}';
