import type { Json } from "../../../../contract/json.ts";
import { spreadsheetContent } from "../../../../contract/tools/write-spreadsheet.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { Done } from "./desk.ts";
import { sheetNames } from "./file-names.ts";
import { dataOf, rowsOf } from "./outputs.ts";
import type { Result } from "./results.ts";
import { capital, counted, listed } from "./words.ts";

/** The extension of each format of file. */
export const EXTENSIONS = {
  xlsx: "xlsx",
  csv: "csv",
  json: "json",
  markdown: "md",
  text: "txt",
} as const;

interface NamedResult {
  name: string | null;
  result: Result;
}

/** Returns the input of `write_spreadsheet` for a workbook of several sheets, or a CSV file of one. */
export function sheetInput(
  format: "xlsx" | "csv",
  filename: string,
  parts: readonly NamedResult[],
): Json {
  const sources = [...new Set(parts.flatMap(({ result }) => result.sources))].slice(0, 50);
  const evidence = sources.length === 0 ? {} : { sources };
  if (format === "csv") {
    const [only] = parts;
    return { format, filename, ...(only === undefined ? {} : rowsOf(only.result)), ...evidence };
  }
  const own = parts.length === 1 ? titleOf(filename) : null;
  const names = sheetNames(parts.map(({ name, result }) => name ?? own ?? result.part.label));
  const sheets = parts.map(({ result }, index) => ({
    name: names[index] ?? "Sheet",
    ...rowsOf(result),
  }));
  return { format, filename, sheets, ...evidence };
}

/** Returns the words of a file's name as a title: "prices.xlsx" becomes "Prices". */
function titleOf(filename: string): string {
  return capital(filename.replace(/\.\w+$/, "").replace(/[-_]+/g, " "));
}

const MEDIA_TYPES = { json: "application/json", markdown: "text/markdown", text: "text/plain" };

/** Returns the input of `emit_output` for a file of JSON, Markdown or plain text. */
export function textInput(
  format: "json" | "markdown" | "text",
  filename: string,
  results: readonly Result[],
): Json {
  const [only, second] = results;
  // A text file of one result holds its lines and nothing else.
  const bare =
    format === "text" && only !== undefined && second === undefined && only.rows.length > 0;
  const text = bare
    ? only.rows.map((row) => row.map(cellText).join(", ")).join("\n")
    : results.map((result) => result.text).join("\n\n");
  return {
    label: filename,
    type: "file",
    filename,
    mediaType: MEDIA_TYPES[format],
    value: format === "json" ? (dataOf(results) ?? null) : text,
    sources: [...new Set(results.flatMap(({ sources }) => sources))].slice(0, 50),
  };
}

/** Says which sheets a written file has. */
export function contentsOf({ answer }: Done): string {
  const content = answer.ok ? spreadsheetContent.safeParse(answer.content) : null;
  const sheets = content?.data?.sheets ?? [];
  if (sheets.length === 0) return "";
  return ` with ${listed(sheets.map(({ name, rows }) => `${name} (${counted(rows, "row")})`))}`;
}
