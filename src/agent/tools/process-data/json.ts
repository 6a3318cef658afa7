import type { Json } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";
import { fail } from "../tool.ts";
import { type Extracted, MAX_COLUMNS, quoteNames, rowsWithin, uniqueNames } from "./table.ts";

/**
 * Follows a dot path such as `data.items[0].name` or `items[*].price` (`*` alone works too) through own
 * properties only. The root may be written `$`. The error of a path without values says what is there;
 * `missed` is the number of elements on the way that lack the path.
 */
export function followPath(root: Json, path: string) {
  const steps = path
    .trim()
    .replace(/^\$/, "")
    .split(/[.[\]]+/)
    .filter(Boolean);
  let values = [root];
  let missed = 0;
  for (const [index, step] of steps.entries()) {
    const isEach = step === "*";
    const next = values.flatMap((value) => (isEach ? childrenOf(value) : childOf(value, step)));
    if (!isEach) missed += values.length - next.length;
    const isEmptyList = isEach && values.every((value) => typeof value === "object");
    if (next.length === 0 && values.length > 0 && !isEmptyList) {
      const place = index === 0 ? "The data" : `"${steps.slice(0, index).join(".")}"`;
      const what = describe(values[0] ?? null);
      fail(`${place} has no "${step}": it is ${what}.`, "nothing_found");
    }
    values = next;
  }
  return { values, missed };
}

function childOf(value: Json, key: string): Json[] {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return [];
  const child = Array.isArray(value) ? value[Number(key)] : value[key];
  return child === undefined ? [] : [child];
}

function describe(value: Json): string {
  if (Array.isArray(value)) {
    return `a list of ${value.length}; [*] stands for every element, [0] for the first`;
  }
  if (!isObject(value)) return value === null ? "null" : `a ${typeof value}`;
  return `an object with ${quoteNames(Object.keys(value)) || "no keys"}`;
}

type Entry = readonly [name: string, cell: Json];

/**
 * Converts JSON values to rows. A list stands for its elements; an object is a row under its keys, with
 * nested objects flattened one level (`owner.name`); any other value is a row under `value`.
 */
export function rowsOfJson(values: readonly Json[]): Extracted {
  const elements = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  const entries = elements.map(entriesOf);
  const parents = new Set(
    entries.flat().map(([name]) => name.slice(0, Math.max(0, name.lastIndexOf(".")))),
  );
  // A null beside objects whose values are columns of their own (`owner` and `owner.name`) is none.
  const records = entries.map((record) =>
    record.filter(([name, cell]) => cell !== null || !parents.has(name)),
  );
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

/** Whether lists and objects nest at most `most` deep. Walks level by level, so depth costs no stack. */
export function isWithinDepth(value: Json, most: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap(childrenOf).filter((child) => typeof child === "object");
    if (level.length === 0) return true;
  }
  return false;
}

/** Returns all texts in a value of bounded depth, in document order. */
export function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return childrenOf(value).flatMap(textsIn);
}

/** Returns the elements of a list or the values of an object, else nothing. */
function childrenOf(value: Json): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
}
