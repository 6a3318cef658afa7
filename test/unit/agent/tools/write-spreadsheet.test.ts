import { readSheet } from "read-excel-file/node";
import { describe, expect, it } from "vitest";
import { readPage } from "../../../../src/agent/tools/page/read-page.ts";
import { writeSpreadsheet } from "../../../../src/agent/tools/write-spreadsheet.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/call.ts";
import { writeSpreadsheetInput } from "../../../../src/contract/tools/write.ts";
import { type ReadCell, type ReadSheet, readWorkbook } from "../../../support/workbook.ts";
import { toolContext } from "./support.ts";

const TABLE = "<table><tr><th>Tea<th>Price<tr><td>Mint<td>$4.20</table>";

/** What the calls before came to, by their ids. */
const earlier: Record<string, ToolAnswer> = {
  data: {
    ok: true,
    content: {
      columns: ["Item Name", "Price", "Stock"],
      rows: [
        ["Mint", "$1,200.50", 3],
        ["=cmd()", "$4", null],
      ],
      rowCount: 2,
      notes: [],
      cut: false,
    },
  },
  cut: { ok: true, content: { columns: ["a"], rows: [[1]], rowCount: 9, notes: [], cut: true } },
  code: { ok: true, content: { value: [{ x: 1, y: "00123" }, { x: 2 }], console: [], cut: true } },
  page: { ok: true, content: readPage(TABLE, "https://example.com/").page },
  tables: { ok: true, content: readPage(TABLE + TABLE, "https://example.com/").page },
  failed: { ok: false, error: { code: "timeout", message: "late" } },
};

/** The tool's result, and the file that it made, if any. */
async function write(raw: object) {
  const input = writeSpreadsheetInput.parse(raw);
  const result = await writeSpreadsheet(null).run(
    input,
    toolContext({ earlier, cuts: { cut: "1 of 9 rows" } }),
  );
  return { ...result, output: result.outputs?.[0] };
}

/** Why no file was made. */
async function refusal(raw: object) {
  const { answer, outputs } = await write(raw);
  expect(outputs).toBeUndefined();
  return answer.ok ? null : answer.error;
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async function workbookOf(raw: object): Promise<ReadSheet[]> {
  const { answer, output } = await write({ format: "xlsx", filename: "a", ...raw });
  if (!output?.bytes) throw new Error(JSON.stringify(answer));
  return readWorkbook(output.bytes);
}

async function firstSheet(raw: object): Promise<ReadSheet> {
  const [sheet] = await workbookOf({ sheets: [{ name: "A", ...raw }] });
  if (!sheet) throw new Error("there is no sheet");
  return sheet;
}

const values = ({ rows }: ReadSheet) => rows.map((row) => row.map((cell) => cell?.value ?? null));
const text = (value: string): ReadCell => ({ value });

const NOTE = "Note: based on a source that was cut at 1 of 9 rows; figures may be incomplete.";

describe("a workbook", () => {
  it("is output as a file with its type, its label and the calls it is based on", async () => {
    const sheets = [
      { name: "Teas", from: "data" },
      { name: "Page", from: "page" },
      { name: "Again", from: "data", columns: [{ name: "price" }] },
    ];
    const { answer, output, basedOn } = await write({
      format: "xlsx",
      filename: "Teas 2024",
      label: "All teas",
      sheets,
    });
    expect(answer).toEqual({
      ok: true,
      content: {
        format: "xlsx",
        filename: "Teas 2024.xlsx",
        sizeBytes: output?.bytes?.byteLength,
        sheets: [
          { name: "Teas", columns: 3, rows: 2 },
          { name: "Page", columns: 2, rows: 1 },
          { name: "Again", columns: 1, rows: 2 },
        ],
        notes: [],
      },
    });
    expect(output).toMatchObject({
      label: "All teas",
      type: "file",
      nodeType: "SPREADSHEET",
      mediaType: XLSX,
      filename: "Teas 2024.xlsx",
    });
    expect(basedOn).toEqual(["data", "page"]);
    const read = await readWorkbook(output?.bytes ?? new Uint8Array());
    expect(read.map(({ name }) => name)).toEqual(["Teas", "Page", "Again"]);
    expect(read.map(values)).toEqual([
      [
        ["Item Name", "Price", "Stock"],
        ["Mint", 1200.5, 3],
        ["=cmd()", 4],
      ],
      [
        ["Tea", "Price"],
        ["Mint", 4.2],
      ],
      [["Price"], [1200.5], [4]],
    ]);
  });

  it("types its cells, and keeps text that looks like a formula or an error as text", async () => {
    const { rows } = await firstSheet({
      columns: [{ name: "#REF!" }],
      rows: [
        ["=1+1"],
        ["#N/A"],
        ["$1,200.50"],
        ["2024-03-12T06:00:00Z"],
        ["https://example.com/?a=1&b=2"],
      ],
    });
    expect(rows.map(([cell]) => cell)).toEqual([
      { ...text("#REF!"), bold: true },
      text("=1+1"),
      text("#N/A"),
      { value: 1200.5, format: '"$"#,##0.00' },
      { value: new Date("2024-03-12T06:00:00Z"), format: "yyyy-mm-dd hh:mm:ss" },
      { ...text("https://example.com/?a=1&b=2"), link: "https://example.com/?a=1&b=2" },
    ]);
  });

  it("cuts a text that is longer than a cell between characters, with a note", async () => {
    const long = `${"x".repeat(32_766)}😀`;
    const { answer, output } = await write({
      format: "xlsx",
      filename: "a",
      sheets: [{ name: "A", columns: [{ name: "a" }], rows: [[long], ["y".repeat(32_767)]] }],
    });
    const [sheet] = await readWorkbook(output?.bytes ?? new Uint8Array());
    expect(sheet?.rows[1]?.[0]?.value).toBe("x".repeat(32_766));
    expect(sheet?.rows[2]?.[0]?.value).toBe("y".repeat(32_767));
    expect(answer).toMatchObject({
      content: { notes: ['Sheet "A": 1 text was cut to the 32767 characters of a cell.'] },
    });
  });

  it("is made of a result of code whose console was cut", async () => {
    const sheets = [{ name: "A", from: "code" }];
    const { answer, output } = await write({ format: "xlsx", filename: "a", sheets });
    expect(answer).toMatchObject({ ok: true, content: { notes: [] } });
    const [sheet] = await readWorkbook(output?.bytes ?? new Uint8Array());
    expect(sheet && values(sheet)).toEqual([["x", "y"], [1, "00123"], [2]]);
  });

  it("notes a cut source below the rows", async () => {
    const { answer, output } = await write({
      format: "xlsx",
      filename: "a",
      sheets: [
        { name: "A", columns: [{ name: "when" }], rows: [["soon"], ["2024-01-01"]] },
        { name: "B", from: "cut" },
      ],
    });
    expect(answer).toMatchObject({
      content: {
        notes: [`Sheet "B": Below the rows is: "${NOTE}"`],
      },
    });
    const [whole, cut] = await readWorkbook(output?.bytes ?? new Uint8Array());
    expect(JSON.stringify(whole)).not.toContain(NOTE);
    expect(cut && values(cut)).toEqual([["a"], [1], [], [NOTE]]);
  });
});

it("creates workbooks that another program reads correctly", async () => {
  const { output } = await write({
    format: "xlsx",
    filename: "orders",
    sheets: [
      {
        name: "Orders",
        columns: [
          { name: "Id" },
          { name: "Customer" },
          { name: "Total" },
          { name: "Placed" },
          { name: "Paid" },
        ],
        rows: [
          ["0017", "Zoë 🍵", 1200.5, "2026-02-03", true],
          ["0018", "=1+1", -3, "2026-12-31", false],
          ["#N/A", "_x0041_ \u0001", 0, "2027-01-01", true],
        ],
      },
      { name: "Empty", columns: [{ name: "Note" }], rows: [] },
    ],
  });
  const bytes = Buffer.from(output?.bytes ?? []);
  expect(await readSheet(bytes, "Orders")).toEqual([
    ["Id", "Customer", "Total", "Placed", "Paid"],
    ["0017", "Zoë 🍵", 1200.5, new Date("2026-02-03T00:00:00Z"), true],
    ["0018", "=1+1", -3, new Date("2026-12-31T00:00:00Z"), false],
    ["#N/A", "_x0041_", 0, new Date("2027-01-01T00:00:00Z"), true],
  ]);
  expect(await readSheet(bytes, "Empty")).toEqual([["Note"]]);
});

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
