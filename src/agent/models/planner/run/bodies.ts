import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { findColumn } from "../../../tools/process-data/table.ts";
import { cellQuantity, cellText } from "../../../tools/process-data/values/cells.ts";
import type { Hole, RequestBody } from "../program.ts";
import type { Result } from "./result.ts";

/** Fills the holes of a JSON body; undefined if a result has no value that fits. */
export function filled(
  { value, holes }: Extract<RequestBody, { kind: "template" }>,
  resultOf: (part: string) => Result,
): Json | undefined {
  let body = value;
  for (const { path, part, as, words } of holes) {
    const result = resultOf(part);
    const cell = holeValue(namedValue(result, words) ?? result.data, as);
    if (cell === undefined) return undefined;
    body = withValueAt(body, path, cell);
  }
  return body;
}

/** Returns the value of the only row in the column that words name; undefined if there is none. */
function namedValue({ columns, rows }: Result, words: string): Json | undefined {
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0 || words === "" || row.length === 1) return undefined;
  const column = findColumn(columns, words);
  return column.ok ? row[column.index] : undefined;
}

/** Returns a result's value as a hole wants it; undefined if it is none of that kind. */
function holeValue(data: Json, as: Hole["as"]): Json | undefined {
  const value = Array.isArray(data) && data.length === 1 ? (data[0] ?? null) : data;
  if (isEmpty(value)) return undefined;
  if (as === "auto") return asJson(value);
  if (typeof value === "object") return undefined;
  return as === "text" ? cellText(value) : cellQuantity(value)?.value;
}

/** Returns data as JSON has it: the cells of pages are texts, also where they are plain numbers. */
export function asJson(data: Json): Json {
  if (Array.isArray(data)) return data.map(asJson);
  if (isObject(data)) {
    return Object.fromEntries(
      Object.entries(data).map(([key, each]) => [key, asJson(each ?? null)]),
    );
  }
  return typeof data === "string" && String(Number(data)) === data ? Number(data) : data;
}

/** Returns a copy of JSON with another value at a path. */
function withValueAt(root: Json, [step, ...rest]: Hole["path"], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((each, index) => (index === step ? withValueAt(each, rest, value) : each));
  }
  if (!isObject(root)) return value;
  return { ...root, [step]: withValueAt(root[step] ?? null, rest, value) };
}

/** Whether data says nothing: null, an empty text, list or object. */
export function isEmpty(data: Json): boolean {
  if (data === null || data === "") return true;
  return typeof data === "object" && Object.keys(data).length === 0;
}
