import { describe, expect, it } from "vitest";
import {
  cronFault,
  nextOccurrence,
  occurrencesBetween,
} from "../../../src/workflows/occurrences.ts";

const ZONE = "America/New_York";

/** The times of a cron expression in New York between two times. */
function timesOf(cron: string, after: string, until: string): string[] {
  const range = { after: Date.parse(after), until: Date.parse(until) };
  return occurrencesBetween({ cron, timeZone: ZONE }, 0, range).map((at) =>
    new Date(at).toISOString().slice(5, 16),
  );
}

describe("the hour that the clock skips (2:00 becomes 3:00 at 07:00Z)", () => {
  const skipped = (cron: string) => timesOf(cron, "2026-03-08T05:00Z", "2026-03-08T09:00Z");

  it.each([
    ["30 2 * * *", ["03-08T07:00"]],
    ["15,45 2 * * *", ["03-08T07:00"]],
    ["0-30/15 2,4 * * *", ["03-08T07:00", "03-08T08:00", "03-08T08:15", "03-08T08:30"]],
  ])("delays %s until right after it", (cron, times) => {
    expect(skipped(cron)).toEqual(times);
  });

  it("is skipped by schedules that follow the clock", () => {
    expect(skipped("0 * * * *")).toEqual([
      "03-08T06:00",
      "03-08T07:00",
      "03-08T08:00",
      "03-08T09:00",
    ]);
  });
});

describe("the hour that the clock repeats (2:00 becomes 1:00 at 06:00Z)", () => {
  const repeated = (cron: string) => timesOf(cron, "2026-11-01T04:40Z", "2026-11-01T07:20Z");

  it.each([
    ["30 1 * * *", ["11-01T05:30"]],
    ["15,45 1 * * *", ["11-01T05:15", "11-01T05:45"]],
    ["30 0-2 * * *", ["11-01T05:30"]],
  ])("counts once for %s", (cron, times) => {
    expect(repeated(cron)).toEqual(times);
  });

  it("counts twice for schedules that follow the clock", () => {
    expect(repeated("*/30 1 * * *")).toEqual([
      "11-01T05:00",
      "11-01T05:30",
      "11-01T06:00",
      "11-01T06:30",
    ]);
  });
});

/**
 * The rule of Vixie cron, crontab(5): if both day fields are restricted, a command runs when either matches,
 * else when both match. Restricted is a field that does not begin with a star (DOM_STAR, DOW_STAR in its
 * source). The 1st of November 2026 is a Sunday.
 */
describe("the days of a cron expression with a day of the month and a day of the week", () => {
  const daysOf = (days: string) => {
    const [dayOfMonth = "", dayOfWeek = ""] = days.split(" ");
    const timing = { cron: `0 0 ${dayOfMonth} * ${dayOfWeek}`, timeZone: "UTC" };
    const range = {
      after: Date.parse("2026-10-31T12:00Z"),
      until: Date.parse("2026-11-30T12:00Z"),
    };
    return occurrencesBetween(timing, 0, range).map((at) => new Date(at).getUTCDate());
  };

  it.each([
    ["10 *", [10]],
    ["* 1", [2, 9, 16, 23, 30]],
    ["10 5", [6, 10, 13, 20, 27]],
    ["1-7 1", [1, 2, 3, 4, 5, 6, 7, 9, 16, 23, 30]],
    ["1,15 MON", [1, 2, 9, 15, 16, 23, 30]],
    ["1-31/10 0", [1, 8, 11, 15, 21, 22, 29]],
    ["*/2 1", [9, 23]],
    ["*/2 1-5", [3, 5, 9, 11, 13, 17, 19, 23, 25, 27]],
    ["10 */2", [10]],
    ["11 */2", []],
    ["*/10 */2", [1, 21]],
    ["*,10 5", [6, 13, 20, 27]],
  ])("are for %s %j", (days, expected) => {
    expect(daysOf(days)).toEqual(expected);
  });

  it("follow the same rule with several times a day", () => {
    const timing = { cron: "0,30 6,18 */2 * 1", timeZone: "UTC" };
    const range = {
      after: Date.parse("2026-11-02T00:00Z"),
      until: Date.parse("2026-11-10T00:00Z"),
    };
    expect(occurrencesBetween(timing, 0, range).map((at) => new Date(at).toISOString())).toEqual(
      ["06:00", "06:30", "18:00", "18:30"].map((time) => `2026-11-09T${time}:00.000Z`),
    );
  });
});

it("counts intervals from the creation, despite missed times", () => {
  const timing = { everySeconds: 60, timeZone: "UTC" };
  expect(nextOccurrence(timing, 1_000, 1_000)).toBe(61_000);
  expect(nextOccurrence(timing, 1_000, 200_000)).toBe(241_000);
  expect(occurrencesBetween(timing, 0, { after: 0, until: 60_000_000 })).toHaveLength(100);
});

it("runs once at one time", () => {
  const timing = { at: "2026-11-20T10:00:00+01:00", timeZone: "UTC" };
  expect(nextOccurrence(timing, 0, Date.parse("2026-11-20T08:00Z"))).toBe(
    Date.parse("2026-11-20T09:00Z"),
  );
  expect(nextOccurrence(timing, 0, Date.parse("2026-11-20T09:00Z"))).toBeNull();
});

it.each([
  ["* * * *", "UTC"],
  ["* * * * * *", "UTC"],
  ["61 * * * *", "UTC"],
  ["0 0 * * *", "Mars/Olympus"],
  ["0 0 30 2 *", "UTC"],
])("refuses %s in %s", (cron, timeZone) => {
  expect(cronFault(cron, timeZone)).not.toBeNull();
});
