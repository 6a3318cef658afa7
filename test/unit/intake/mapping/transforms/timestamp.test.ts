import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { apply, faultOf } from "../../../../support/mapping.ts";

type Form = Extract<Parameters<typeof apply>[1], { type: "timestamp" }>["from"];

const NEW_YORK = "America/New_York";
const refusal = { refused: expect.any(String) };

describe("the transform timestamp", () => {
  it.each<[PayloadValue, string]>([
    [1_577_836_800, "2020-01-01T00:00:00.000Z"],
    [1_577_836_800_123, "2020-01-01T00:00:00.123Z"],
    [1_577_836_800.5, "2020-01-01T00:00:00.500Z"],
    [-1, "1969-12-31T23:59:59.000Z"],
    ["2020-01-01", "2020-01-01T00:00:00.000Z"],
    ["2020-01-01T01:02:03Z", "2020-01-01T01:02:03.000Z"],
    ["2020-01-01T01:02:03.456789+02:00", "2019-12-31T23:02:03.456Z"],
    ["2020-01-01T01:02:03-0330", "2020-01-01T04:32:03.000Z"],
    ["2020-01-01 01:02:03 +0200", "2019-12-31T23:02:03.000Z"],
    ["2020-01-01T01:02", "2020-01-01T01:02:00.000Z"],
    [" 2020-01-01t01:02:03,5z ", "2020-01-01T01:02:03.500Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
    ["1577836800123456789", "2020-01-01T00:00:00.123Z"],
    [1_577_836_800_123_456_789n, "2020-01-01T00:00:00.123Z"],
    [20_260_131, "2026-01-31T00:00:00.000Z"],
    ["20260131T0930+0100", "2026-01-31T08:30:00.000Z"],
    ["Sat, 31 Jan 2026 09:30:00 +0100 (CET)", "2026-01-31T08:30:00.000Z"],
  ])("detects %s", async (value, iso) => {
    expect(await apply(value, { type: "timestamp" })).toBe(iso);
  });

  it.each<PayloadValue>([
    ...["", "tomorrow", "2020-02-30", "2021-02-29T00:00:00Z", "2020-13-01", "2026-W54-1"],
    ...["2020-01-01T24:30:00Z", "2020-01-01T01:02:03+99:00", "20261331", "2026-366"],
    ...["31 Feb 2026 09:30 GMT", "31 Jan 2026 09:30 XYZ", "01/02/2020", "12e500"],
    ...["+012020-01-01T00:00:00Z", "2020-01-01T00:00:00Z[Europe/Paris]"],
    ...[1e21, -1e20, 10n ** 30n, true, {}, ["2020-01-01"]],
  ])("refuses %s", async (value) => {
    expect(await apply(value, { type: "timestamp", from: "iso" })).toEqual(refusal);
    if (value !== "20261331") expect(await apply(value, { type: "timestamp" })).toEqual(refusal);
  });

  it("accepts only the configured form", async () => {
    const from = (value: PayloadValue, form: Exclude<Form, undefined>) =>
      apply(value, { type: "timestamp", from: form });
    expect(await from("2020-01-01", "epoch_ms")).toEqual(refusal);
    expect(await from(1_577_836_800, "iso")).toEqual(refusal);
    expect(await from("2020-01-01T00:00:00Z", "date")).toEqual(refusal);
    expect(await from(1_577_836_800, "epoch_ms")).toBe("1970-01-19T06:17:16.800Z");
    expect(await from(1_577_836_800, "epoch_us")).toBe("1970-01-01T00:26:17.836Z");
    expect(await from(1_577_836_800_000, "epoch_ns")).toBe("1970-01-01T00:26:17.836Z");
    expect(await from(1_577_836_800_000, "epoch_seconds")).toEqual({
      refused: "must be within the years 0 to 9999; got the number 1577836800000",
    });
  });

  it.each([
    ["iso", "2020-07-01T10:00:00.000Z"],
    ["epoch_seconds", 1_593_597_600],
    ["epoch_ms", 1_593_597_600_000],
    ["date", "2020-07-01"],
  ] as const)("writes %s", async (to, written) => {
    expect(await apply("2020-07-01T12:00:00+02:00", { type: "timestamp", to })).toBe(written);
  });

  it("rounds down to whole seconds", async () => {
    expect(await apply(-1, { type: "timestamp", from: "epoch_ms", to: "epoch_seconds" })).toBe(-1);
  });

  it("reads and writes in the configured time zone", async () => {
    const berlin = { type: "timestamp", timeZone: "Europe/Berlin" } as const;
    expect(await apply("2020-07-01T12:00:00", berlin)).toBe("2020-07-01T12:00:00.000+02:00");
    expect(await apply("2020-01-01T12:00:00Z", berlin)).toBe("2020-01-01T13:00:00.000+01:00");
    expect(await apply("2020-07-01", { ...berlin, to: "epoch_ms" })).toBe(1_593_554_400_000);
    expect(await apply("2020-06-30T23:00:00Z", { ...berlin, to: "date" })).toBe("2020-07-01");
  });

  it.each([
    ["the earlier of equal ones", NEW_YORK, "2024-11-03T01:30:00", "01:30:00.000-04:00"],
    ["the next where there is none", NEW_YORK, "2024-03-10T02:30:00", "03:30:00.000-04:00"],
    ["the first of a day without midnight", "Asia/Beirut", "2022-03-27", "01:00:00.000+03:00"],
  ])("resolves ambiguous local times: %s", async (_, timeZone, text, time) => {
    const written = `${text.slice(0, 10)}T${time}`;
    expect(await apply(text, { type: "timestamp", timeZone })).toBe(written);
  });

  it("cannot be saved with an unknown time zone", async () => {
    expect(await faultOf({ type: "timestamp", timeZone: "Mars/Phobos" })).toBe(
      'has the unknown time zone "Mars/Phobos"; use an IANA name such as Europe/Berlin',
    );
    expect(await faultOf({ type: "timestamp", timeZone: "Asia/Kolkata" })).toBeNull();
  });

  it("reads back what it wrote, in any zone", async () => {
    const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"] as const;
    const moments = fc.integer({ min: -1e12, max: 4e12 });
    await fc.assert(
      fc.asyncProperty(moments, fc.constantFrom(...zones), async (ms, timeZone) => {
        const iso = await apply(ms, { type: "timestamp", from: "epoch_ms", timeZone });
        expect(await apply(iso, { type: "timestamp", from: "iso", to: "epoch_ms" })).toBe(ms);
      }),
    );
  });
});
