import { writeXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { answerDocument } from "../../../scripts/local/documents/read.ts";
import { pdfBomb, pdfOf } from "../../support/pdf.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const read = (
  mediaType: string,
  body: Uint8Array<ArrayBuffer>,
  most?: { ms: number; bytes: number },
) => {
  const headers = { "Content-Type": mediaType };
  return answerDocument(new Request("http://documents/", { method: "POST", headers, body }), most);
};

describe("the reader of a local start", () => {
  it("returns the text of a PDF file by pages", async () => {
    const answer = await read("application/pdf", pdfOf("Pay 12 EUR (net).", "", "Until May."));
    const text = "## Page 1\n\nPay 12 EUR (net).\n\n## Page 3\n\nUntil May.\n\n";
    expect(answer).toEqual({ ok: true, text });
  });

  it("returns the sheets of a workbook as tables", async () => {
    const rows = [
      ["name", "price"],
      ["Tea | green", 3],
    ];
    const workbook = await writeXlsx({ sheets: [{ name: "Prices", rows }] });
    const text = "## Prices\n\n| name | price |\n| --- | --- |\n| Tea \\| green | 3 |\n\n";
    expect(await read(XLSX, new Uint8Array(workbook))).toEqual({ ok: true, text });
  });

  it("reports a damaged file as unreadable", async () => {
    const damaged = new Uint8Array([1, 2, 3]);
    const unreadable = { ok: false, reason: "unreadable" };
    expect(await read("application/pdf", damaged)).toEqual(unreadable);
    expect(await read(XLSX, damaged)).toEqual(unreadable);
  });

  it.each([
    ["memory", { ms: 60_000, bytes: 64 * 1_024 * 1_024 }],
    ["time", { ms: 100, bytes: 1_024 * 1_024 * 1_024 }],
  ])("aborts a file that takes too much %s", async (_, most) => {
    const ended = await read("application/pdf", pdfBomb(600), most);
    expect(ended).toEqual({ ok: false, reason: "too_large" });
  });
});
