import type { Transform } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { exactText } from "../../../lib/json-values.ts";
import { memoize } from "../../../lib/lru-map.ts";
import { linearPattern, patternFault } from "../../../lib/pattern/linear-pattern.ts";
import { MAX_JSON_VALUES, parseExactJson } from "../../../lib/strict-json.ts";
import { described } from "../../../workflows/inputs.ts";
import { parsePath, readPath } from "../payload-path.ts";
import type { WorkBudget } from "../work-budget.ts";

/** Characters of a transform's result: as many as the largest payload has bytes. */
const MAX_TEXT_LENGTH = 10_485_760;

/** The result of a transform, or the predicate that says why it failed, such as "must be text". */
export type Transformed = { ok: true; value: PayloadValue } | { ok: false; message: string };

/**
 * One step of a field's chain: takes the current value, the setting, the whole payload and the work that is
 * left. The value is never null; a null result makes the field absent.
 */
export type TransformOf<Type extends Transform["type"]> = (
  value: PayloadValue,
  setting: Extract<Transform, { type: Type }>,
  payload: PayloadValue,
  budget: WorkBudget,
) => Transformed | Promise<Transformed>;

export const success = (value: PayloadValue): Transformed => ({ ok: true, value });

export const failure = (message: string): Transformed => ({ ok: false, message });

/** Returns the failure of a value of the wrong type; `expected` completes "must be …". */
export function wrongType(value: PayloadValue, expected: string): Transformed {
  return failure(`must be ${expected}; got ${described(value)}`);
}

/** The cost of parsing JSON, for each character and for the longest text. */
const JSON_COST = 5;
const MAX_JSON_COST = 2_600_000;
/** The cost of each piece that a text is split into. */
const PIECE_COST = 5;

/** Transforms whose code is small, so that it is always loaded. */
type Basic = Exclude<Transform["type"], "timestamp" | "domain" | "unit" | "jsonata">;

/** The transforms of numbers, texts and lists. */
export const BASIC: { readonly [Type in Basic]: TransformOf<Type> } = {
  /** Converts text such as `12`, `-0.5` or `1e3` to a number. */
  number(value) {
    const double = toDouble(value);
    return double === null ? wrongType(value, "a number or its text") : success(double);
  },

  /** Converts text to a whole number with all its digits. Fractions are refused, not rounded. */
  integer(value) {
    const whole = toWhole(value);
    return whole === null ? wrongType(value, "a whole number or its text") : success(whole);
  },

  /** Converts true/false, yes/no, on/off (a form's checkbox) and 1/0, in any case, to a boolean. */
  boolean(value) {
    if (typeof value === "boolean") return success(value);
    const word =
      typeof value === "object" ? undefined : WORDS.get(String(value).trim().toLowerCase());
    return word === undefined
      ? wrongType(value, "true/false, yes/no, on/off or 1/0")
      : success(word);
  },

  /** Converts any value to text: whole numbers with all their digits, objects and arrays as JSON. */
  string: (value) => success(textOf(value)),

  trim: (value) => onText(value, (text) => text.trim()),

  lower: (value) => onText(value, (text) => text.toLowerCase()),

  upper: (value) => onText(value, (text) => text.toUpperCase()),

  /**
   * Replaces all occurrences of a text, or all matches of a pattern (ECMA-262 with the u flag, without
   * lookaround and back references), where `$1`, `$<name>` and `$&` stand for matched text.
   */
  replace(value, { search, with: put, pattern: isPattern }, _, budget) {
    if (typeof value !== "string") return wrongType(value, "text");
    if (!isPattern) return plainly(value, search, put, budget);
    const pattern = compiled(search);
    if (!pattern.ok) return failure(`cannot be searched: the pattern ${pattern.reason}`);
    const replaced = pattern.replaceAll(value, put, (steps) => budget.spend(steps));
    return replaced === null
      ? failure("is too long for the pattern, or its result is too long")
      : success(replaced);
  },

  /** Splits text at each separator; pieces are not trimmed, and empty ones stay. */
  split(value, { separator }, _, budget) {
    if (typeof value !== "string") return wrongType(value, "text");
    const pieces = value.split(separator, MAX_JSON_VALUES + 1);
    budget.spend(pieces.length * PIECE_COST);
    if (pieces.length <= MAX_JSON_VALUES) return success(pieces);
    return failure(`has more than ${MAX_JSON_VALUES} parts`);
  },

  /** Joins the elements of an array: text, numbers and booleans. */
  join(value, { separator }) {
    if (!Array.isArray(value)) return wrongType(value, "an array");
    const nested = value.findIndex((element) => element === null || typeof element === "object");
    if (nested !== -1)
      return failure(
        `must contain only text, numbers and booleans; element [${nested}] is none of them`,
      );
    const texts = value.map(String);
    const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
    return length > MAX_TEXT_LENGTH ? tooLong() : success(texts.join(separator));
  },

  first: (value) => elementOf(value, 0),

  last: (value) => elementOf(value, -1),

  /** Counts the elements of an array, or the characters (code points) of a text. */
  length(value) {
    if (Array.isArray(value)) return success(value.length);
    return typeof value === "string"
      ? success(codePoints(value))
      : wrongType(value, "an array or text");
  },

  /** Parses text as JSON; writes any other value as JSON text. */
  json(value, _, __, budget) {
    if (typeof value !== "string") return success(exactText(value));
    budget.spend(Math.min(value.length * JSON_COST, MAX_JSON_COST));
    const parsed = parseExactJson(new TextEncoder().encode(value));
    return parsed.ok
      ? success(parsed.value)
      : wrongType(value, "JSON without duplicate names in an object");
  },

  /**
   * Fills a template: `{{value}}` is the current value, `{{path.of.payload}}` the payload's value there,
   * objects and arrays as JSON. A path without a value, or with null, is refused.
   */
  template(value, setting, payload, budget) {
    const pieces: string[] = [];
    let room = MAX_TEXT_LENGTH;
    let at = 0;
    for (const { 0: whole, 1: path = "", index } of setting.template.matchAll(REFERENCE)) {
      const found = path === VALUE ? value : readPath(payload, path);
      budget.spendReading(found ?? null);
      if (found === undefined || found === null) {
        return failure(`lacks {{${path}}}, which the template needs`);
      }
      const text = textOf(found);
      room -= text.length;
      if (room < 0) return tooLong();
      pieces.push(setting.template.slice(at, index), text);
      at = index + whole.length;
    }
    return success(pieces.join("") + setting.template.slice(at));
  },
};

/** Writes a value inside text. */
function textOf(value: PayloadValue): string {
  if (typeof value === "string") return value;
  return value !== null && typeof value === "object" ? exactText(value) : String(value);
}

function onText(value: PayloadValue, change: (text: string) => string): Transformed {
  return typeof value === "string" ? success(change(value)) : wrongType(value, "text");
}

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Names the current value in a template; it hides a member of the payload with this name. */
const VALUE = "value";

/** Returns the error of a setting, or null. */
export function templateFault({
  template: text,
}: Extract<Transform, { type: "template" }>): string | null {
  for (const [whole, path = ""] of text.matchAll(REFERENCE)) {
    const parsed = parsePath(path);
    if (!parsed.ok) return `refers to ${whole}, whose path ${parsed.message}`;
  }
  return null;
}

const compiled = memoize(200, linearPattern);

/** Returns the error of a setting, or null. */
export function replaceFault(setting: Extract<Transform, { type: "replace" }>): string | null {
  if (!setting.pattern) return null;
  const fault = patternFault(setting.search);
  return fault === null ? null : `has a pattern that ${fault}`;
}

function plainly(text: string, search: string, put: string, budget: WorkBudget) {
  let length = text.length;
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) {
    budget.spend(PIECE_COST);
    length += put.length - search.length;
  }
  if (length > MAX_TEXT_LENGTH) return tooLong();
  return success(text.replaceAll(search, put.replaceAll("$", "$$$$")));
}

const tooLong = () => failure(`becomes longer than ${MAX_TEXT_LENGTH} characters`);

function elementOf(value: PayloadValue, at: 0 | -1): Transformed {
  if (!Array.isArray(value)) return wrongType(value, "an array");
  const element = value.at(at);
  return element === undefined ? failure("is an empty array") : success(element);
}

/** Counts without an array of them, which would take many times the memory of the text. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const WHOLE = /^[+-]?\d+(?:\.0*)?$/;

function toWhole(value: PayloadValue): number | bigint | null {
  if (typeof value === "bigint") return value;
  const text = typeof value === "string" ? value.trim() : String(value);
  const double = toDouble(value);
  if (double === null || !isDecimal(text) || !Number.isInteger(double)) return null;
  if (Number.isSafeInteger(double) || !WHOLE.test(text)) return double;
  const exact = BigInt(text.replace(/^\+|\..*$/g, ""));
  return String(exact) === String(double) ? double : exact;
}

const WORDS = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
/** Longer text is not a number. */
const MAX_DIGITS = 1_000;

/** Whether a text is a number: digits, at most one `.`, an exponent; no thousands separators or units. */
function isDecimal(text: string): boolean {
  return text.length <= MAX_DIGITS && DECIMAL.test(text);
}

/** Returns the nearest double of a number or its text; null for other values. */
export function toDouble(value: PayloadValue): number | null {
  const text = typeof value === "string" ? value.trim() : null;
  if (text !== null && !isDecimal(text)) return null;
  if (text === null && typeof value !== "number" && typeof value !== "bigint") return null;
  const number = Number(text ?? value);
  return Number.isFinite(number) ? number : null;
}
