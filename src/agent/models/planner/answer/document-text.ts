import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { DocumentFormat } from "../plan/document.ts";
import { capital } from "./file-parts.ts";
import { dataOf } from "./material.ts";
import type { Part } from "./parts.ts";
import { gridText } from "./words.ts";

/** A piece as lines of text: a text as it is, values one to a line, rows as a table. */
function linesOf({ data, label, records: own, summary }: Part, bullet: string): string {
  if (typeof data === "string") return data;
  if (label === "summary")
    return own.map((record) => cellText(record.summary ?? null)).join("\n\n");
  const rows = Array.isArray(data) ? data.filter(isObject) : isObject(data ?? null) ? [data] : [];
  if (Array.isArray(data) && rows.length < data.length) {
    return data.map((value) => `${bullet}${cellText(value)}`).join("\n");
  }
  const records = rows.flatMap((row) => (row !== undefined && isObject(row) ? [row] : []));
  const [only, ...others] = records;
  if (only !== undefined && others.length === 0) {
    const fields = Object.entries(only).map(([name, value]) => `${name}: ${cellText(value)}`);
    return fields.map((field) => `${bullet}${field}`).join("\n");
  }
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (columns.length === 0) return data === undefined || data === null ? summary : cellText(data);
  return gridText(
    columns,
    records.map((record) => columns.map((name) => record[name] ?? null)),
  );
}

/** What stands in a file of the pieces that were found. */
export function documentText(parts: readonly Part[], format: DocumentFormat): string {
  if (format === "json") return `${JSON.stringify(dataOf(parts) ?? null, null, 2)}\n`;
  const markdown = format === "markdown";
  const titled = parts.length > 1 || markdown;
  const texts = parts.map((part) => {
    const title =
      titled && part.label !== "text" ? `${markdown ? "# " : ""}${capital(part.label)}` : "";
    const text = linesOf(part, markdown ? "- " : "");
    return title === "" ? text : `${title}\n\n${text}`;
  });
  return `${texts.join("\n\n")}\n`;
}

/** A text of the prompt as it stands in a file; null where it is to be JSON and is none. */
export function givenText(text: string, format: DocumentFormat): string {
  if (format !== "json") return `${text}\n`;
  try {
    const value: Json = JSON.parse(text);
    return `${JSON.stringify(value, null, 2)}\n`;
  } catch {
    return `${JSON.stringify(text)}\n`;
  }
}
