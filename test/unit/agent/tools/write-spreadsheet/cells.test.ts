import { describe, expect, it } from "vitest";
import {
  readAuto,
  readColumn,
  type SheetCell,
} from "../../../../../src/agent/tools/write-spreadsheet/cells.ts";

const number = (value: number, format?: string): SheetCell =>
  format === undefined ? { value } : { value, format };
const text = (value: string): SheetCell => ({ value });
const DAY = "yyyy-mm-dd";
const date = (at: number, format: string): SheetCell => ({ value: new Date(at), format });

describe("under auto, a text becomes a number if it is certainly one", () => {
  it.each<[string, SheetCell]>([
    ["0", number(0)],
    ["−5", number(-5)],
    [" 42 ", number(42)],
    ["1.234", number(1.234)],
    ["4.20", number(4.2, "0.00")],
    ["1,234,567.80", number(1_234_567.8, "#,##0.00")],
    ["1,234,567,890,123", number(1_234_567_890_123, "#,##0")],
    ["$1,200.50", number(1200.5, '"$"#,##0.00')],
    ["-$3", number(-3, '"$"0')],
    ["€ 12.50", number(12.5, '"€"0.00')],
    ["12.50 €", number(12.5, '0.00" €"')],
    ["99 CHF", number(99, '0" CHF"')],
    ["12 %", number(0.12, "0%")],
    ["99999999999", number(99_999_999_999)],
  ])("%j", (written, cell) => expect(readAuto(written)).toEqual(cell));
});

describe("under auto, a text stays a text if it is ambiguous", () => {
  it.each([
    "00123",
    "4006381333931",
    "0.30000000000000004",
    "+49 30 1234",
    "+5",
    "1e5",
    "3.5 kg",
    "1.234 €",
    "0,5",
    "1.234,50 €",
    "-0",
    "12:30",
    "2024-02-30",
    "1899-12-31",
    "2024-03-12T10:00:00+02:00",
    "2024-03-12T10:00:00.123456Z",
    "  ",
    "https://example.com and more",
    "https://",
    "javascript:alert(1)",
  ])("%j", (written) => expect(readAuto(written)).toEqual(text(written)));
});

describe("under auto, other texts and values", () => {
  it.each<[string, SheetCell]>([
    ["2024-03-12", date(Date.UTC(2024, 2, 12), DAY)],
    ["1900-03-01", date(Date.UTC(1900, 2, 1), DAY)],
    ["2024-03-12 10:30", date(Date.UTC(2024, 2, 12, 10, 30), `${DAY} hh:mm:ss`)],
    ["2024-03-12T10:30:05Z", date(Date.UTC(2024, 2, 12, 10, 30, 5), `${DAY} hh:mm:ss`)],
    ["2024-03-12T00:00:00.000Z", date(Date.UTC(2024, 2, 12), DAY)],
    ["2024-03-12T10:30:05.25Z", date(Date.UTC(2024, 2, 12, 10, 30, 5, 250), `${DAY} hh:mm:ss.000`)],
    ["true", { value: true }],
    ["FALSE", { value: false }],
    [
      "https://example.com/ä?b=c",
      { value: "https://example.com/ä?b=c", url: "https://example.com/%C3%A4?b=c" },
    ],
    ["", { value: null }],
  ])("%j are read", (written, cell) => expect(readAuto(written)).toEqual(cell));

  it.each<[unknown, SheetCell]>([
    [null, { value: null }],
    [true, { value: true }],
    [1.5, number(1.5)],
    [1_700_000_000_000, number(1_700_000_000_000, "0")],
    [Number("12345678901234567"), text("12345678901234568")],
    [1e21, number(1e21)],
    [1.7e308, text("1.7e+308")],
    [Number.NaN, text("NaN")],
    [[1, "a"], text('[1,"a"]')],
  ])("%j is written by its type", (value, cell) => {
    expect(readAuto(value as never)).toEqual(cell);
  });
});

it("keeps all codes of a column as text if one is certainly a code", () => {
  expect(readColumn(["00123", "12345", "1.5", null])).toEqual([
    text("00123"),
    text("12345"),
    number(1.5),
    { value: null },
  ]);
  expect(readColumn(["123", "12345"])).toEqual([number(123), number(12_345)]);
});
