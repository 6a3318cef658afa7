import { expect, it } from "vitest";
import { currencyDigits } from "../../../src/lib/currencies.ts";

it.each([
  ["EUR", 2],
  ["jpy", 0],
  ["KWD", 3],
  // Where the digits of ICU, for cash, are others.
  ["AFN", 2],
  ["COP", 2],
  ["HUF", 2],
  ["IDR", 2],
  ["IQD", 3],
  ["IRR", 2],
  ["LBP", 2],
  ["MMK", 2],
  ["PKR", 2],
  ["RSD", 2],
  ["TZS", 2],
  ["UGX", 0],
  ["CLF", 4],
  ["UYW", 4],
])("counts the decimals of %s: %i", (code, digits) => {
  expect(currencyDigits(code)).toBe(digits);
});

it.each(["XYZ", "$", "", "XAU", "XXX", "constructor"])("%j has no smallest unit", (code) => {
  expect(currencyDigits(code)).toBe(null);
});
