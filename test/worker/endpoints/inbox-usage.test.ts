import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { UsageRange } from "../../../src/contract/usage.ts";
import type { Decision, RunReport } from "../../../src/contract/webhooks/inbox.ts";
import { isInitialised } from "../../../src/durable/schema.ts";
import { EndpointInbox } from "../../../src/endpoints/inbox.ts";
import { countUsage } from "../../../src/endpoints/usage.ts";
import {
  accepting,
  openInbox,
  refusing,
  type TestInbox,
  unknownInbox,
} from "../../support/worker/inboxes.ts";

const HOUR_MS = 3_600_000;
const AT = 472_222 * HOUR_MS;
const day: UsageRange = { from: AT, to: AT + 24 * HOUR_MS, bucketMs: HOUR_MS };

const refused: Decision = refusing("validation");

/** Lets a request arrive at this time; answers its id, and its execution's. */
async function arriveAt(inbox: TestInbox, receivedAt: number, decision: Decision = accepting()) {
  const arrival = inbox.arrival({ request: { receivedAt }, decision });
  const receipt = await inbox.api.accept(arrival);
  const executionId = receipt.kind === "accepted" ? receipt.executionId : null;
  return { requestId: arrival.request.requestId, executionId };
}

/** Lets one arrive whose run ends like this. */
async function runAt(
  inbox: TestInbox,
  receivedAt: number,
  status: RunReport["status"] = "completed",
) {
  const { requestId, executionId } = await arriveAt(inbox, receivedAt);
  if (executionId === null) throw new Error("it was not accepted");
  await inbox.api.report({
    requestId,
    executionId,
    version: 3,
    status,
    startedAt: receivedAt + 20,
    finishedAt: receivedAt + 900,
    error: null,
  });
}

describe("the usage of an inbox", () => {
  it("counts entries by the hour of their arrival and by their status", async () => {
    const inbox = await openInbox();
    await runAt(inbox, AT);
    await runAt(inbox, AT + HOUR_MS - 1);
    await runAt(inbox, AT + HOUR_MS - 1, "failed");
    await arriveAt(inbox, AT + HOUR_MS, refused);
    await arriveAt(inbox, AT + HOUR_MS, accepting({ eventId: "evt" }));
    await arriveAt(inbox, AT + 2 * HOUR_MS, accepting({ eventId: "evt" }));
    // Out of the range, by a millisecond.
    await arriveAt(inbox, AT - 1);
    await arriveAt(inbox, day.to);
    const { countedFrom, queuedCount, strata } = await inbox.api.usage(day);
    expect(countedFrom).toBe(AT);
    expect(queuedCount).toBe(3);
    expect(strata).toEqual([
      { start: AT, status: "failed", count: 1 },
      { start: AT, status: "succeeded", count: 2 },
      { start: AT + HOUR_MS, status: "queued", count: 1 },
      { start: AT + HOUR_MS, status: "rejected", count: 1 },
      { start: AT + 2 * HOUR_MS, status: "duplicate", count: 1 },
    ]);
  });

  it("counts the newest where there are more than can be counted", async () => {
    const inbox = await openInbox();
    for (const at of [0, 1, 2, 3, 4]) await arriveAt(inbox, AT + at * HOUR_MS + 500, refused);
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
    await arriveAt(inbox, AT, refused);
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

  it("is nothing, and makes nothing, where nobody was ever told of the endpoint", async () => {
    const inbox = unknownInbox();
    expect(await inbox.api.usage(day)).toEqual({
      countedFrom: AT,
      queuedCount: 0,
      overLimit: [],
      strata: [],
    });
    await runInDurableObject(inbox.object, (_, { storage }) => {
      expect(isInitialised(storage)).toBe(false);
    });
  });
});
