import { expect, it } from "vitest";
import {
  CODE_PATTERN,
  currencyCode,
  currencyDigits,
  groupsWithDot,
  isCurrency,
} from "../../../src/lib/currencies.ts";

it("knows each currency of free text by its ISO 4217 code, in any case", () => {
  const codes = CODE_PATTERN.split("|");
  expect(codes.filter((code) => !isCurrency(code))).toEqual([]);
  expect(codes.map((code) => currencyCode(code.toLowerCase()))).toEqual(codes);
  expect([isCurrency("usd"), isCurrency("XYZ"), isCurrency("$"), isCurrency("")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it.each([
  ["$", "USD"],
  ["A$", "AUD"],
  ["zł", "PLN"],
  ["€", "EUR"],
  ["ALL", null],
  ["constructor", null],
])("reads %s as %s", (mark, code) => {
  expect(currencyCode(mark)).toBe(code);
});

it.each([
  ["EUR", 2],
  ["jpy", 0],
  ["KWD", 3],
])("counts the decimals of %s: %i", (code, digits) => {
  expect(currencyDigits(code)).toBe(digits);
});

it("separates thousands with a dot in euros, not in dollars", () => {
  expect([groupsWithDot("EUR"), groupsWithDot("USD")]).toEqual([true, false]);
});
