import { expect, it } from "vitest";
import { timesInWords } from "../../../src/dashboard/schedule-words.ts";

it.each([
  ["0 8 * * 1", "Mondays at 08:00"],
  ["30 6 * * 1-5", "Weekdays at 06:30"],
  ["5 0 * * sun,3", "Sundays, Wednesdays at 00:05"],
  ["0 7 * * *", "Every day at 07:00"],
  ["0 7 1 * *", "Day 1 of each month at 07:00"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["5 * * * *", "Every hour at :05"],
  // Vixie cron runs this on either day, which no short sentence says.
  ["0 7 1 * 1", "0 7 1 * 1"],
  ["0 7 * 6 *", "0 7 * 6 *"],
  ["0 7-9 * * *", "0 7-9 * * *"],
])("the cron expression %s reads %s", (cron, words) => {
  expect(timesInWords({ cron, timeZone: "UTC" })).toBe(`${words}, UTC`);
});
