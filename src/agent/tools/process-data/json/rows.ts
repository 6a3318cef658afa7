import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { MAX_COLUMNS, rowsWithin } from "../limits.ts";
import { type Extracted, uniqueNames } from "../table.ts";

type Entry = readonly [name: string, cell: Json];

/**
 * Makes rows of JSON values. A list stands for its elements; an object is a row under its keys,
 * objects inside it are flattened one level (`owner.name`); anything else is a row under `value`.
 */
export function rowsOfJson(values: readonly Json[]): Extracted {
  const elements = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  const records = elements.map(entriesOf);
  const names = new Map<string, number>();
  let cut = false;
  for (const [name] of records.flat()) {
    if (names.has(name)) continue;
    if (names.size < MAX_COLUMNS) names.set(name, names.size);
    else cut = true;
  }
  const most = rowsWithin(names.size);
  const rows = records.slice(0, most).map((record) => rowOf(record, names));
  const table = { columns: uniqueNames([...names.keys()]), rows };
  return { table, notes: [], cut: cut || records.length > most };
}

function entriesOf(value: Json): Entry[] {
  if (Array.isArray(value))
    return value.map((cell, index) => [`Column ${index + 1}`, cell] as const);
  if (!isObject(value)) return [["value", value]];
  return Object.entries(value).flatMap(([key, cell]): Entry[] =>
    isObject(cell) && Object.keys(cell).length > 0
      ? Object.entries(cell).map(([inner, leaf]) => [`${key}.${inner}`, leaf])
      : [[key, cell]],
  );
}

function rowOf(record: readonly Entry[], names: ReadonlyMap<string, number>): Json[] {
  const row = new Array<Json>(names.size).fill(null);
  for (const [name, cell] of record) {
    const place = names.get(name);
    if (place !== undefined) row[place] = cell;
  }
  return row;
}
