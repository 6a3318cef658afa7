import { expect, it } from "vitest";
import { isNumberFormat } from "../../../../../src/agent/tools/write-spreadsheet/rows.ts";

it.each([
  "0",
  "0.00",
  "#,##0.00",
  '#,##0 "EUR"',
  "General",
  "yyyy-mm-dd hh:mm:ss.000",
  "d/m/yyyy",
  "[h]:mm",
  "hh:mm AM/PM",
  "0.00E+00",
  "0%",
  "# ?/?",
  "[Red]-#,##0;[Blue]#,##0;0;@",
  "[<1000]0;0.0,",
  "[$€-407] #,##0.00",
  "_($* #,##0_)",
  "0\\k",
])("%j is a number format", (format) => expect(isNumberFormat(format)).toBe(true));

it.each([
  "0 EUR",
  '0 "EUR',
  "[foo]0",
  "0.00 kg",
  "0]",
  "1;2;3;4;5",
  "abc",
  '0"\u0000"',
  "0;0;0;0;0",
])("%j would damage a workbook", (format) => expect(isNumberFormat(format)).toBe(false));

it("answers at once whatever the text", () => {
  expect(isNumberFormat(`${"y".repeat(99)}X`)).toBe(false);
  expect(isNumberFormat(`${'"'.repeat(99)}`)).toBe(false);
});
