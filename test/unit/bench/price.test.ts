import { expect, test } from "vitest";
import { durationPricePerMillion, pricePerMillion } from "../../../bench/price.ts";

const NOTHING = {
  objects: 0,
  objectRequests: 0,
  alarms: 0,
  objectRowsRead: 0,
  objectRowsWritten: 0,
  flushes: 0,
  flushesOnPath: 0,
  d1Queries: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  queueMessagesSent: 0,
  queueMessagesReceived: 0,
};

test("prices the request to the Worker, and every row, call, alarm and message", () => {
  expect(pricePerMillion(NOTHING)).toBeCloseTo(0.3);
  expect(pricePerMillion({ ...NOTHING, objectRowsWritten: 12, d1RowsWritten: 2 })).toBeCloseTo(
    14.3,
  );
  expect(pricePerMillion({ ...NOTHING, objectRequests: 3, alarms: 1 })).toBeCloseTo(0.9);
  expect(pricePerMillion({ ...NOTHING, objectRowsRead: 100, d1RowsRead: 100 })).toBeCloseTo(0.5);
});

test("prices a message as three operations, and its receipt as a request", () => {
  const counters = { ...NOTHING, queueMessagesSent: 1, queueMessagesReceived: 1 };
  expect(pricePerMillion(counters)).toBeCloseTo(0.3 + 1.2 + 0.3);
});

test("prices the time of an object by its share", () => {
  expect(durationPricePerMillion(1, 60)).toBeCloseTo(96);
  expect(durationPricePerMillion(1 / 64, 60)).toBeCloseTo(1.5);
});
