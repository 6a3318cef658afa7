import fc from "fast-check";
import { expect, it, test } from "vitest";
import {
  decimalOf,
  decimalToNumber,
  meanOf,
  sumOf,
} from "../../../../../../src/agent/tools/process-data/values/numbers.ts";

function sum(...digits: string[]): number | null {
  return decimalToNumber(sumOf(digits.map(decimalOf)));
}

it("adds tenths without noise", () => {
  expect(sum("0.1", "0.2")).toBe(0.3);
  expect(sum("1.10", "2.205", "-0.3")).toBe(3.005);
});

it("adds numbers of very different sizes exactly", () => {
  expect(sum("1e300", "1e-300", "-1e300")).toBe(1e-300);
});

it("adds nothing up to zero", () => {
  expect(sum()).toBe(0);
});

it("has no number for a sum beyond the largest double", () => {
  expect(sum("1.7e308", "1.7e308")).toBeNull();
});

test.each([
  [["1", "2"], 1.5],
  [["0.1", "0.1", "0.1"], 0.1],
  [["1", "1", "2"], 1.3333333333],
  [["-1", "-1", "-2"], -1.3333333333],
  [["10", "0", "0"], 3.3333333333],
  [["20", "0", "0"], 6.6666666667],
])("takes the mean of %j as %d", (digits, mean) => {
  expect(decimalToNumber(meanOf(digits.map(decimalOf)))).toBe(mean);
});

it("sums cents to exactly the integer sum of the cents", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (cents) => {
      const total = cents.reduce((all, cent) => all + cent, 0);
      expect(sum(...cents.map((cent) => (cent / 100).toFixed(2)))).toBe(total / 100 + 0);
    }),
  );
});

it("reads back every double from its shortest form", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(decimalToNumber(decimalOf(String(value)))).toBe(value + 0);
    }),
  );
});
