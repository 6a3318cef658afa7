import Papa from "papaparse";
import type { Table } from "../../../contract/execution.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { tableHead, tableLine } from "../page/markdown-table.ts";
import { codeTable, evenTable } from "./given-table.ts";
import { type Made, made, notMade } from "./made.ts";
import type { Material } from "./material.ts";

/** A text and what kind of text it is. */
export interface TypedText {
  text: string;
  mediaType: string;
}

/** The material as text: Markdown of a page and of a table, the words or the JSON of the others. */
export function toText(material: Material): TypedText {
  switch (material.from) {
    case "page":
      return { text: material.page.text, mediaType: markdownOr(material.page.mediaType) };
    case "data":
      return tableText(material.table);
    case "response": {
      const { json, text, mediaType } = material.response;
      return json === undefined ? { text: text ?? "", mediaType } : jsonText(json);
    }
    case "value":
    case "code":
    case "remote":
      return typeof material.value === "string"
        ? { text: material.value, mediaType: "text/plain" }
        : jsonText(material.value);
  }
}

/** The material as JSON: of data a list of objects by column. */
export function toJson(material: Material): Made<Json> {
  switch (material.from) {
    case "page":
      return made(material.page);
    case "data":
      return made(records(material.table));
    case "response":
      return material.response.json === undefined
        ? notMade("That answer is not JSON; use type text.")
        : made(material.response.json);
    case "value":
    case "code":
    case "remote":
      return made(material.value);
  }
}

/** The material as a table, every row having a value for each column. */
export function toTable(material: Material): Made<Table> {
  if (material.from === "data") return made(material.table);
  if (material.from === "code") return codeTable(material.value);
  if (material.from === "page") {
    const [first, ...others] = material.page.tables;
    if (first && others.length === 0) return made({ columns: first.columns, rows: first.rows });
    return notMade(
      `The page has ${material.page.tables.length} tables; choose one with process_data first.`,
    );
  }
  if (material.from === "response" || material.from === "remote") {
    return notMade("Make rows of that answer with process_data first.");
  }
  return evenTable(material.value);
}

/**
 * A text that a spreadsheet would run as a formula, line breaks and all; a negative number is none.
 * See OWASP, "CSV injection".
 */
const FORMULA = /^(?!-\d[\d.,]*%?$)[=+\-@\t\r]/;

/** The table as CSV by RFC 4180. */
export function toCsv({ columns, rows }: Table): string {
  const data = rows.map((row) => row.map(csvCell));
  return Papa.unparse({ fields: columns, data }, { escapeFormulae: FORMULA });
}

function csvCell(value: Json): string | number | boolean | null {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function records({ columns, rows }: Table): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  );
}

/** One figure as it is, one column as lines, more as a Markdown table. */
function tableText({ columns, rows }: Table): TypedText {
  const cells = rows.map((row) => row.map(cellText));
  if (columns.length === 1) return { text: cells.flat().join("\n"), mediaType: "text/plain" };
  const lines = [...tableHead(columns), ...cells.map(tableLine)];
  return { text: lines.join("\n"), mediaType: "text/markdown" };
}

function cellText(value: Json): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function jsonText(value: Json): TypedText {
  return { text: JSON.stringify(value, null, 2), mediaType: "application/json" };
}

/** The text of an HTML page is kept as Markdown, any other as it came. */
function markdownOr(mediaType: string): string {
  return /^(text\/html|application\/xhtml\+xml)$/.test(mediaType) ? "text/markdown" : mediaType;
}
