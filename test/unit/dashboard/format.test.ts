import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatDuration,
  headline,
  summaryLine,
} from "../../../src/dashboard/format.ts";

describe("a duration", () => {
  it.each([
    [-5, "0 ms"],
    [40, "40 ms"],
    [340, "340 ms"],
    [2_340, "2.3 s"],
    [null, "–"],
    [12_400, "12 s"],
    [59_999, "1 min"],
    [250_000, "4 min 10 s"],
    [1_800_000, "30 min"],
    [3_600_000, "1 h"],
    [11_100_000, "3 h 5 min"],
    [86_400_000, "1 d"],
    [86_400_000 * 40 + 7_260_000, "40 d 2 h"],
  ])("of %s ms is written as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("a size", () => {
  it.each([
    [0, "0 bytes"],
    [812, "812 bytes"],
    [1_536, "1.5 KiB"],
    [5 * 1_073_741_824, "5 GiB"],
    [2 ** 53, "8.2K TiB"],
  ])("of %s bytes is written as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("a headline", () => {
  it("is the beginning on one line, with an ellipsis after a cut", () => {
    expect(headline("  Do it.\n\n\tThen rest. ")).toBe("Do it. Then rest.");
    expect(headline(`Do it.${" ".repeat(500)}Then rest.`)).toBe("Do it.");
    expect(headline("😀".repeat(71))).toBe(`${"😀".repeat(69)}…`);
    expect(headline("x".repeat(70))).toBe("x".repeat(70));
  });
});

describe("a summary line", () => {
  it.each([
    [
      "Found 2 rows:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nWrote a.xlsx.",
      "Found 2 rows. Wrote a.xlsx.",
    ],
    ["Found 2 rows:\n| a |\n| -", "Found 2 rows."],
    ["No table: a | b", "No table: a | b"],
    ["| a |\n| --- |", "| a | | --- |"],
    ["Rows, sorted: 2 rows.\n- Ada\n- Bob\nWrote a.xlsx.", "Rows, sorted: 2 rows. Wrote a.xlsx."],
  ])("is its sentences: %j", (text, said) => {
    expect(summaryLine(text, 100)).toBe(said);
  });
});
