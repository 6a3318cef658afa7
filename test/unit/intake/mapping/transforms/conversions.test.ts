import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../../../src/contract/webhooks/payload.ts";
import { apply, faultOf } from "../../../../support/mapping.ts";

const unit = (from: string, to: string) => ({ type: "unit", from, to }) as const;

describe("the transform unit", () => {
  it.each<[PayloadValue, string, string, number]>([
    [5, "lb", "kg", 2.26796185],
    ["5", "LBS", "Kilograms", 2.26796185],
    [1, "short ton", "lb", 2000],
    [1, "mi", "km", 1.609344],
    [1, "nautical mile", "m", 1852],
    [32, "F", "C", 0],
    [1, "celsius", "°F", 33.8],
    [100, "K", "C", -173.15],
    [1, "gal", "l", 3.785411784],
    [1, "imperial gallon", "L", 4.54609],
    [1, "sq ft", "in²", 144],
    [100, "km/h", "m/s", 27.7777777777778],
    [2, "weeks", "days", 14],
    [1500, "ms", "s", 1.5],
    [1, "MB", "KB", 1000],
    [1, "MiB", "B", 1_048_576],
    [8, "Mbit", "MB", 1],
    [0, "kg", "lb", 0],
    [7n, "kg", "g", 7000],
  ])("converts %s %s into %s", async (value, from, to, converted) => {
    expect(await apply(value, unit(from, to))).toBe(converted);
  });

  it("refuses values that are not quantities, or exceed a number", async () => {
    for (const value of ["", "5 lb", true, [], "Infinity"]) {
      expect(await apply(value, unit("lb", "kg"))).toEqual({ refused: expect.any(String) });
    }
    expect(await apply(1e308, unit("km", "mm"))).toEqual({ refused: "is too large for a number" });
  });

  it.each([
    ["lb", "m", "cannot convert lb (mass) to m (length)"],
    ["stone", "cubit", 'has the unknown unit "cubit"'],
    ["mb", "kb", 'has the unknown unit "mb"'],
    ["constructor", "kg", 'has the unknown unit "constructor"'],
    ["minor", "kg", "cannot convert money (minor, major) from or to kg"],
  ])("cannot be saved from %s into %s", async (from, to, fault) => {
    expect(await faultOf(unit(from, to))).toBe(fault);
  });

  it("round-trips", async () => {
    const pairs = fc.constantFrom("lb kg", "F C", "gal ml", "mph m/s", "acre m2", "GiB MB");
    const quantities = fc
      .double({ min: -1e5, max: 1e5, noNaN: true })
      .filter((q) => Math.abs(q) > 1e-3);
    await fc.assert(
      fc.asyncProperty(quantities, pairs, async (quantity, pair) => {
        const [from = "", to = ""] = pair.split(" ");
        const there = await apply(quantity, unit(from, to));
        expect(await apply(there, unit(to, from))).toBeCloseTo(quantity, 6);
      }),
    );
  });
});

describe("the transform unit for money", () => {
  const toMajor = (currency: string) => ({ ...unit("minor", "major"), currency });
  const toMinor = (currency: string) => ({ ...unit("major", "minor"), currency });

  it.each<[PayloadValue, string, number]>([
    [1999, "USD", 19.99],
    ["1999", "usd", 19.99],
    [5, "USD", 0.05],
    [-5, "USD", -0.05],
    [0, "USD", 0],
    [1999, "JPY", 1999],
    [1999, "KWD", 1.999],
    [123456789012345n, "EUR", 1234567890123.45],
    ["100.00", "USD", 1],
  ])("converts %s minor units of %s into the currency", async (value, currency, major) => {
    expect(await apply(value, toMajor(currency))).toBe(major);
  });

  it.each<[PayloadValue, string, number]>([
    [19.99, "USD", 1999],
    ["19.9", "USD", 1990],
    [1.1, "KWD", 1100],
    [12, "JPY", 12],
    [0.07, "EUR", 7],
  ])("converts %s %s into minor units", async (value, currency, minor) => {
    expect(await apply(value, toMinor(currency))).toBe(minor);
  });

  it("refuses values that need rounding", async () => {
    expect(await apply(19.999, toMinor("USD"))).toEqual({
      refused: "has more decimals than USD has in its major unit",
    });
    expect(await apply(19.5, toMajor("USD"))).toEqual({
      refused: "has more decimals than USD has in its minor unit",
    });
    expect(await apply(12345678901234567890n, toMajor("USD"))).toEqual({
      refused: "has more digits than a number can hold",
    });
    for (const odd of ["1,999", "$5", "", 1e21, true]) {
      expect(await apply(odd, toMajor("USD"))).toEqual({ refused: expect.any(String) });
    }
  });

  it("cannot be saved without a known currency", async () => {
    expect(await faultOf(unit("minor", "major"))).toBe(
      "needs a currency (ISO 4217) for minor and major",
    );
    expect(await faultOf(toMajor("XQQ"))).toBe(
      'has the unknown currency "XQQ"; use an ISO 4217 code such as EUR',
    );
    expect(await faultOf(toMajor("eur"))).toBeNull();
  });

  it("round-trips to the exact amount", async () => {
    const currencies = fc.constantFrom("USD", "JPY", "KWD", "EUR");
    await fc.assert(
      fc.asyncProperty(fc.maxSafeInteger(), currencies, async (minor, currency) => {
        const major = await apply(minor, toMajor(currency));
        if (typeof major !== "number") return;
        expect(await apply(major, toMinor(currency))).toBe(minor);
      }),
    );
  });
});

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

describe("the transform domain", () => {
  it.each([
    ["https://www.shop.example.com/a?b#c", "www.shop.example.com", "example.com"],
    ["HTTP://user:pw@Shop.Example.CO.UK:8080/", "shop.example.co.uk", "example.co.uk"],
    ["ann@mail.example.org", "mail.example.org", "example.org"],
    ["Ann Lee <ann@example.org>", "example.org", "example.org"],
    ["shop.example.com:443/path", "shop.example.com", "example.com"],
    ["www.tiktok.com:443/@ann?mail=a@b.org", "www.tiktok.com", "tiktok.com"],
    ["shop.example.com?to=ann@example.org", "shop.example.com", "example.com"],
    ["https://a.example.com/?from=<ann@example.org>", "a.example.com", "example.com"],
    ["ann.lee/sales@example.org", "example.org", "example.org"],
    ["mailto:ann@example.org?cc=bob@example.net", "example.org", "example.org"],
    ["//cdn.example.com/x.js", "cdn.example.com", "example.com"],
    ["example.com.", "example.com", "example.com"],
    ["postgres://db.example.com/x", "db.example.com", "example.com"],
    ["https://BÜCHER.example", "xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["https://a.foo.github.io", "a.foo.github.io", "foo.github.io"],
    [" https://example.com ", "example.com", "example.com"],
  ])("finds the host and the registrable domain of %s", async (text, host, registrable) => {
    expect(await apply(text, { type: "domain", level: "host" })).toBe(host);
    expect(await apply(text, { type: "domain" })).toBe(registrable);
  });

  it.each([
    ["http://127.0.0.1/x", "127.0.0.1"],
    ["http://[2001:db8::1]/", "2001:db8::1"],
    ["2001:DB8::1", "2001:db8::1"],
    ["http://localhost:8787", "localhost"],
    ["https://github.io", "github.io"],
  ])("finds only the host of %s", async (text, host) => {
    expect(await apply(text, { type: "domain", level: "host" })).toBe(host);
    expect(await apply(text, { type: "domain" })).toEqual({
      refused: expect.stringContaining("has no registrable domain"),
    });
  });

  it.each<PayloadValue>([
    ...["", "hello", "123", "javascript:alert(1)", "data:text/html,x", "http://", "@", ".."],
    ...["a@b@c.com", "exa mple.com", "https://exa mple.com", `${"a".repeat(300)}.com`],
    ...["https://example.com/".padEnd(10_000, "x"), 7, null, ["example.com"]],
  ])("refuses %s", async (value) => {
    expect(await apply(value, { type: "domain" })).toEqual({ refused: expect.any(String) });
  });
});
