import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Deliveries, type Delivery } from "../../../src/agent/store/deliveries.ts";
import { SESSION_SCHEMA } from "../../../src/agent/store/session-store.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { env } from "../../support/worker/objects.ts";

const NOW = 1_000_000;
const OWED: Parameters<Deliveries["add"]>[0] = {
  event: "execution.completed",
  webhookId: "msg_1",
  url: "https://a.example",
  snapshot: null,
};
const answered = (status: number) => ({
  at: NOW,
  durationMs: 5,
  status,
  error: null,
  retryAfterMs: null,
});

/** Lets `use` work with the deliveries of a session that owes this one since `NOW`. */
function withDeliveries(
  use: (deliveries: Deliveries, storage: DurableObjectStorage) => void,
  owed = OWED,
) {
  const object = env.SESSION.getByName(crypto.randomUUID());
  return runInDurableObject(object, (_, { storage }) => {
    migrate(storage, SESSION_SCHEMA);
    const deliveries = new Deliveries(storage);
    deliveries.add(owed, NOW);
    use(deliveries, storage);
  });
}

/** The only delivery that is to be sent now. */
function due(deliveries: Deliveries, now: number): Delivery {
  const [first, ...others] = deliveries.toSend(now);
  if (first === undefined || others.length > 0) throw new Error("not exactly one is due");
  return first;
}

describe("a delivery that is owed", () => {
  it("is sent at once, and looked at again when that was forgotten", async () => {
    await withDeliveries((deliveries) => {
      expect(due(deliveries, NOW)).toMatchObject({ delivery_id: "del_1", attempt: 1 });
      expect(deliveries.nextCheck()).toBe(NOW + 2_000);
    });
  });

  it("is sent again ever more rarely while nobody takes it up", async () => {
    await withDeliveries((deliveries) => {
      const waits: number[] = [];
      let now = NOW;
      for (let n = 0; n < 8; n += 1) {
        deliveries.sent(due(deliveries, now), now);
        expect(deliveries.toSend(now)).toEqual([]);
        const next = deliveries.nextCheck() ?? 0;
        waits.push((next - now) / 1_000);
        now = next;
      }
      expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
    });
  });

  it("is not waited for longer after an outage of the queue", async () => {
    await withDeliveries((deliveries) => {
      let now = NOW;
      for (let n = 0; n < 20; n += 1) {
        const delivery = due(deliveries, now);
        deliveries.sent(delivery, now);
        deliveries.notSent(delivery, now);
        expect(deliveries.nextCheck()).toBe(now + 2_000);
        now += 2_000;
      }
      deliveries.sent(due(deliveries, now), now);
      expect(deliveries.nextCheck()).toBeLessThanOrEqual(now + 20_000);
    });
  });
});

describe("a body that is kept as it was", () => {
  it.each([
    ["short", 10],
    ["longer than what one value takes", 3_000_000],
  ])("is the same at each attempt, and gone with the last: %s", async (_, length) => {
    const snapshot = "字".repeat(length);
    await withDeliveries(
      (deliveries, { kv }) => {
        for (const attempt of [1, 2]) {
          const body = deliveries.begin("del_1", attempt, NOW)?.snapshot;
          expect(body === snapshot, `attempt ${attempt}`).toBe(true);
          deliveries.end("del_1", attempt, answered(500), { now: NOW, random: 0 });
        }
        deliveries.end("del_1", 3, answered(204), { now: NOW, random: 0 });
        expect([...kv.list({ prefix: "callback/" })]).toEqual([]);
      },
      { ...OWED, snapshot },
    );
  });
});

describe("an attempt", () => {
  it("belongs to whoever took it up, until the lease ends", async () => {
    await withDeliveries((deliveries) => {
      deliveries.sent(due(deliveries, NOW), NOW);
      expect(deliveries.begin("del_1", 1, NOW)).not.toBeNull();
      expect(deliveries.begin("del_1", 1, NOW + 44_999)).toBeNull();
      expect(deliveries.toSend(NOW + 44_999)).toEqual([]);
      expect(deliveries.begin("del_1", 1, NOW + 45_000)).not.toBeNull();
    });
  });

  it("is sent anew when its taker died with it", async () => {
    await withDeliveries((deliveries) => {
      deliveries.sent(due(deliveries, NOW), NOW);
      deliveries.begin("del_1", 1, NOW);
      deliveries.sent(due(deliveries, NOW + 45_000), NOW + 45_000);
      expect(deliveries.begin("del_1", 1, NOW + 45_001)).not.toBeNull();
    });
  });

  it("that fails plans the next one, which alone can be taken up then", async () => {
    await withDeliveries((deliveries) => {
      deliveries.begin("del_1", 1, NOW);
      deliveries.end("del_1", 1, answered(500), { now: NOW, random: 0 });
      expect(deliveries.nextCheck()).toBe(NOW + 5_000);
      expect(deliveries.begin("del_1", 1, NOW + 5_000)).toBeNull();
      expect(due(deliveries, NOW + 5_000)).toMatchObject({ attempt: 2, webhook_id: "msg_1" });
    });
  });

  it("that succeeds ends it", async () => {
    await withDeliveries((deliveries) => {
      deliveries.end("del_1", 1, answered(204), { now: NOW, random: 0 });
      expect(deliveries.nextCheck()).toBeNull();
      expect(deliveries.toSend(Number.MAX_SAFE_INTEGER)).toEqual([]);
      expect(deliveries.log()).toMatchObject({ state: "delivered", attempts: [{ status: 204 }] });
    });
  });

  it("is the last after ten failures", async () => {
    await withDeliveries((deliveries) => {
      let attempts = 0;
      for (let now = deliveries.nextCheck(); now !== null; now = deliveries.nextCheck()) {
        attempts += 1;
        deliveries.begin("del_1", attempts, now);
        deliveries.end("del_1", attempts, answered(503), { now, random: 0 });
      }
      expect(attempts).toBe(10);
      expect(deliveries.log()).toMatchObject({ state: "failed" });
    });
  });
});
