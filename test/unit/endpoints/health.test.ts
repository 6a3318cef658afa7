import { expect, it } from "vitest";
import type { RequestStatus } from "../../../src/contract/webhooks/log.ts";
import { countFailures, EndpointWatch } from "../../../src/endpoints/health.ts";
import { tableStorage } from "../../support/table-storage.ts";

const NONE = 0;
const VERIFIED = 1;
const UNVERIFIED = 2;
const requests = (status: RequestStatus, counted: number, count: number) =>
  Array<{ status: RequestStatus; counted: number }>(count).fill({ status, counted });

const REJECTED = requests("rejected", VERIFIED, 3);
const FAILED = requests("failed", VERIFIED, 2);
const DONE = [requests("succeeded", VERIFIED, 2), requests("duplicate", VERIFIED, 1)];
const RUNNING = requests("running", NONE, 1);
const STRANGERS = requests("rejected", UNVERIFIED, 90);

it.each([
  ["refused and failed requests", [REJECTED, FAILED], 5, 5],
  ["good, duplicate and live ones as requests alone", [...DONE, RUNNING], 4, 0],
  ["strangers while nothing was accepted", [STRANGERS], 90, 90],
  ["no stranger once a request was accepted", [STRANGERS, ...DONE], 3, 0],
  ["no stranger beside accepted requests that failed", [STRANGERS, FAILED], 2, 2],
])("counts %s", (_, groups, total, failed) => {
  expect(countFailures(groups.flat())).toEqual({ requests: total, failed });
});

it("failures within a minute of a report are looked at after it, without another request", () => {
  const watch = new EndpointWatch(tableStorage());
  expect(watch.nextCheck(1_000)).toBeNull();
  const endpoint = { endpointId: "ep_1", name: "orders" };
  const counts = { count: 5, requests: 5, failed: 5, causes: [] };
  watch.reported({ state: "failing", ...endpoint, ...counts }, 1_000);
  expect(watch.nextCheck(3_000)).toBe(61_000);
  expect(watch.nextCheck(61_000)).toBeNull();
});
