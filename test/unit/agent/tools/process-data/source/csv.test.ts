import { describe, expect, it, test } from "vitest";
import { looksLikeCsv, readCsv } from "../../../../../../src/agent/tools/process-data/source.ts";

describe("readCsv", () => {
  test.each([
    ["commas", "name,price\nmug,4\nhat,9\n"],
    ["semicolons", "name;price\nmug;4\nhat;9"],
    ["tabs", "name\tprice\r\nmug\t4\r\nhat\t9"],
    ["bars", "name|price\nmug|4\nhat|9"],
  ])("finds the delimiter of text with %s", (_, text) => {
    expect(readCsv(text).table).toEqual({
      columns: ["name", "price"],
      rows: [
        ["mug", "4"],
        ["hat", "9"],
      ],
    });
  });

  it("keeps delimiters, quotes and line breaks inside quotes", () => {
    const { table } = readCsv('name,note\n"Mug, blue","said ""hi""\nand left"\n');
    expect(table.rows).toEqual([["Mug, blue", 'said "hi"\nand left']]);
  });

  it("drops a byte order mark and blank lines", () => {
    expect(readCsv("\ufeffa,b\n\n1,2\n , \n").table).toEqual({
      columns: ["a", "b"],
      rows: [["1", "2"]],
    });
  });

  it.each(["mug,4\nhat,9", "2024-01-02,a\n2024-01-03,b", "ann@example.com,x\nbob@example.com,y"])(
    "numbers the columns when the first row is data: %j",
    (text) => {
      const { table } = readCsv(text);
      expect(table.columns).toEqual(["Column 1", "Column 2"]);
      expect(table.rows).toHaveLength(2);
    },
  );

  it("takes years in the first row as names", () => {
    expect(readCsv("country,2020,2021\nNorway,5,6").table.columns).toEqual([
      "country",
      "2020",
      "2021",
    ]);
  });

  it("fills short rows and names the columns of long ones", () => {
    expect(readCsv("a,b\n1\n1,2,3").table).toEqual({
      columns: ["a", "b", "Column 3"],
      rows: [
        ["1", null, null],
        ["1", "2", "3"],
      ],
    });
  });

  it("makes equal and blank names distinct", () => {
    expect(readCsv("a,a,,a 2,a\n1,2,3,4,5").table.columns).toEqual([
      "a",
      "a 2",
      "Column 3",
      "a 2 2",
      "a 3",
    ]);
  });

  it("says that it cut a file over the cell limit", () => {
    const { table, cut } = readCsv(`a,b\n${"1,2\n".repeat(60_000)}`);
    expect(cut).toBe(true);
    expect(table.rows).toHaveLength(50_000);
  });

  test.each([
    ["quotes", '"'.repeat(200_000)],
    ["broken quotes", '"a"b,'.repeat(50_000)],
    ["delimiters", ",".repeat(200_000)],
    ["an unclosed quote on each line", '"a,b\n'.repeat(50_000)],
    ["nothing", ""],
  ])("survives a text of %s", (_, text) => {
    const { table } = readCsv(text);
    expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
  });
});

describe("looksLikeCsv", () => {
  test.each([
    ["a,b\n1,2", true],
    ["a;b;c\n1;2;3\n4;5;6", true],
    ["a,b", false],
    ["one line\nanother line", false],
    ["Hello, world.\nThis is text without any.", false],
    ["", false],
  ])("judges %j as %s", (text, verdict) => {
    expect(looksLikeCsv(text)).toBe(verdict);
  });
});
