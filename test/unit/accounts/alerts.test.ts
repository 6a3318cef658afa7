import { expect, it } from "vitest";
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
  return { alerts: new Alerts(storage.sql, { emit }), told, storage };
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
