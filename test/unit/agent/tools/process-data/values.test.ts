import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  decimalsOf,
  parseDate,
  readQuantity,
  rounded,
} from "../../../../../src/agent/tools/process-data/values.ts";

/** The number that a text is, or null. */
const numberIn = (text: string) => readQuantity(text)?.value ?? null;

describe("a number in text", () => {
  test.each([
    ["42", 42],
    ["-5", -5],
    ["−5", -5],
    ["–5.5", -5.5],
    [".5", 0.5],
    ["007", 7],
    ["2.5E-3", 0.0025],
    ["$1,200.50", 1_200.5],
    ["-$5", -5],
    ["US$ 20", 20],
    ["20 usd", 20],
    ["£9.99", 9.99],
    ["1,234,567.89", 1_234_567.89],
    ["12,34,567", 1_234_567],
    ["1.234", 1.234],
    ["12 %", 12],
    ["3.5 kg", 3.5],
    ["20 °C", 20],
    ["120 km/h", 120],
    ["5 m²", 5],
    ["21st", 21],
  ])("reads %j as %d", (text, value) => {
    expect(numberIn(text)).toBe(value);
  });

  test.each([
    "",
    "abc",
    "-",
    "Infinity",
    "0x10",
    "1e999",
    "1.2.3",
    "1,2,3",
    "192.168.1.1",
    "10:30",
    "3 pm",
    "2024-03-12",
    "555-1234",
    "3 of 20",
    "5/7",
    "(200)",
    "1.234,56 €",
    "1.234.567",
    "$3.459",
    "1,5",
    "5 Sept",
    "--5",
    "$5 per month",
    "10²",
    "5½",
    "$5 kg",
    "$5M",
    "1.2 billion",
    "12345678901234567890",
    "9".repeat(100_000),
  ])("reads no number in %j", (text) => {
    expect(numberIn(text)).toBeNull();
  });

  it("reads back every number that JavaScript writes without 16 whole digits", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e15, max: 1e15, minExcluded: true, maxExcluded: true }),
        (value) => {
          expect(numberIn(String(value))).toBe(value + 0);
        },
      ),
    );
  });

  it("reads back whole numbers with thousands separators", () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(numberIn(value.toLocaleString("en-US"))).toBe(value);
      }),
    );
  });
});

describe("readQuantity", () => {
  test.each([
    ["$5", "$"],
    ["5 €", "€"],
    ["5 EUR", "EUR"],
    ["A$7", "A$"],
    ["5 KG", "kg"],
    ["7 %", "%"],
    ["7", ""],
  ])("gives %j the unit %j", (text, unit) => {
    expect(readQuantity(text)?.unit).toBe(unit);
  });

  it("counts the decimals as they were written", () => {
    expect(readQuantity("-$1,200.50")?.decimals).toBe(2);
    expect(readQuantity("2.5e-3")?.decimals).toBe(4);
    expect(decimalsOf("1e21")).toBe(0);
  });
});

it("rounds off errors of binary fractions", () => {
  expect(rounded(0.1 + 0.2, 1)).toBe(0.3);
  expect(rounded(1e300, 2)).toBe(1e300);
  expect(rounded(5e-324, 324)).toBe(5e-324);
});

describe("parseDate", () => {
  test.each([
    ["2024-03-12", "2024-03-12T00:00:00.000Z"],
    ["2024-03", "2024-03-01T00:00:00.000Z"],
    ["2024-03-12 10:30", "2024-03-12T10:30:00.000Z"],
    ["2024-03-12T10:30:00.123+02:00", "2024-03-12T08:30:00.000Z"],
    ["2024-03-12T10:30:00-0530", "2024-03-12T16:00:00.000Z"],
  ])("reads %j", (text, iso) => {
    expect(new Date(parseDate(text) ?? Number.NaN).toISOString()).toBe(iso);
  });

  test.each([
    "",
    "2024",
    "03/04/2024",
    "12.03.2024",
    "2024-13-01",
    "2023-02-29",
    "2024-03-12T25:00",
    "12 March 2024",
    "1".repeat(100_000),
  ])("reads no date in %j", (text) => {
    expect(parseDate(text)).toBeNull();
  });
});
