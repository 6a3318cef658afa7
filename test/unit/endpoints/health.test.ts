import { expect, it } from "vitest";
import type { RequestStatus } from "../../../src/contract/webhooks/log.ts";
import { countFailures } from "../../../src/endpoints/health.ts";

const NONE = 0;
const VERIFIED = 1;
const UNVERIFIED = 2;
const requests = (status: RequestStatus, counted: number, count: number) =>
  Array<{ status: RequestStatus; counted: number }>(count).fill({ status, counted });

it.each([
  [
    "refused and failed requests",
    [requests("rejected", VERIFIED, 3), requests("failed", VERIFIED, 2)],
    5,
    5,
  ],
  [
    "good, duplicate and live ones as requests alone",
    [
      requests("succeeded", VERIFIED, 2),
      requests("duplicate", VERIFIED, 1),
      requests("running", NONE, 1),
    ],
    4,
    0,
  ],
  ["strangers while nothing was accepted", [requests("rejected", UNVERIFIED, 6)], 6, 6],
  [
    "no stranger once a request was accepted",
    [requests("rejected", UNVERIFIED, 90), requests("succeeded", VERIFIED, 1)],
    1,
    0,
  ],
  [
    "no stranger beside accepted requests that failed",
    [requests("rejected", UNVERIFIED, 90), requests("failed", VERIFIED, 5)],
    5,
    5,
  ],
])("counts %s", (_, groups, total, failed) => {
  expect(countFailures(groups.flat())).toEqual({ requests: total, failed });
});
