import { expect, it } from "vitest";
import { failedOnce, isGivenUp } from "../../../src/deliveries/schedule.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What failed at these times, in milliseconds. */
const failing = (times: number[]) =>
  times.reduce<ReturnType<typeof failedOnce> | null>(failedOnce, null) ?? failedOnce(null, 0);
const hourly = (count: number) => Array.from({ length: count }, (_, n) => n * HOUR);

it.each([
  ["ten failures over five days", [...hourly(9), 5 * DAY], 5 * DAY, true],
  ["ten failures within five days", [...hourly(9), 5 * DAY - 1], 5 * DAY - 1, false],
  ["nine failures over five days", [...hourly(8), 5 * DAY], 5 * DAY, false],
  ["many failures in half a day, and none since", hourly(12), 6 * DAY, false],
  ["many failures over half a day, five days ago", hourly(13), 5 * DAY, true],
])("%s: given up is %4$s", (_, times, now, expected) => {
  expect(isGivenUp(failing(times), now)).toBe(expected);
});
