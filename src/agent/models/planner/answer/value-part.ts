import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import type { Part } from "./parts.ts";
import { tableText } from "./words.ts";

const MAX_SHOWN = 8_000;

/** A value that a call answered, handed over as it is: a list of objects as rows. */
export function valuePart(said: string, value: Json, callId: string): Part {
  const records = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
  const rows = Array.isArray(value) && value.length > 0 && records.length === value.length;
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const grid = records.map((record) => columns.map((name) => record[name] ?? null));
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const shown = rows ? `\n\n${tableText(columns, grid)}` : ` ${plain}`;
  return {
    label: "result",
    summary: `${said}${shown.slice(0, MAX_SHOWN)}`,
    data: value,
    status: "found",
    callId: null,
    records,
    output: rows ? "table" : typeof value === "string" ? "text" : "json",
    sources: [callId],
    leftover: null,
  };
}
