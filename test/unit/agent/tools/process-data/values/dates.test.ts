import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseDate } from "../../../../../../src/agent/tools/process-data/values.ts";

describe("parseDate", () => {
  test.each([
    ["2024-03-12", "2024-03-12T00:00:00.000Z"],
    ["2024-03", "2024-03-01T00:00:00.000Z"],
    ["2024-03-12T10:30:00Z", "2024-03-12T10:30:00.000Z"],
    ["2024-03-12 10:30", "2024-03-12T10:30:00.000Z"],
    ["2024-03-12T10:30:00.123+02:00", "2024-03-12T08:30:00.000Z"],
    ["2024-03-12T10:30:00-0530", "2024-03-12T16:00:00.000Z"],
  ])("reads %j", (text, iso) => {
    const date = parseDate(text);
    expect(date === null ? null : new Date(date).toISOString()).toBe(iso);
  });

  test.each([
    "",
    "2024",
    "03/04/2024",
    "12.13.2024",
    "1.2.24",
    "2024-13-01",
    "2024-00-10",
    "2024-02-30",
    "2023-02-29",
    "2024-03-12T25:00",
    "12.03.2024",
    "Mar 12, 2024",
    "12 March",
    "yesterday",
    "12 March 2024",
    "1".repeat(100_000),
  ])("reads no date in %j", (text) => {
    expect(parseDate(text)).toBeNull();
  });

  it("reads back the day of every ISO date", () => {
    const days = fc.date({
      min: new Date("0100-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (day) => {
        const iso = day.toISOString().slice(0, 10);
        const read = parseDate(iso);
        expect(read === null ? null : new Date(read).toISOString().slice(0, 10)).toBe(iso);
      }),
    );
  });
});
