import { describe, expect, it } from "vitest";
import { refusal, write } from "./write-spreadsheet/write.ts";

describe("a workbook is refused", () => {
  const rows = { columns: [{ name: "a" }], rows: [[1]] };
  it.each<[string, object[], RegExp]>([
    [
      "for two sheets of one name",
      [
        { name: "A", ...rows },
        { name: "a", ...rows },
      ],
      /both be/,
    ],
    ["for a name that Excel keeps", [{ name: "history", ...rows }], /History/],
    ["for a name that XML cannot hold", [{ name: "a\uffff", ...rows }], /characters/],
    ["for rows and from", [{ name: "A", ...rows, from: "data" }], /either rows or from/],
    ["for no rows", [{ name: "A" }], /Give rows/],
    ["for rows without columns", [{ name: "A", rows: [[1]] }], /need columns/],
    ["for an uneven row", [{ name: "A", ...rows, rows: [[1], [1, 2]] }], /Row 2 has 2/],
    [
      "for a column that is not there",
      [{ name: "A", from: "data", columns: [{ name: "x" }] }],
      /no column "x".*"Stock"/,
    ],
    [
      "for a page of several tables",
      [{ name: "A", from: "tables" }],
      /Select one with process_data/,
    ],
    ["for an answer that failed", [{ name: "A", from: "failed" }], /failed/],
  ])("%s", async (_, sheets, message) => {
    expect(await refusal({ format: "xlsx", filename: "a", sheets })).toEqual({
      code: "invalid_spreadsheet",
      message: expect.stringMatching(message),
    });
  });

  it("for an unknown call", async () => {
    const sheets = [{ name: "A", from: "nothing" }];
    expect(await refusal({ format: "xlsx", filename: "a", sheets })).toEqual({
      code: "unknown_call",
      message: "There is no earlier call nothing.",
    });
  });

  it("for more cells or bytes than a file may have", async () => {
    const columns = Array.from({ length: 200 }, (_, index) => ({ name: `c${index}` }));
    const many = Array.from({ length: 501 }, () => columns.map(() => 1));
    const sheets = [{ name: "A", columns, rows: many }];
    expect(await refusal({ format: "xlsx", filename: "a", sheets })).toMatchObject({
      message: expect.stringContaining("100200 cells"),
    });
    const rows = Array.from({ length: 400 }, () => ["x".repeat(15_000)]);
    expect(
      await refusal({ format: "csv", filename: "a", columns: [{ name: "a" }], rows }),
    ).toMatchObject({ message: expect.stringContaining("larger than 5 MiB") });
  });
});

describe("a file's name", () => {
  const csv = { format: "csv", columns: [{ name: "a" }], rows: [] };
  it.each([
    ["report", "report.csv"],
    ["report.CSV", "report.CSV"],
    ["v1.2 of it", "v1.2 of it.csv"],
    ["Übersicht.2024", "Übersicht.2024.csv"],
  ])("%j gets its extension", async (filename, complete) => {
    expect((await write({ ...csv, filename })).output?.filename).toBe(complete);
  });

  it.each(["a/b", "..", ".hidden", "a\nb", " ", "a\\b", "a\u202eb", "report.xlsx", "a.json"])(
    "%j is refused",
    async (filename) => {
      expect(await refusal({ ...csv, filename })).toMatchObject({ code: "invalid_spreadsheet" });
    },
  );
});

describe("a CSV file", () => {
  const contentOf = async (raw: object) => {
    const { output, answer } = await write({ format: "csv", filename: "a", ...raw });
    expect(answer.ok).toBe(true);
    expect(output).toMatchObject({ mediaType: "text/csv", nodeType: "SPREADSHEET", type: "file" });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(output?.bytes);
  };

  it("begins with a byte order mark when Excel needs one to read it", async () => {
    expect(await contentOf({ columns: [{ name: "a" }], rows: [["é €"]] })).toBe("\ufeffa\r\né €");
    expect(await contentOf({ columns: [{ name: "a" }], rows: [["00123"]] })).toBe("a\r\n00123");
  });

  it("notes a cut source of its rows in a comment", async () => {
    expect(await contentOf({ from: "cut" })).toBe(
      "a\r\n1\r\n# Note: based on a source that was cut at 1 of 9 rows; figures may be incomplete.",
    );
  });

  it("is made from an earlier call", async () => {
    const columns = [{ name: "Stock" }, { name: "Item Name", header: "Tea" }];
    expect(await contentOf({ from: "data", columns })).toBe(`Stock,Tea\r\n3,Mint\r\n,"'=cmd()"`);
  });
});
