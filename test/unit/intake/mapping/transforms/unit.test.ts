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
