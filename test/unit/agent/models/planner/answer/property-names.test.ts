import { expect, test } from "vitest";
import {
  dateOf,
  figureOf,
  inCurrency,
  isoDate,
} from "../../../../../../src/agent/models/planner/answer/property-names.ts";

test("a property named after a figure gets the one that was worked out", () => {
  const figures = { "sum of Amount": 374.25, count: 2 };
  expect(figureOf("overdueTotal", figures)).toBe(374.25);
  expect(figureOf("number_of_bills", figures)).toBe(2);
  expect(figureOf("averageAmount", figures)).toBeUndefined();
});

test("of two sums none is taken for the total", () => {
  expect(figureOf("total", { "sum of Price": 1, "sum of Tax": 2 })).toBeUndefined();
});

test("an amount fills a property of its own currency alone", () => {
  expect(inCurrency("priceEur", { name: "Kayak", price: "15 EUR" })).toBe("15 EUR");
  expect(inCurrency("priceUsd", { name: "Kayak", price: "15 EUR" })).toBeUndefined();
  expect(inCurrency("price_gbp", { Price: 15, Currency: "GBP" })).toBe(15);
  expect(inCurrency("priceEur", { Price: 15 })).toBeUndefined();
});

test("the one date of a record is its day, however it is called", () => {
  const release = { Version: "3.2.0", "Out since": "2026-02-18" };
  expect(dateOf("releasedOn", release)).toBe("2026-02-18");
  expect(dateOf("version", release)).toBeUndefined();
  expect(dateOf("date", { ...release, Ended: "2026-03-01" })).toBeUndefined();
});

test("dates are handed over the way schemas write them", () => {
  expect(isoDate("18 February 2026")).toBe("2026-02-18");
  expect(isoDate("soon")).toBeUndefined();
});
