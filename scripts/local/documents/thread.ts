import { parentPort, workerData } from "node:worker_threads";
import type { CellValue, Sheet } from "hucre";
import * as z from "zod";
import { tableHead, tableLine } from "../../../src/agent/tools/page/markdown.ts";
import { MAX_DOCUMENT_CHARACTERS, type ReadDocument } from "../../../src/outbound/documents.ts";

/** How long the pages of a document are read; those behind are cut. */
const PAGES_MS = 15_000;

/** Returns the text of a PDF file, each page below its number. */
async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const { getDocumentProxy } = await import("unpdf");
  const until = performance.now() + PAGES_MS;
  // Without its messages on the console of the service.
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
  let text = "";
  for (let number = 1; number <= pdf.numPages; number += 1) {
    if (text.length > MAX_DOCUMENT_CHARACTERS || performance.now() > until)
      return { ok: true, text, cutAt: `page ${number - 1} of ${pdf.numPages}` };
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const lines = items.flatMap((item) =>
      "str" in item ? [item.str, item.hasEOL ? "\n" : ""] : [],
    );
    const found = lines.join("").trim();
    if (found !== "") text += `## Page ${number}\n\n${found}\n\n`;
  }
  return { ok: true, text };
}

/** Returns the sheets of a workbook as tables. */
async function readWorkbook(bytes: Uint8Array): Promise<ReadDocument> {
  const { read } = await import("hucre");
  const { sheets } = await read(bytes);
  let text = "";
  for (const [at, { name, rows }] of sheets.entries()) {
    text += `## ${name}\n\n`;
    for (const line of linesOf(rows)) {
      if (text.length > MAX_DOCUMENT_CHARACTERS)
        return { ok: true, text, cutAt: `sheet ${at + 1} of ${sheets.length}` };
      text += `${line}\n`;
    }
    text += "\n";
  }
  return { ok: true, text };
}

function* linesOf([head, ...rows]: Sheet["rows"]): Generator<string> {
  if (head === undefined) return;
  yield* tableHead(head.map(cellText));
  for (const row of rows) yield tableLine(row.map(cellText));
}

function cellText(value: CellValue): string {
  return value instanceof Date ? value.toISOString() : String(value ?? "");
}

const { mediaType, bytes } = z
  .object({ mediaType: z.string(), bytes: z.instanceof(Uint8Array) })
  .parse(workerData);
const document = mediaType === "application/pdf" ? readPdf(bytes) : readWorkbook(bytes);
parentPort?.postMessage(await document);
