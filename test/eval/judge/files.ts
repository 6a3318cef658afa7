import Papa from "papaparse";
import type { OutputFile } from "../../../src/contract/tools/call.ts";
import { type ReadCell, readWorkbook } from "../../support/workbook.ts";
import type { FileExpectation } from "../expectation.ts";
import { areRows } from "./answers.ts";
import { mentions, says } from "./facts.ts";

type Cells = Exclude<ReadCell["value"], Date>[];

/** Returns what is wrong with the files, or null: exactly those that are wanted, in any order. */
export function faultOfFiles(
  files: readonly OutputFile[],
  wanted: readonly FileExpectation[],
): Promise<string | null> {
  return faultOfEach(files, wanted, "files", faultOf);
}

/** Returns what is wrong with what was found, or null: each matches another of the wanted ones. */
export async function faultOfEach<Found, Wanted>(
  found: readonly Found[],
  wanted: readonly Wanted[],
  what: string,
  faultOf: (one: Found, expected: Wanted) => Promise<string | null>,
): Promise<string | null> {
  if (found.length !== wanted.length) return `${found.length} ${what} instead of ${wanted.length}`;
  const left = [...found];
  for (const expected of wanted) {
    const faults = await Promise.all(left.map((one) => faultOf(one, expected)));
    const place = faults.indexOf(null);
    if (place === -1) return faults.join("; ");
    left.splice(place, 1);
  }
  return null;
}

async function faultOf(file: OutputFile, wanted: FileExpectation): Promise<string | null> {
  const { filename } = file;
  if (wanted.name !== undefined && filename !== wanted.name) return `a file named ${filename}`;
  if (wanted.format !== formatOf(filename)) return `${filename} is not of format ${wanted.format}`;
  const text = await textOf(file);
  const missing = wanted.facts?.find((fact) => !mentions(text, fact));
  if (missing !== undefined) return `${filename} lacks ${missing}`;
  const { rows } = wanted;
  if (rows === undefined) return null;
  const sheets = await sheetsOf(file);
  const fits = sheets.some(([head = [], ...body]) => {
    const hasHeader = wanted.header?.every((name, at) => says(head[at], name)) ?? true;
    return hasHeader && areRows(body, rows);
  });
  return fits ? null : `${filename} has other cells: ${text.slice(0, 200)}`;
}

function formatOf(filename: string): FileExpectation["format"] {
  const extension = filename.split(".").at(-1)?.toLowerCase();
  return extension === "xlsx" || extension === "csv" ? extension : "text";
}

/** Returns the rows of each sheet without empty ones; a CSV file is one sheet. */
async function sheetsOf(file: OutputFile): Promise<Cells[][]> {
  if (formatOf(file.filename) === "xlsx") {
    return (await readWorkbook(file.bytes)).map(({ rows }) =>
      rows.map((row) => row.flatMap((cell) => (cell === null ? [] : [shown(cell)]))).filter(isFull),
    );
  }
  const text = new TextDecoder().decode(file.bytes);
  return [Papa.parse<string[]>(text, { skipEmptyLines: true }).data.filter(isFull)];
}

/** Returns what a cell shows; a date, as a day. */
function shown({ value }: ReadCell): Cells[number] {
  return value instanceof Date ? value.toISOString().slice(0, 10) : value;
}

function isFull(row: Cells): boolean {
  return row.length > 0;
}

/** Returns a file as text: the cells of a workbook, or the text itself. */
export async function textOf(file: OutputFile): Promise<string> {
  if (formatOf(file.filename) !== "xlsx") return new TextDecoder().decode(file.bytes);
  return (await sheetsOf(file))
    .flat()
    .map((row) => row.join(" | "))
    .join("\n");
}
