import { describe, expect, it } from "vitest";
import {
  addDelivery,
  attemptBegun,
  attemptEnded,
  type Deliveries,
  type Delivery,
  deliveriesToSend,
  dueDelivery,
  messageRefused,
  messageSent,
  NO_DELIVERIES,
  nextCheck,
} from "../../../src/deliveries/pending.ts";

const NOW = 1_000_000;
const owed = addDelivery(
  NO_DELIVERIES,
  {
    event: "execution.completed",
    webhookId: "msg_1",
    url: "https://a.example",
    hasSnapshot: false,
  },
  NOW,
);
const answered = (status: number) => ({
  at: NOW,
  durationMs: 5,
  status,
  error: null,
  retryAfterMs: null,
});

/** The only delivery that is to be sent now. */
function due(deliveries: Deliveries, now: number): Delivery {
  const [first, ...others] = deliveriesToSend(deliveries, now);
  if (first === undefined || others.length > 0) throw new Error("not exactly one is due");
  return first;
}

/** The deliveries once this attempt of the only one was answered. */
function answeredWith(deliveries: Deliveries, attempt: number, status: number, now = NOW) {
  const which = { deliveryId: "del_1", attempt };
  const ended = attemptEnded(deliveries, which, answered(status), { now, random: 0 });
  if (ended === null) throw new Error("the attempt was reported before");
  return ended;
}

describe("a pending delivery", () => {
  it("is sent at once, and checked again if that was lost", () => {
    expect(due(owed, NOW)).toMatchObject({ deliveryId: "del_1", attempt: 1 });
    expect(nextCheck(owed)).toBe(NOW + 2_000);
  });

  it("stays due from its event, or from its plan, until its attempt has ended", () => {
    const dueAt = ({ pending: [only] }: Deliveries) => only?.dueAt;
    const sent = messageSent(owed, "del_1", NOW + 60_000);
    expect(dueAt(attemptBegun(sent, "del_1", NOW + 70_000))).toBe(NOW);
    const again = answeredWith(sent, 1, 500, NOW + 80_000);
    expect(dueAt(again.deliveries)).toBe(nextCheck(again.deliveries));
    const resent = messageSent(again.deliveries, "del_1", NOW + 90_000);
    expect(dueAt(resent)).toBe(dueAt(again.deliveries));
  });

  it("is resent with growing gaps until a consumer takes it", () => {
    const waits: number[] = [];
    let [deliveries, now] = [owed, NOW];
    for (let n = 0; n < 8; n += 1) {
      deliveries = messageSent(deliveries, due(deliveries, now).deliveryId, now);
      expect(deliveriesToSend(deliveries, now)).toEqual([]);
      const next = nextCheck(deliveries) ?? 0;
      waits.push((next - now) / 1_000);
      now = next;
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
  });

  it("is not delayed by an outage of the queue", () => {
    let [deliveries, now] = [owed, NOW];
    for (let n = 0; n < 20; n += 1) {
      const { deliveryId } = due(deliveries, now);
      deliveries = messageRefused(messageSent(deliveries, deliveryId, now), deliveryId, now);
      expect(nextCheck(deliveries)).toBe(now + 2_000);
      now += 2_000;
    }
    deliveries = messageSent(deliveries, due(deliveries, now).deliveryId, now);
    expect(nextCheck(deliveries)).toBeLessThanOrEqual(now + 20_000);
  });
});

describe("an attempt", () => {
  const sent = messageSent(owed, "del_1", NOW);
  const begun = attemptBegun(sent, "del_1", NOW);

  it("belongs to its consumer until the lease ends, then is resent", () => {
    expect(dueDelivery(sent, "del_1", 1, NOW)).not.toBeNull();
    expect(dueDelivery(begun, "del_1", 1, NOW + 44_999)).toBeNull();
    expect(deliveriesToSend(begun, NOW + 44_999)).toEqual([]);
    expect(dueDelivery(begun, "del_1", 1, NOW + 45_000)).not.toBeNull();
    const again = messageSent(begun, due(begun, NOW + 45_000).deliveryId, NOW + 45_000);
    expect(dueDelivery(again, "del_1", 1, NOW + 45_001)).not.toBeNull();
  });

  it("that fails schedules the next one, which is then the only valid attempt", () => {
    const { deliveries } = answeredWith(begun, 1, 500);
    expect(nextCheck(deliveries)).toBe(NOW + 5_000);
    expect(dueDelivery(deliveries, "del_1", 1, NOW + 5_000)).toBeNull();
    expect(due(deliveries, NOW + 5_000)).toMatchObject({ attempt: 2, webhookId: "msg_1" });
  });

  it("that succeeds ends it", () => {
    const { deliveries, attempt } = answeredWith(begun, 1, 204);
    expect(deliveries).toEqual({ pending: [], count: 1, latest: "delivered" });
    expect(attempt).toMatchObject({ status: 204, attempt: 1 });
  });

  it("that succeeds leaves another delivery pending, whichever of them is newer", () => {
    const elsewhere = { event: "execution.completed", webhookId: "msg_1", hasSnapshot: false };
    const both = addDelivery(begun, { ...elsewhere, url: "https://other.example/" }, NOW);
    const which = { deliveryId: "del_2", attempt: 1 };
    const second = attemptEnded(both, which, answered(204), { now: NOW, random: 0 });
    expect(second?.deliveries).toMatchObject({ latest: "pending", pending: begun.pending });
    const { deliveries } = answeredWith(second?.deliveries ?? owed, 1, 410);
    expect(deliveries).toMatchObject({ latest: "failed", pending: [] });
  });

  it("that is reported twice changes nothing", () => {
    const { deliveries } = answeredWith(begun, 1, 500);
    const which = { deliveryId: "del_1", attempt: 1 };
    expect(attemptEnded(deliveries, which, answered(204), { now: NOW, random: 0 })).toBeNull();
  });

  it("is the last after ten failures", () => {
    let attempts = 0;
    let deliveries = owed;
    for (let now = nextCheck(owed); now !== null; now = nextCheck(deliveries)) {
      attempts += 1;
      deliveries = attemptBegun(deliveries, "del_1", now);
      ({ deliveries } = answeredWith(deliveries, attempts, 503, now));
    }
    expect(attempts).toBe(10);
    expect(deliveries.latest).toBe("failed");
  });
});
