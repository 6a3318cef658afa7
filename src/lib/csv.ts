import Papa from "papaparse";
import type { Json } from "./json-values.ts";

/**
 * Matches a text that a spreadsheet would run as a formula, also behind white space and with a full-width
 * sign, but no negative number or amount. See OWASP, "CSV injection".
 */
const FORMULA = /^(?!\s*-\p{Sc}?\d[\d.,]*%?\s*$)\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Converts rows to CSV by RFC 4180. All CSV that the service makes is made here. */
export function toCsv({ columns, rows }: { columns: string[]; rows: Json[][] }): string {
  const cellOf = (value: Json) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  const data = rows.map((row) => row.map(cellOf));
  return Papa.unparse({ fields: columns, data }, { escapeFormulae: FORMULA });
}
