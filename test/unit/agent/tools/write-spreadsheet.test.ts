import { describe, expect, it } from "vitest";
import { readPage } from "../../../../src/agent/tools/page/read-page.ts";
import { writeSpreadsheet } from "../../../../src/agent/tools/write-spreadsheet.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/answer.ts";
import { type ReadCell, type ReadSheet, readWorkbook } from "../../../support/workbook.ts";
import { toolContext } from "./support.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const TABLE = "<table><tr><th>Tea<th>Price<tr><td>Mint<td>$4.20</table>";

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
  page: { ok: true, content: readPage(TABLE, "https://example.com/") },
  tables: { ok: true, content: readPage(TABLE + TABLE, "https://example.com/") },
  failed: { ok: false, error: { code: "timeout", message: "late" } },
};

async function write(raw: object) {
  const input = writeSpreadsheet.input.parse(raw);
  const result = await writeSpreadsheet.run(input, toolContext({ earlier }));
  return { ...result, output: result.outputs?.[0] };
}

async function refusal(raw: object) {
  const { answer, outputs } = await write(raw);
  expect(outputs).toBeUndefined();
  return answer.ok ? null : answer.error;
}

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
const text = (value: string): ReadCell => ({ type: "text", value });

describe("a workbook", () => {
  it("is handed over as a file with its type, its label and the calls it came from", async () => {
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
    const read = readWorkbook(output?.bytes ?? new Uint8Array());
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

  it("has a bold header that stays in view, and columns as wide as their content, within limits", async () => {
    const { rows, widths, frozenRows } = await firstSheet({
      columns: [
        { name: "n" },
        { name: "A header of thirty characters." },
        { name: "long" },
        { name: "wide" },
        { name: "set", width: 33 },
        { name: "money" },
      ],
      rows: [[1, "x", "x".repeat(500), "東京都新宿区西新宿", "x", "$1,234,567.89"]],
    });
    expect(frozenRows).toBe(1);
    expect(rows[0]?.every((cell) => cell?.bold)).toBe(true);
    expect(rows[1]?.some((cell) => cell?.bold)).toBe(false);
    expect(widths).toEqual([8, 35, 60, 20, 33, 15]);
  });

  it("types its cells: text that looks like a formula or an error stays text", async () => {
    const { rows } = await firstSheet({
      columns: [{ name: "=1+1" }],
      rows: [
        ["=1+1"],
        ["#N/A"],
        ["00123"],
        ["$1,200.50"],
        ["12 %"],
        ["2024-03-12"],
        ["2024-03-12T06:00:00Z"],
        [true],
        ["https://example.com/?a=1&b=2"],
        [1_700_000_000_000],
      ],
    });
    expect(rows.map(([cell]) => cell)).toEqual([
      { ...text("=1+1"), bold: true },
      text("=1+1"),
      text("#N/A"),
      text("00123"),
      { type: "number", value: 1200.5, format: '"$"#,##0.00' },
      { type: "number", value: 0.12, format: "0%" },
      { type: "number", value: 45_363, format: "yyyy-mm-dd" },
      { type: "number", value: 45_363.25, format: "yyyy-mm-dd hh:mm:ss" },
      { type: "boolean", value: true },
      { ...text("https://example.com/?a=1&b=2"), link: "https://example.com/?a=1&b=2" },
      { type: "number", value: 1_700_000_000_000, format: "0" },
    ]);
  });

  it.each([
    ["emoji and astral characters", "👩‍👩‍👧 𝒳 😀", "👩‍👩‍👧 𝒳 😀"],
    ["markup", `<a href='x'>&amp;]]></a>"`, `<a href='x'>&amp;]]></a>"`],
    ["white space", "  a\tb\u00a0 ", "  a\tb\u00a0 "],
    ["line breaks as Excel has them", "a\r\nb\rc\nd", "a\nb\nc\nd"],
    ["what looks like an escape", "_x0041_x0042_ _x005F_", "_x0041_x0042_ _x005F_"],
    ["names of an object's parts", "constructor", "constructor"],
    ["no characters that XML forbids", "a\u0000\u0001\u000b\u001f\ufffe\uffffb", "ab"],
    ["no half of a character", "a\ud83db\ude00c", "abc"],
    ["the mark for what could not be decoded", "a\ufffdb", "a\ufffdb"],
  ])("holds %s", async (_, written, read) => {
    const sheet = await firstSheet({ columns: [{ name: "a" }], rows: [[written]] });
    expect(values(sheet)[1]).toEqual([read]);
  });

  it("cuts a text that is longer than a cell, between characters, and says so", async () => {
    const long = `${"x".repeat(32_766)}😀`;
    const { answer, output } = await write({
      format: "xlsx",
      filename: "a",
      sheets: [{ name: "A", columns: [{ name: "a" }], rows: [[long], ["y".repeat(32_767)]] }],
    });
    const [sheet] = readWorkbook(output?.bytes ?? new Uint8Array());
    expect(sheet?.rows[1]?.[0]?.value).toBe("x".repeat(32_766));
    expect(sheet?.rows[2]?.[0]?.value).toBe("y".repeat(32_767));
    expect(answer).toMatchObject({
      content: { notes: ['Sheet "A": 1 text was cut to the 32767 characters of a cell.'] },
    });
  });

  it("chooses, orders and renames columns by name, and takes formats", async () => {
    const sheet = await firstSheet({
      from: "data",
      columns: [
        { name: "stock", type: "number", format: '0 "pcs"' },
        { name: "item_name", header: "Tea" },
      ],
    });
    expect(values(sheet)).toEqual([
      ["Stock", "Tea"],
      [3, "Mint"],
      [null, "=cmd()"],
    ]);
    expect(sheet.rows[1]?.[0]?.format).toBe('0 "pcs"');
  });

  it("is made of what code returned, whose console alone was cut", async () => {
    const sheets = [{ name: "A", from: "code" }];
    const { answer, output } = await write({ format: "xlsx", filename: "a", sheets });
    expect(answer).toMatchObject({ ok: true, content: { notes: [] } });
    const [sheet] = readWorkbook(output?.bytes ?? new Uint8Array());
    expect(sheet && values(sheet)).toEqual([["x", "y"], [1, "00123"], [2]]);
  });

  it("notes what could not be read as asked, and what an earlier answer had left out", async () => {
    const { answer } = await write({
      format: "xlsx",
      filename: "a",
      sheets: [
        { name: "A", columns: [{ name: "when", type: "date" }], rows: [["soon"], ["2024-01-01"]] },
        { name: "B", from: "cut" },
      ],
    });
    expect(answer).toMatchObject({
      content: {
        notes: [
          'Sheet "A": Column "when": 1 value was left as written, as no date could be read.',
          expect.stringContaining('Sheet "B": What cut found was cut'),
        ],
      },
    });
  });

  it("has an error's name as a text in its header too", async () => {
    const { rows } = await firstSheet({ columns: [{ name: "#REF!" }], rows: [] });
    expect(rows).toEqual([[{ ...text("#REF!"), bold: true }]]);
  });

  it("may have columns only", async () => {
    expect(values(await firstSheet({ columns: [{ name: "a" }], rows: [] }))).toEqual([["a"]]);
  });
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
      /choose one with process_data/,
    ],
    ["for an answer that failed", [{ name: "A", from: "failed" }], /failed/],
    [
      "for a format that damages it",
      [{ name: "A", columns: [{ name: "a", format: "0 kg" }], rows: [[1]] }],
      /number format/,
    ],
  ])("%s", async (_, sheets, message) => {
    expect(await refusal({ format: "xlsx", filename: "a", sheets })).toEqual({
      code: "invalid_spreadsheet",
      message: expect.stringMatching(message),
    });
  });

  it("for a call that never was", async () => {
    const sheets = [{ name: "A", from: "nothing" }];
    expect(await refusal({ format: "xlsx", filename: "a", sheets })).toEqual({
      code: "unknown_call",
      message: "There is no earlier call nothing.",
    });
  });

  it("for more cells, or more bytes, than one file has", async () => {
    const columns = Array.from({ length: 200 }, (_, index) => ({ name: `c${index}` }));
    const many = Array.from({ length: 501 }, () => columns.map(() => 1));
    expect(
      await refusal({
        format: "xlsx",
        filename: "a",
        sheets: [{ name: "A", columns, rows: many }],
      }),
    ).toMatchObject({ message: expect.stringContaining("100200 cells") });
    const noise = Array.from({ length: 400 }, (_, row) => [randomText(row, 15_000)]);
    expect(
      await refusal({ format: "csv", filename: "a", columns: [{ name: "a" }], rows: noise }),
    ).toMatchObject({ message: expect.stringContaining("over 5 MiB") });
  });
});

/** Text that does not compress. */
function randomText(seed: number, length: number): string {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join("");
}

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

  it("keeps what is written, and runs nothing as a formula", async () => {
    const content = await contentOf({
      columns: [{ name: "=a" }, { name: "b" }],
      rows: [
        ["=1+1", "00123"],
        ["@SUM(A1)", "$1,200"],
        [-5, '-2+3+cmd|" /C calc"!A0'],
        ["+1", "a\tb"],
      ],
    });
    expect(content).toBe(
      `"'=a",b\r\n"'=1+1",00123\r\n"'@SUM(A1)","$1,200"\r\n-5,"'-2+3+cmd|"" /C calc""!A0"\r\n"'+1",a\tb`,
    );
  });

  it("has the values of the types that are asked for", async () => {
    const content = await contentOf({
      columns: [
        { name: "n", type: "number" },
        { name: "d", type: "date" },
        { name: "t", type: "datetime" },
        { name: "b", type: "boolean" },
      ],
      rows: [["$1,200.50", "12 March 2024", "12 March 2024 10:30", "yes"]],
    });
    expect(content).toBe("n,d,t,b\r\n1200.5,2024-03-12,2024-03-12T10:30:00Z,true");
  });

  it("begins with a byte order mark when Excel needs one to read it", async () => {
    expect(await contentOf({ columns: [{ name: "a" }], rows: [["é €"]] })).toBe("\ufeffa\r\né €");
    expect(await contentOf({ columns: [{ name: "a" }], rows: [["plain"]] })).toBe("a\r\nplain");
  });

  it("is made from an earlier call", async () => {
    const columns = [{ name: "Stock" }, { name: "Item Name", header: "Tea" }];
    expect(await contentOf({ from: "data", columns })).toBe(`Stock,Tea\r\n3,Mint\r\n,"'=cmd()"`);
  });
});
