import Papa from "papaparse";
import { json } from "../../../../src/contract/json.ts";
import type { OutputFile } from "../../../../src/contract/tools/call.ts";
import { readWorkbook } from "../../../support/workbook.ts";
import type { FileExpectation } from "../expectation.ts";
import { answers, areRows } from "./answers.ts";
import { mentions, says } from "./facts.ts";

type Cells = (string | number | boolean)[];

/** Returns what is wrong with the files, or null: exactly those that are wanted, in any order. */
export function faultOfFiles(
  files: readonly OutputFile[],
  wanted: readonly FileExpectation[],
): string | null {
  if (files.length !== wanted.length) {
    return `${files.length} files instead of ${wanted.length}`;
  }
  const left = [...files];
  for (const expected of wanted) {
    const faults = left.map((file) => faultOf(file, expected));
    const place = faults.indexOf(null);
    if (place === -1) return faults.join("; ");
    left.splice(place, 1);
  }
  return null;
}

function faultOf(file: OutputFile, wanted: FileExpectation): string | null {
  const { filename } = file;
  if (wanted.name !== undefined && filename !== wanted.name) return `a file named ${filename}`;
  if (wanted.format !== formatOf(filename)) return `${filename} is not of format ${wanted.format}`;
  const text = textOf(file);
  const missing = wanted.facts.find((fact) => !mentions(text, fact));
  if (missing !== undefined) return `${filename} lacks ${missing}`;
  const { rows } = wanted;
  if (rows === undefined) return null;
  if (wanted.format === "json") {
    const isFound = answers(json.parse(JSON.parse(text)), rows);
    return isFound ? null : `${filename} has other rows`;
  }
  if (wanted.format === "text") return answers(text, rows) ? null : `${filename} has other lines`;
  const fits = sheetsOf(file).some(([head = [], ...body]) => {
    const hasHeader = wanted.header?.every((name, at) => says(head[at], name)) ?? true;
    return hasHeader && areRows(body, rows);
  });
  return fits ? null : `${filename} has other cells: ${text.slice(0, 200)}`;
}

function formatOf(filename: string): FileExpectation["format"] {
  const extension = /\.(xlsx|csv|json)$/i.exec(filename)?.[1]?.toLowerCase();
  return extension === "xlsx" || extension === "csv" || extension === "json" ? extension : "text";
}

/** Returns the rows of each sheet without empty ones; a CSV file is one sheet. */
function sheetsOf(file: OutputFile): Cells[][] {
  if (formatOf(file.filename) === "xlsx") {
    return readWorkbook(file.bytes).map(({ rows }) =>
      rows.map((row) => row.flatMap((cell) => (cell === null ? [] : [cell.value]))).filter(isFull),
    );
  }
  const text = new TextDecoder().decode(file.bytes);
  return [Papa.parse<string[]>(text, { skipEmptyLines: true }).data.filter(isFull)];
}

function isFull(row: Cells): boolean {
  return row.length > 0;
}

/** Returns a file as text: the cells of a workbook, or the text itself. */
export function textOf(file: OutputFile): string {
  if (formatOf(file.filename) !== "xlsx") return new TextDecoder().decode(file.bytes);
  return sheetsOf(file)
    .flat()
    .map((row) => row.join(" | "))
    .join("\n");
}
