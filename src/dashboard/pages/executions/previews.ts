import { readXlsx } from "hucre/xlsx";
import Papa from "papaparse";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { ExecutionResult, Output, Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";

/** The sheets of a spreadsheet, with their first rows. */
export interface SheetPreview {
  name: string;
  table: Table;
}

/** The sheets of spreadsheet outputs, by the outputs' ids. */
export type Previews = ReadonlyMap<string, readonly SheetPreview[]>;

/** The most files that are read for a page, and the most bytes of one. */
const MAX_FILES = 4;
const MAX_BYTES = 262_144;
/** The most sheets and rows that are shown; a row more says that there are more. */
const MAX_SHEETS = 4;
const MAX_ROWS = 51;

/** Reads the spreadsheets of a result. One that cannot be read has no preview. */
export async function loadPreviews(
  api: Prompthook,
  { executionId, outputs }: Pick<ExecutionResult, "executionId" | "outputs">,
): Promise<Previews> {
  const files = outputs.filter(isPreviewable).slice(0, MAX_FILES);
  const read = await Promise.all(
    files.map(async (file) => {
      const { body } = await api.executions.file(executionId, file.outputId);
      const bytes = new Uint8Array(await new Response(body).arrayBuffer());
      return [file.outputId, await sheetsOf(bytes, file.mediaType)] as const;
    }),
  );
  return new Map(read.filter(([, sheets]) => sheets.length > 0));
}

function isPreviewable({ type, nodeType, sizeBytes = 0 }: Output): boolean {
  return type === "file" && nodeType === "SPREADSHEET" && sizeBytes <= MAX_BYTES;
}

async function sheetsOf(bytes: Uint8Array, mediaType: string): Promise<SheetPreview[]> {
  try {
    if (mediaType.startsWith("text/csv")) {
      const { data } = Papa.parse<string[]>(new TextDecoder().decode(bytes), {
        preview: MAX_ROWS + 1,
        skipEmptyLines: true,
      });
      return [{ name: "", table: tableOf(data) }];
    }
    const { sheets } = await readXlsx(bytes);
    return sheets.slice(0, MAX_SHEETS).map(({ name, rows }) => ({
      name,
      table: tableOf(rows.slice(0, MAX_ROWS + 1).map((row) => row.map(cellOf))),
    }));
  } catch {
    return [];
  }
}

/** Returns rows as a table: the first names the columns. */
function tableOf([head = [], ...rows]: readonly (readonly Json[])[]): Table {
  return {
    columns: head.map((cell) => String(cell ?? "")),
    rows: rows.map((row) => head.map((_, at) => row[at] ?? null)),
  };
}

function cellOf(value: unknown): Json {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, "");
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") {
    return value;
  }
  return value === null || value === undefined ? null : String(value);
}
