import { expect, it } from "vitest";
import { currencyDigits } from "../../../src/lib/currencies.ts";

it.each([
  ["EUR", 2],
  ["jpy", 0],
  ["KWD", 3],
  // Where the digits of ICU, for cash, are others.
  ["AFN", 2],
  ["IQD", 3],
  ["UGX", 0],
  ["CLF", 4],
  ["UYW", 4],
])("counts the decimals of %s: %i", (code, digits) => {
  expect(currencyDigits(code)).toBe(digits);
});

it.each(["XYZ", "$", "", "XAU", "XXX", "constructor"])("%j has no smallest unit", (code) => {
  expect(currencyDigits(code)).toBe(null);
});
