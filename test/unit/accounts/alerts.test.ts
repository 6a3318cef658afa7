import { expect, it, vi } from "vitest";
import { Alerts } from "../../../src/accounts/alerts.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { EventData } from "../../../src/contract/destinations.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { tableStorage } from "../../support/table-storage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const resource = { kind: "endpoint", id: "ep_1", name: "orders" } as const;
const trouble = { type: "endpoint.failing", resource, data: {}, page: "/" } as const;

/** The alerts of an account, and the type and count of each message that they led to. */
function account(storage = tableStorage()) {
  migrate(storage, ACCOUNT_SCHEMA);
  const told: [type: string, count: unknown][] = [];
  const emit = (type: string, event: () => EventData) => void told.push([type, event().data.count]);
  const wake = vi.fn();
  return { alerts: new Alerts(storage.sql, { emit }, wake), told, wake, storage };
}

it("alerts about a resource once an hour, with the count since the last message", () => {
  const { alerts, told } = account();
  for (const at of [0, 1, 2, 59]) alerts.raise(trouble, at * MINUTE);
  expect(told).toEqual([["endpoint.failing", 1]]);
  alerts.raise({ ...trouble, count: 5 }, HOUR);
  expect(told.at(-1)).toEqual(["endpoint.failing", 8]);
  const other = { ...resource, id: "ep_2" };
  alerts.raise({ ...trouble, resource: other }, HOUR);
  expect(told).toHaveLength(3);
});

it("sends a recovery after an alert, even within the hour", () => {
  const { alerts, told } = account();
  alerts.raise(trouble, 0);
  alerts.clear("endpoint.failing", "ep_1", MINUTE);
  alerts.clear("endpoint.failing", "ep_1", MINUTE);
  expect(told).toEqual([
    ["endpoint.failing", 1],
    ["endpoint.recovered", 1],
  ]);
});

it("stays silent about a failure and recovery within the quiet hour, and counts it later", () => {
  const { alerts, told } = account();
  alerts.raise(trouble, 0);
  alerts.clear("endpoint.failing", "ep_1", MINUTE);
  alerts.raise(trouble, 2 * MINUTE);
  alerts.clear("endpoint.failing", "ep_1", 3 * MINUTE);
  expect(told).toHaveLength(2);
  alerts.raise(trouble, HOUR);
  expect(told.at(-1)).toEqual(["endpoint.failing", 2]);
});

it("alerts after the quiet hour about what is still wrong then, even if nothing more happens", () => {
  const { alerts, told, wake, storage } = account();
  alerts.raise(trouble, 0);
  expect(alerts.nextLook).toBeNull();
  expect(wake).not.toHaveBeenCalled();
  alerts.clear("endpoint.failing", "ep_1", MINUTE);
  for (const at of [2, 3]) alerts.raise(trouble, at * MINUTE);
  expect(alerts.nextLook).toBe(HOUR);
  expect(wake).toHaveBeenCalled();
  alerts.tellHeld(HOUR - 1);
  expect(told).toHaveLength(2);
  const restarted = account(storage);
  expect(restarted.alerts.nextLook).toBe(HOUR);
  expect(restarted.alerts.tellHeld(HOUR)).toBeNull();
  expect(restarted.told).toEqual([["endpoint.failing", 2]]);
  restarted.alerts.clear("endpoint.failing", "ep_1", HOUR + MINUTE);
  expect(restarted.told.at(-1)).toEqual(["endpoint.recovered", 2]);
});

it("finds nothing wrong with a deleted resource", () => {
  const { alerts, told } = account();
  alerts.raise({ ...trouble, type: "schedule.missed" }, 0);
  alerts.raise({ ...trouble, resource: { ...resource, id: "ep_2" } }, 0);
  alerts.drop("ep_1", MINUTE);
  expect(alerts.list(MINUTE)).toMatchObject([{ resource: { id: "ep_2" } }]);
  expect(told).toHaveLength(2);
});

it("remembers failures after a restart, and stays quiet", () => {
  const { alerts, storage } = account();
  alerts.raise(trouble, 0);
  alerts.prune(MINUTE);
  const restarted = account(storage);
  restarted.alerts.raise(trouble, 2 * MINUTE);
  expect(restarted.told).toEqual([]);
  expect(restarted.alerts.list(2 * MINUTE)).toMatchObject([
    { since: new Date(0).toISOString(), lastAt: new Date(2 * MINUTE).toISOString(), count: 2 },
  ]);
  restarted.alerts.clear("endpoint.failing", "ep_1", 3 * MINUTE);
  expect(restarted.alerts.list(3 * MINUTE)).toEqual([]);
});

it("forgets a recovered resource after its quiet hour", () => {
  const { alerts, storage } = account();
  alerts.raise(trouble, 0);
  alerts.clear("endpoint.failing", "ep_1", MINUTE);
  const rows = () => storage.sql.exec("SELECT 1 FROM alerts").toArray().length;
  alerts.prune(HOUR - 1);
  expect(rows()).toBe(1);
  alerts.prune(HOUR);
  expect(rows()).toBe(0);
});
