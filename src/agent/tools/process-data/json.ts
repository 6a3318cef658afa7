import type { Json } from "../../../contract/json.ts";
import { isObject } from "../../../lib/json-values.ts";
import {
  type Computed,
  type Extracted,
  found,
  MAX_COLUMNS,
  quoteNames,
  refused,
  rowsWithin,
  uniqueNames,
} from "./table.ts";

type Step = { kind: "key"; key: string } | { kind: "each" };

/** The values at a path. */
export interface PathResult {
  values: Json[];
  /** How many elements on the way lack the path. */
  missed: number;
}

/** One step: a key in brackets, or a name in which `\` makes the next character plain. */
const STEP = /\[(\d{1,9}|\*)\]|\.?((?:\\.|[^.[\]\\])+)/gsuy;

/**
 * Follows a dot path such as `data.items[0].name` or `items[*].price` (`*` alone works too) through own
 * properties only. The root may be written `$`. The error of a path without values says what is there.
 */
export function followPath(root: Json, path: string): Computed<PathResult> {
  const steps = parsePath(path);
  if (steps === null) {
    return refused(
      "invalid_input",
      `"${path}" is not a path. Write it like items[0].name or items[*].name.`,
    );
  }
  let values = [root];
  let missed = 0;
  for (const [index, step] of steps.entries()) {
    const next = values.flatMap((value) => taken(value, step));
    if (step.kind === "key") missed += values.length - next.length;
    const isEmptyList = step.kind === "each" && values.every(isContainer);
    if (next.length === 0 && values.length > 0 && !isEmptyList) {
      return refused("nothing_found", nowhere(values[0] ?? null, steps, index));
    }
    values = next;
  }
  return found({ values, missed });
}

/** Returns the steps of a path, or null if it is malformed. */
function parsePath(path: string): Step[] | null {
  const text = path
    .trim()
    .replace(/^\$(?=$|[.[])/, "")
    .replace(/^\./, "");
  const steps: Step[] = [];
  let read = 0;
  for (const [whole, bracket, name = ""] of text.matchAll(STEP)) {
    read += whole.length;
    if (bracket === "*" || name === "*") steps.push({ kind: "each" });
    else steps.push({ kind: "key", key: bracket ?? name.replace(/\\(.)/gsu, "$1") });
  }
  return read === text.length ? steps : null;
}

function taken(value: Json, step: Step): Json[] {
  if (step.kind === "each") return childrenOf(value);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const element = /^\d{1,9}$/.test(step.key) ? value[Number(step.key)] : undefined;
    return element === undefined ? [] : [element];
  }
  const property = Object.hasOwn(value, step.key) ? value[step.key] : undefined;
  return property === undefined ? [] : [property];
}

function isContainer(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function nowhere(value: Json, steps: readonly Step[], index: number): string {
  const place = index === 0 ? "The data" : `"${written(steps.slice(0, index))}"`;
  const step = written(steps.slice(index, index + 1));
  return `${place} has no "${step}": it is ${describe(value)}.`;
}

function written(steps: readonly Step[]): string {
  return steps.map((step) => (step.kind === "each" ? "*" : step.key)).join(".");
}

function describe(value: Json): string {
  if (Array.isArray(value)) {
    return `a list of ${value.length}; [*] stands for every element, [0] for the first`;
  }
  if (value === null) return "null";
  if (typeof value !== "object") return `a ${typeof value}`;
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
