import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { findColumn } from "../../../tools/process-data/table.ts";
import { cellQuantity, cellText, isEmpty } from "../../../tools/process-data/values/cells.ts";
import type { Hole, RequestBody } from "../program.ts";
import { dataOf } from "./outputs.ts";
import type { Result } from "./result.ts";

/** Returns the body of a request; undefined if a result has nothing to put there. */
export function bodyOf(body: RequestBody, resultOf: (part: string) => Result): Json | undefined {
  switch (body.kind) {
    case "none":
      return null;
    case "json":
      return body.value;
    case "template":
      return filled(body.value, body.holes, resultOf);
    case "parts": {
      const results = body.fields.map(({ part }) => resultOf(part));
      if (results.length === 0 || results.some(({ data }) => isEmpty(data))) return undefined;
      if (body.fields[0]?.name === null) return asJson(dataOf(results) ?? null);
      const entries = results.map(({ part, data }, at): [string, Json] => [
        body.fields[at]?.name ?? part.label,
        asJson(data),
      ]);
      return Object.fromEntries(entries);
    }
  }
}

function filled(
  value: Json,
  holes: readonly Hole[],
  resultOf: (part: string) => Result,
): Json | undefined {
  let body = value;
  for (const hole of holes) {
    const cell = holeValue(hole, resultOf(hole.part));
    if (cell === undefined) return undefined;
    body = withValueAt(body, hole.path, cell);
  }
  return body;
}

/**
 * Returns a result's value as a hole wants it, of a row of several cells the one in the column that
 * its words name; undefined if there is none of that kind.
 */
function holeValue({ as, words }: Hole, { columns, rows, data }: Result): Json | undefined {
  const [row = [], ...others] = rows;
  const isRow = others.length === 0 && row.length > 1 && words !== "";
  const column = isRow ? findColumn(columns, words) : null;
  const found = column?.ok ? (row[column.index] ?? data) : data;
  const value = Array.isArray(found) && found.length === 1 ? (found[0] ?? null) : found;
  if (isEmpty(value)) return undefined;
  if (as === "auto") return asJson(value);
  if (typeof value === "object") return undefined;
  return as === "text" ? cellText(value) : cellQuantity(value)?.value;
}

/** Returns data as JSON has it: the cells of pages are texts, also where they are plain numbers. */
function asJson(data: Json): Json {
  return JSON.parse(JSON.stringify(data), (_, value) =>
    typeof value === "string" && String(Number(value)) === value ? Number(value) : value,
  );
}

/** Returns a copy of JSON with another value at a path. */
function withValueAt(root: Json, [step, ...rest]: Hole["path"], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((each, index) => (index === step ? withValueAt(each, rest, value) : each));
  }
  return isObject(root) ? { ...root, [step]: withValueAt(root[step] ?? null, rest, value) } : value;
}
