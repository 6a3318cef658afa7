import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { UsageRange } from "../../../src/contract/usage.ts";
import type { Decision } from "../../../src/contract/webhooks/inbox.ts";
import { EndpointInbox } from "../../../src/endpoints/inbox.ts";
import { countUsage } from "../../../src/endpoints/usage.ts";
import {
  accepting,
  arrive,
  endOf,
  openInbox,
  refusing,
  type TestInbox,
} from "../../support/worker/inboxes.ts";

const HOUR_MS = 3_600_000;
const AT = 472_222 * HOUR_MS;
const day: UsageRange = { from: AT, to: AT + 24 * HOUR_MS, bucketMs: HOUR_MS };

/** Lets a request arrive at this time. */
const arriveAt = (inbox: TestInbox, receivedAt: number, decision = refused) =>
  arrive(inbox, { request: { receivedAt }, decision });

const refused: Decision = refusing("validation");
const event = accepting({ eventId: "evt" });

describe("the usage of an inbox", () => {
  it("counts entries by the hour of their arrival and by their status", async () => {
    const inbox = await openInbox();
    for (const at of [AT, AT + HOUR_MS - 1, AT + HOUR_MS]) await arriveAt(inbox, at);
    await arriveAt(inbox, AT + HOUR_MS - 1, event);
    await arriveAt(inbox, AT + 2 * HOUR_MS, event);
    // Out of the range, by a millisecond.
    await arriveAt(inbox, AT - 1, accepting());
    await arriveAt(inbox, day.to);
    const { countedFrom, queuedCount, strata } = await inbox.api.usage(day);
    expect(countedFrom).toBe(AT);
    expect(queuedCount).toBe(2);
    expect(strata).toEqual([
      { start: AT, status: "queued", count: 1 },
      { start: AT, status: "rejected", count: 2 },
      { start: AT + HOUR_MS, status: "rejected", count: 1 },
      { start: AT + 2 * HOUR_MS, status: "duplicate", count: 1 },
    ]);
  });

  it("counts a request by the status that it has now, whether an index has that or not", async () => {
    const inbox = await openInbox();
    const start = async () => {
      const arrival = inbox.arrival({ request: { receivedAt: AT } });
      const receipt = await inbox.api.accept(arrival);
      const executionId = receipt.kind === "accepted" ? receipt.executionId : null;
      return { requestId: arrival.request.requestId, executionId };
    };
    const runs = [await start(), await start(), await start(), await start()] as const;
    await arriveAt(inbox, AT);
    await inbox.api.report(endOf(runs[0]));
    await inbox.api.report(endOf(runs[1], { status: "failed" }));
    await inbox.api.report(endOf(runs[2], { status: "active", finishedAt: null }));
    const { queuedCount, strata } = await inbox.api.usage(day);
    expect(queuedCount).toBe(1);
    const counts = strata.map(({ status, count }) => [status, count]);
    expect(Object.fromEntries(counts)).toEqual({
      queued: 1,
      running: 1,
      succeeded: 1,
      failed: 1,
      rejected: 1,
    });
  });

  it("counts only the newest above the limit", async () => {
    const inbox = await openInbox();
    for (const at of [0, 1, 2, 3, 4]) await arriveAt(inbox, AT + at * HOUR_MS + 500);
    await runInDurableObject(inbox.object, async (_, { storage }) => {
      const counted = await countUsage(storage.sql, day, 3);
      expect(counted.countedFrom).toBe(AT + HOUR_MS + 501);
      expect(counted.strata.map(({ start }) => (start - AT) / HOUR_MS)).toEqual([2, 3, 4]);
      const whole = await countUsage(storage.sql, day, 5);
      expect(whole.countedFrom).toBe(AT);
      expect(whole.strata).toHaveLength(5);
    });
  });

  it("lets others have their turn between buckets", async () => {
    const inbox = await openInbox();
    await arriveAt(inbox, AT);
    const late = inbox.arrival({ request: { receivedAt: AT + 23 * HOUR_MS } });
    await runInDurableObject(inbox.object, async (instance, { storage }) => {
      if (!(instance instanceof EndpointInbox)) throw new Error("this is no inbox");
      const counting = countUsage(storage.sql, day);
      // It has counted the first bucket, and this is taken in before the next one.
      await instance.accept(late);
      const { strata } = await counting;
      expect(strata.map(({ start }) => (start - AT) / HOUR_MS)).toEqual([0, 23]);
    });
  });
});
