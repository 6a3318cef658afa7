import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Decision, Receipt } from "../../../src/contract/webhooks/inbox.ts";
import { restoreRateLimiter } from "../../../src/endpoints/acceptance.ts";
import { OverLimit } from "../../../src/endpoints/usage.ts";
import {
  accepting,
  arrive,
  openInbox,
  refusing,
  type TestInbox,
  unknownInbox,
  wholeLog,
} from "../../support/worker/inboxes.ts";

const refused = (stage: "method" | "signature", eventId: string | null = null): Decision =>
  refusing(stage, {
    httpStatus: 401,
    errors: [{ stage, rule: "mismatch", message: "no" }],
    diagnosis: ["hex was sent, base64 is configured"],
    eventId,
  });

const event = (eventId: string): Decision => accepting({ eventId });

const entriesOf = async (inbox: TestInbox) => (await inbox.api.list(wholeLog)).entries;

async function accept(inbox: TestInbox, decision: Decision = accepting()) {
  const receipt = await inbox.api.accept(inbox.arrival({ decision }));
  if (receipt.kind !== "accepted") throw new Error(receipt.kind);
  return receipt;
}

/** The number of requests beyond a limit in this hour and in `hours` before it. */
async function overLimit(inbox: TestInbox, hours = 0) {
  const hour = 3_600_000;
  const from = Math.floor(Date.now() / hour) * hour;
  const range = { from: from - hours * hour, to: from + hour, bucketMs: hour, samples: 1 };
  return (await inbox.api.usage(range)).overLimit.reduce((sum, each) => sum + each.count, 0);
}

const count = (receipts: Receipt[], kind: Receipt["kind"]) =>
  receipts.filter((receipt) => receipt.kind === kind).length;

it("an unconfigured inbox reports that it is behind, and writes nothing", async () => {
  const inbox = unknownInbox();
  expect(await inbox.api.accept(inbox.arrival())).toEqual({ kind: "behind" });
  expect(await inbox.api.list(wholeLog)).toEqual({ entries: [], next: null });
  const range = { from: 0, to: 3_600_000, bucketMs: 3_600_000 };
  const nothing = { countedFrom: 0, queuedCount: 0, overLimit: [], strata: [] };
  expect(await inbox.api.usage(range)).toEqual(nothing);
  await inbox.api.expectChange();
  await runInDurableObject(inbox.object, async (_, { storage }) => {
    expect([...storage.kv.list()]).toEqual([]);
    expect(await storage.getAlarm()).toBeNull();
  });
});

it("a request is stored only under the newest configuration, which a late one does not replace", async () => {
  const inbox = await openInbox();
  const newer = { ...inbox.config, version: 3, name: "renamed" };
  const early = { ...inbox.arrival(), configVersion: 3 };
  expect(await inbox.api.accept(early)).toEqual({ kind: "behind" });
  await inbox.api.configure(newer);
  expect(await inbox.api.accept(inbox.arrival())).toEqual({ kind: "outdated", config: newer });
  expect(await entriesOf(inbox)).toEqual([]);
  for (const version of [2, 3]) await inbox.api.configure({ ...newer, version, workflow: null });
  const executionId = expect.any(String);
  expect(await inbox.api.accept(early)).toMatchObject({ kind: "accepted", executionId });
});

it("a configuration of older code has a new endpoint's defaults for later settings", async () => {
  const inbox = await openInbox({ onDuplicate: "run" });
  await inbox.sql(
    "UPDATE configs SET config = json_remove(config, '$.onDuplicate', '$.retentionDays')",
  );
  await inbox.evict();
  const arrival = inbox.arrival({ decision: event("evt_1") });
  expect(await inbox.api.accept(arrival)).toMatchObject({ kind: "accepted" });
  const again = inbox.arrival({ decision: event("evt_1") });
  expect(await inbox.api.accept(again)).toMatchObject({ kind: "duplicate" });
});

describe("a request that is accepted", () => {
  it("gets the same receipt if it is repeated", async () => {
    const inbox = await openInbox();
    const arrival = inbox.arrival();
    const first = await inbox.api.accept(arrival);
    await inbox.evict();
    expect(await inbox.api.accept(arrival)).toEqual(first);
    await inbox.api.configure({ ...inbox.config, version: 2 });
    expect(await inbox.api.accept(arrival)).toEqual(first);
    expect(await entriesOf(inbox)).toHaveLength(1);
    expect(await inbox.api.queuedCount()).toBe(1);
  });

  it("writes an entry, and no alarm if one is set", async () => {
    const inbox = await openInbox();
    await accept(inbox, event("first"));
    await runInDurableObject(inbox.object, async (_, { storage }) => {
      const before = await storage.getAlarm();
      const rows = () => storage.sql.exec("SELECT total_changes() AS n").one().n;
      const changes = rows();
      await accept(inbox, event("second"));
      expect(Number(rows()) - Number(changes)).toBe(1);
      expect(await storage.getAlarm()).toBe(before);
    });
  });
});

describe("an event id", () => {
  it("starts one execution for concurrent copies", async () => {
    const inbox = await openInbox();
    const receipts = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        inbox.api.accept(inbox.arrival({ decision: event(`evt_${n % 20}`) })),
      ),
    );
    expect(count(receipts, "accepted")).toBe(20);
    expect(count(receipts, "duplicate")).toBe(80);
    expect(await inbox.api.queuedCount()).toBe(20);
  });

  it("is answered with the first request and execution", async () => {
    const inbox = await openInbox();
    const first = inbox.arrival({ decision: event("evt_1") });
    const receipt = await inbox.api.accept(first);
    if (receipt.kind !== "accepted") throw new Error(receipt.kind);
    const { executionId } = receipt;
    const { requestId } = first.request;
    expect(await inbox.api.accept(inbox.arrival({ decision: event("evt_1") }))).toEqual({
      kind: "duplicate",
      executionId,
      requestId,
    });
    expect(await inbox.api.claimOf("evt_1")).toEqual({ requestId, executionId });
    const [duplicate] = (await inbox.api.list({ ...wholeLog, duplicate: true })).entries;
    expect(duplicate).toMatchObject({ status: "duplicate", httpStatus: 200, executionId });
  });

  it("runs again if the endpoint allows it, flagged", async () => {
    const inbox = await openInbox({ onDuplicate: "run" });
    const first = await accept(inbox, event("evt_1"));
    const second = await accept(inbox, event("evt_1"));
    expect(second.duplicate).toBe(true);
    expect(second.executionId).not.toBe(first.executionId);
    expect(await inbox.api.queuedCount()).toBe(2);
    const claim = await inbox.api.claimOf("evt_1");
    expect(claim?.executionId).toBe(first.executionId);
    const [again] = await entriesOf(inbox);
    expect(again?.duplicateOf).toBe(claim?.requestId);
  });

  it("stays claimed if the start of the first request failed", async () => {
    const inbox = await openInbox();
    const requestId = await arrive(inbox, { decision: event("evt_1") });
    const errors = [{ stage: "start" as const, rule: "dead_letter", message: "gave up" }];
    await inbox.api.acknowledge([{ requestId, kind: "failed", errors }]);
    const again = await inbox.api.accept(inbox.arrival({ decision: event("evt_1") }));
    expect(again).toMatchObject({ kind: "duplicate", requestId });
  });

  it("is not claimed or checked by a replay", async () => {
    const inbox = await openInbox();
    const requestId = await arrive(inbox, { decision: event("evt_1") });
    const replay = inbox.arrival({ request: { replayOf: requestId }, decision: event("evt_1") });
    expect(await inbox.api.accept(replay)).toMatchObject({ kind: "accepted", duplicate: false });
    const { items } = await inbox.api.workBatch([replay.request.requestId]);
    expect(items).toMatchObject([{ origin: "replay" }]);
    expect(await inbox.api.claimOf("evt_1")).toMatchObject({ requestId });
  });
});

it("a refused request is logged with its reasons, and claims no event id", async () => {
  const inbox = await openInbox();
  const decision = refused("signature", "evt_1");
  expect(await inbox.api.accept(inbox.arrival({ decision }))).toEqual({ kind: "noted" });
  expect(await entriesOf(inbox)).toMatchObject([
    {
      status: "rejected",
      httpStatus: 401,
      errors: [{ stage: "signature" }],
      diagnosis: ["hex was sent, base64 is configured"],
      eventId: "evt_1",
      executionId: null,
    },
  ]);
  expect(await inbox.api.claimOf("evt_1")).toBeNull();
  expect(await accept(inbox, event("evt_1"))).toMatchObject({ duplicate: false });
});

describe("the rate", () => {
  it("is separate for authenticated senders and all others, and is not forgotten by an eviction", async () => {
    const inbox = await openInbox({ requestsPerMinute: 5 });
    const receive = (decision: Decision) => inbox.api.accept(inbox.arrival({ decision }));
    for (let n = 0; n < 5; n += 1)
      expect(await receive(refused(n % 2 ? "method" : "signature"))).toEqual({ kind: "noted" });
    for (const stage of ["method", "signature"] as const)
      expect(await receive(refused(stage))).toMatchObject({ kind: "rate_limited" });
    expect(await entriesOf(inbox)).toHaveLength(5);
    // Forgers block nobody.
    for (let n = 0; n < 5; n += 1) await accept(inbox);
    expect(await receive(accepting())).toMatchObject({ kind: "rate_limited" });
    expect(await overLimit(inbox)).toBe(3);
    await inbox.evict();
    expect(await receive(accepting())).toMatchObject({ kind: "rate_limited" });
  });

  it("is smaller for unverified requests, however high the limit of the endpoint", async () => {
    const inbox = await openInbox({ requestsPerMinute: 1_000_000 });
    const decision = refused("signature");
    const receipts = await Promise.all(
      Array.from({ length: 100 }, () => inbox.api.accept(inbox.arrival({ decision }))),
    );
    expect(count(receipts, "noted")).toBe(60);
  });

  it("is restored from the last minute of the log only", async () => {
    const inbox = await openInbox({ requestsPerMinute: 100 });
    await Promise.all(Array.from({ length: 100 }, () => inbox.api.accept(inbox.arrival())));
    await runInDurableObject(inbox.object, (_, { storage }) => {
      storage.sql.exec("UPDATE requests SET arrived_at = arrived_at - 61000 WHERE seq <= 90");
      let cursor: { rowsRead: number } = { rowsRead: 0 };
      const exec: typeof storage.sql.exec = (query, ...values) => {
        const read = storage.sql.exec<never>(query, ...values);
        cursor = read;
        return read;
      };
      restoreRateLimiter({ ...storage.sql, exec }, Date.now());
      expect(cursor.rowsRead).toBeGreaterThan(9);
      expect(cursor.rowsRead).toBeLessThan(15);
    });
  });

  it("counts requests above it, which claim no event, and those that never reached the inbox", async () => {
    const inbox = await openInbox({ requestsPerMinute: 1 });
    await accept(inbox);
    const arrival = { ...inbox.arrival({ decision: event("evt_1") }), turnedAway: 7 };
    expect(await inbox.api.accept(arrival)).toMatchObject({ kind: "rate_limited" });
    expect(await inbox.api.claimOf("evt_1")).toBeNull();
    await runInDurableObject(inbox.object, (_, { storage }) => {
      const counts = new OverLimit(storage.kv);
      counts.add(100, Date.now() - 3_600_000);
      counts.flush();
    });
    expect(await overLimit(inbox, 1)).toBe(108);
  });
});

describe("without a workflow", () => {
  it("no more than ten thousand are held, and of a batch all or none", async () => {
    const inbox = await openInbox({ workflow: null });
    await accept(inbox, event("evt_1"));
    await inbox.sql(
      `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
       INSERT INTO work (seq, execution_id, config_version, released, body_bytes)
       SELECT i * 1000, NULL, NULL, 0, 0 FROM n`,
    );
    await evictDurableObject(inbox.object);
    const two = [inbox.arrival(), inbox.arrival()];
    expect(await inbox.api.acceptBatch(two)).toMatchObject([{ kind: "full" }]);
    await accept(inbox);
    const arrival = inbox.arrival({ decision: event("evt_2") });
    expect(await inbox.api.accept(arrival)).toMatchObject({ kind: "full" });
    expect(await inbox.api.entry(arrival.request.requestId)).toMatchObject({
      entry: { status: "rejected", httpStatus: 429, errors: [{ rule: "queue_full" }] },
    });
    expect(await inbox.api.claimOf("evt_2")).toBeNull();
    const repeat = inbox.arrival({ decision: event("evt_1") });
    expect(await inbox.api.accept(repeat)).toMatchObject({ kind: "duplicate" });
  });

  it("no more than a gibibyte is held", async () => {
    const inbox = await openInbox({ workflow: null });
    await accept(inbox);
    await inbox.sql("UPDATE work SET body_bytes = ?", 1_073_741_824 - 12);
    await evictDurableObject(inbox.object);
    expect(await inbox.api.accept(inbox.arrival())).toMatchObject({ kind: "full" });
    const small = inbox.arrival({ request: { body: new Uint8Array(12) } });
    expect(await inbox.api.accept(small)).toMatchObject({ kind: "accepted" });
  });
});
