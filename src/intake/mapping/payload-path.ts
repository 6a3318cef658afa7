import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { memoize } from "../../lib/lru-map.ts";
import { preview } from "../../lib/text.ts";

/** Member names, and indexes of arrays. */
export type Path = (string | number)[];

export type ParsedPath = { ok: true; path: Path } | { ok: false; message: string };

const CACHED = 1_000;

/** One step: `[12]`, or a name in which a backslash escapes `.`, `[`, `]` and itself. */
const STEP = /\[(0|[1-9]\d{0,9})\]|((?:[^.[\]\\]|\\[.[\]\\])+)/y;

const ESCAPE = /\\(.)/g;

/** An index in dot notation, as in `items.0`. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Parses a path in dot notation: `order.id`, `items[0].sku`, `[0].id` for a payload that is an array.
 * `\.`, `\[`, `\]` and `\\` stand for the characters themselves inside a name. The message of a
 * malformed path is a predicate, such as "is empty"; it counts characters from 1.
 */
export const parsePath = memoize(CACHED, parseNow);

/** Names the whole payload. */
export const WHOLE = "$";

/**
 * Returns the value at a path in dot notation; undefined if there is none or the path is malformed. It
 * reads only own members of objects and elements of arrays, never a prototype's or a built-in property.
 * `items.0` reads an array as `items[0]` does.
 */
export function readPath(payload: PayloadValue, path: string): PayloadValue | undefined {
  if (path === WHOLE) return payload;
  const read = parsePath(path);
  return read.ok ? readSteps(payload, read.path) : undefined;
}

/** Stands for every item of a list in a path for `readEach`. */
export const EACH = "[*]";

/**
 * Returns the values at a path in which `[*]` stands for every item of a list, such as `entry[*].id`;
 * undefined for each that is missing. Returns null where a list is missing.
 */
export function readEach(payload: PayloadValue, path: string): (PayloadValue | undefined)[] | null {
  const at = path.indexOf(EACH);
  if (at < 0) return [path === "" ? payload : readPath(payload, path)];
  const list = at === 0 ? payload : readPath(payload, path.slice(0, at));
  if (!Array.isArray(list)) return null;
  const rest = path.slice(at + EACH.length).replace(/^\./, "");
  const values = list.map((item) => readEach(item, rest));
  return values.every((found) => found !== null) ? values.flat() : null;
}

/** Writes a path so that `parsePath` reads it back. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = step.replace(/[.[\]\\]/g, "\\$&");
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** Writes a path for people: long names are cut. */
export function shownPath(path: Path): string {
  return pathText(path.map((step) => (typeof step === "number" ? step : preview(step))));
}

function readSteps(payload: PayloadValue, path: Path): PayloadValue | undefined {
  let value: PayloadValue | undefined = payload;
  for (const step of path) {
    if (value === undefined) return undefined;
    value = readStep(value, step);
  }
  return value;
}

function readStep(value: PayloadValue, step: string | number): PayloadValue | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) {
    if (typeof step === "number") return value[step];
    return INDEX.test(step) ? value[Number(step)] : undefined;
  }
  return typeof step === "string" && Object.hasOwn(value, step) ? value[step] : undefined;
}

function parseNow(text: string): ParsedPath {
  const path: Path = [];
  let at = 0;
  while (at < text.length) {
    const afterDot = path.length > 0 && text[at] === ".";
    if (afterDot) at += 1;
    else if (path.length > 0 && text[at] !== "[") return malformed(text, at);
    STEP.lastIndex = at;
    const [whole, place, name] = STEP.exec(text) ?? [];
    if (whole === undefined || (afterDot && name === undefined)) return malformed(text, at);
    path.push(name === undefined ? Number(place) : name.replace(ESCAPE, "$1"));
    at += whole.length;
  }
  return path.length === 0 ? { ok: false, message: "is empty" } : { ok: true, path };
}

function malformed(text: string, at: number): ParsedPath {
  const rest = text.slice(at);
  const place = `at character ${at + 1}`;
  if (rest.startsWith("[") && text[at - 1] !== ".") {
    return no(`has a [ ${place} without an index and ]; write \\[ in a name`);
  }
  if (rest.startsWith("]")) return no(`has a ] without [ ${place}; write \\] in a name`);
  if (rest.startsWith("\\")) {
    return no(`has a \\ ${place} that does not escape ., [, ] or \\; write \\\\ in a name`);
  }
  if (rest === "" || /^[.[]/.test(rest)) return no(`lacks a name ${place}`);
  return no(`lacks a . ${place}`);
}

const no = (message: string): ParsedPath => ({ ok: false, message });
