import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Destinations } from "../../../src/accounts/destinations.ts";
import { Messages } from "../../../src/accounts/messages.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { OwedAddress } from "../../../src/contract/callbacks.ts";
import { MAX_PENDING_DELIVERIES } from "../../../src/contract/destinations.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { destinationOf } from "../../support/destination.ts";
import { tableStorage } from "../../support/table-storage.ts";

const HOUR = 3_600_000;
type Sent = OwedAddress & { deliveryId: string; attempt: number };

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** What an account owes, over a storage that outlives it, with the messages that it put into the queue. */
function account(storage = tableStorage()) {
  migrate(storage, ACCOUNT_SCHEMA);
  const destinations = new Destinations(storage.sql);
  const sent: Sent[] = [];
  const owed = vi.fn();
  const messages = new Messages({
    sql: storage.sql,
    destinations,
    accountId: () => "acc_1",
    send: async (message) => void sent.push(message),
    owed,
    isSubscribed: () => false,
    publish: () => {},
  });
  const rows = () => Number(storage.sql.exec("SELECT count(*) AS n FROM deliveries").one().n);
  return { storage, destinations, messages, sent, owed, rows };
}

const event = (n: number) => ({ key: `e${n}`, at: Date.now(), page: "/", data: { n } });
const REFUSED = { status: 500, error: "It answered 500.", durationMs: 1, retryAfterMs: null };

/** Makes the attempt of the newest message, which the receiver refuses. */
function refuse({ messages, sent }: ReturnType<typeof account>): void {
  const { deliveryId, attempt, ...address } = sent.at(-1) ?? { deliveryId: "", attempt: 0 };
  const known = address as OwedAddress;
  expect(messages.begin(known, deliveryId, attempt)).not.toBeNull();
  messages.end(known, deliveryId, attempt, { at: Date.now(), ...REFUSED });
}

it("stores nothing for an event without a subscribed destination", () => {
  const { destinations, messages, rows } = account();
  destinations.add(destinationOf("d1", ["execution.failed"]));
  let isBuilt = false;
  messages.emit("execution.completed", () => {
    isBuilt = true;
    return event(1);
  });
  expect([rows(), isBuilt, messages.nextCheck]).toEqual([0, false, null]);
});

it("queues an event once for each subscribed destination, even if it is repeated", async () => {
  const { destinations, messages, sent, rows } = account();
  for (const id of ["d1", "d2"]) destinations.add(destinationOf(id, ["execution.failed"]));
  for (let n = 0; n < 2; n += 1) messages.emit("execution.failed", () => event(1));
  expect(rows()).toBe(2);
  await messages.send();
  await messages.send();
  expect(sent.map(({ destinationId }) => destinationId).sort()).toEqual(["d1", "d2"]);
});

it("resends pending messages after a restart, under the same id", async () => {
  const before = account();
  before.destinations.add(destinationOf("d1", ["execution.failed"]));
  before.messages.emit("execution.failed", () => event(1));
  await before.messages.send();
  const after = account(before.storage);
  vi.advanceTimersByTime(3_000);
  await after.messages.send();
  expect(after.sent).toEqual(before.sent);
  const [{ deliveryId, attempt, ...address } = {} as Sent] = after.sent;
  expect(after.messages.begin(address, deliveryId, attempt)).toMatchObject({ webhookId: "msg_e1" });
});

it("asks to be woken for the next attempt when one has failed", async () => {
  const world = account();
  const { destinations, messages, owed } = world;
  destinations.add(destinationOf("d1", ["execution.failed"]));
  messages.emit("execution.failed", () => event(1));
  await messages.send();
  owed.mockClear();
  refuse(world);
  expect(owed).toHaveBeenCalledOnce();
  expect((messages.nextCheck ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(6_000);
});

it("disables a destination after five days of failures, drops its backlog, and notifies the others", async () => {
  const world = account();
  const { destinations, messages, sent } = world;
  destinations.add(destinationOf("d1", ["execution.failed"]));
  destinations.add(destinationOf("d2", ["destination.disabled"]));
  for (let day = 0; day < 6; day += 1) {
    messages.emit("execution.failed", () => event(day));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await messages.send();
      if (destinations.find("d1")?.status === "enabled") refuse(world);
      vi.advanceTimersByTime(10_000);
    }
    vi.advanceTimersByTime(24 * HOUR);
  }
  expect(destinations.find("d1")).toMatchObject({ status: "disabled" });
  expect(messages.list("d1", { limit: 100, after: null }).map(({ state }) => state)).not.toContain(
    "pending",
  );
  await messages.send();
  expect(sent.at(-1)).toMatchObject({ destinationId: "d2" });
  expect(messages.list("d2", { limit: 1, after: null })).toMatchObject([
    { type: "destination.disabled" },
  ]);
});

it("disables a destination whose backlog is full", () => {
  const { destinations, messages, rows } = account();
  destinations.add(destinationOf("d1", ["execution.failed"]));
  for (let n = 0; n <= MAX_PENDING_DELIVERIES; n += 1) {
    messages.emit("execution.failed", () => event(n));
  }
  expect(destinations.find("d1")?.disabledReason).toBe("10000 deliveries waited for it.");
  expect(rows()).toBe(MAX_PENDING_DELIVERIES);
  expect(messages.nextCheck).toBeNull();
});

it("deletes deliveries thirty days after their end", async () => {
  const { destinations, messages, rows } = account();
  destinations.add(destinationOf("d1", ["execution.failed"]));
  messages.emit("execution.failed", () => event(1));
  messages.drop("d1");
  vi.advanceTimersByTime(29 * 24 * HOUR);
  messages.prune(Date.now());
  expect(rows()).toBe(1);
  vi.advanceTimersByTime(2 * 24 * HOUR);
  messages.prune(Date.now());
  expect(rows()).toBe(0);
});
