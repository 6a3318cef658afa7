import { readSheet } from "read-excel-file/node";
import { describe, expect, it } from "vitest";
import { type ReadCell, type ReadSheet, readWorkbook } from "../../../../support/workbook.ts";
import { write } from "./write.ts";

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
const text = (value: string): ReadCell => ({ type: "text", value });

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
      { type: "number", value: 1200.5, format: '"$"#,##0.00' },
      { type: "number", value: 45_363.25, format: "yyyy-mm-dd hh:mm:ss" },
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
    const [sheet] = readWorkbook(output?.bytes ?? new Uint8Array());
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
    const [sheet] = readWorkbook(output?.bytes ?? new Uint8Array());
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
    const [whole, cut] = readWorkbook(output?.bytes ?? new Uint8Array());
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
  ]);
  expect(await readSheet(bytes, "Empty")).toEqual([["Note"]]);
});
