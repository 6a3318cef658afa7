import { type ExactValue, exactJson, type Json } from "./json-values.ts";
import { orElse } from "./or-else.ts";

/** The deepest nesting of objects and arrays. */
export const MAX_JSON_DEPTH = 64;

/** The result of reading JSON. `detail` is a sentence for the sender that names the position. */
export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; code: "malformed_json" | "invalid_request"; detail: string };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Reads JSON that means the same to every reader: UTF-8, no name twice in an object (RFC 8259 §4 leaves
 * its meaning open, and two readers that differ are a way around a check), no lone surrogate, no number
 * beyond a double, at most 64 levels. `__proto__` is an ordinary own property.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  return parse(bytes, (_, value) => ({ ok: true, value }));
}

export type ExactJson = { ok: true; value: ExactValue } | Extract<StrictJson, { ok: false }>;

/** Longer numbers are no data, and each digit takes its time. */
const MAX_NUMBER_LENGTH = 50;
/** Numbers of at most as many characters are always exact. */
const EXACT_LENGTH = 15;
const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Reads JSON like `parseStrictJson`, and keeps every digit of a whole number. Takes at most 100 ms for
 * 10 MiB: refuses more names, more values and longer numbers.
 */
export function parseExactJson(bytes: Uint8Array, most = MOST): ExactJson {
  const excess = tooManyIn(bytes, most);
  if (excess !== null) return refused(`More than ${most[excess].toLocaleString("en")} ${excess}.`);
  // A reviver is several times slower, and recursive: used only where needed, and once the depth is known.
  return parse(
    bytes,
    (text, value, isExact) => ({ ok: true, value: isExact ? value : JSON.parse(text, exact) }),
    MAX_NUMBER_LENGTH,
  );
}

/** Parses JSON that may be loose in all but its syntax; a long whole number is the text of its digits. */
export function parseKeepingDigits(text: string): Json {
  return /\d{16}/.test(text) ? exactJson(JSON.parse(text, exact)) : JSON.parse(text);
}

function exact(_: string, value: ExactValue, { source }: { source?: string }): ExactValue {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return source !== undefined && WHOLE_NUMBER.test(source) ? BigInt(source) : value;
}

type Flaw = Extract<StrictJson, { ok: false }>;

function parse<Read>(
  bytes: Uint8Array,
  read: (text: string, value: ExactValue, isExact: boolean) => Read,
  maxNumberLength = Number.POSITIVE_INFINITY,
): Read | Flaw {
  const text = orElse(() => utf8.decode(bytes), null);
  if (text === null) return malformed("The body is not UTF-8.");
  let value: ExactValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed(`The body is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  const scanned = scan(text, maxNumberLength);
  return scanned.ok ? read(text, value, scanned.isExact) : scanned;
}

const malformed = (detail: string): Flaw => ({ ok: false, code: "malformed_json", detail });
const refused = (detail: string): Flaw => ({ ok: false, code: "invalid_request", detail });

const NUMBER = /[-+.0-9eE]+/y;
const NAME_END = /[ \t\r\n]*:/y;
const BETWEEN = /[^"{}[\]\-0-9]+/y;

/** Returns the first flaw of valid JSON, else whether a double holds each whole number, without recursion. */
function scan(text: string, maxNumberLength: number): Flaw | { ok: true; isExact: boolean } {
  const open: Set<string>[] = [];
  let isExact = true;
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      const string = decode(text.slice(at, end));
      if (!string.isWellFormed()) return refused(`Half a surrogate pair at position ${at}.`);
      NAME_END.lastIndex = end;
      const isName = NAME_END.test(text);
      const names = open.at(-1);
      if (isName && names?.has(string)) {
        return malformed(`The name ${quote(string)} comes twice in one object, at position ${at}.`);
      }
      if (isName) names?.add(string);
      at = end;
    } else if (char === "{" || char === "[") {
      open.push(new Set());
      if (open.length > MAX_JSON_DEPTH) {
        return refused(`More than ${MAX_JSON_DEPTH} levels of nesting at position ${at}.`);
      }
      at += 1;
    } else if (char === "}" || char === "]") {
      open.pop();
      at += 1;
    } else if (char === "-" || (char !== undefined && char >= "0" && char <= "9")) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? char;
      if (number.length > maxNumberLength) {
        return refused(`A number of more than ${maxNumberLength} characters at position ${at}.`);
      }
      if (!Number.isFinite(Number(number))) return refused(`A number too large at position ${at}.`);
      if (number.length > EXACT_LENGTH && WHOLE_NUMBER.test(number)) isExact = false;
      at += number.length;
    } else {
      BETWEEN.lastIndex = at;
      at = BETWEEN.test(text) ? BETWEEN.lastIndex : at + 1;
    }
  }
  return { ok: true, isExact };
}

/** Returns the position after the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let escapes: number;
  do {
    quote = text.indexOf('"', quote + 1);
    escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes += 1;
  } while (escapes % 2 === 1);
  return quote + 1;
}

function decode(literal: string): string {
  return literal.includes("\\") ? JSON.parse(literal) : literal.slice(1, -1);
}

const quote = (name: string): string =>
  JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);

declare global {
  interface JSON {
    /** Passes the source text of each value to the reviver (ECMA-262, JSON.parse source text access). */
    parse<Value>(
      text: string,
      reviver: (name: string, value: Value, context: { source?: string }) => Value,
    ): Value;
  }
}

/** The most member names and the most values in a JSON text: as many are read in less than 100 ms. */
const MAX_JSON_NAMES = 30_000;
export const MAX_JSON_VALUES = 50_000;

const MOST = { names: MAX_JSON_NAMES, values: MAX_JSON_VALUES };
/** The most of a JSON text that tools read: as objects, each takes up to 60 bytes. */
export const MOST_OF_TOOLS = { names: 300_000, values: 300_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Returns what the bytes of a JSON text have too many of, or null. Counts without parsing, since parsing
 * is what takes long, and stops at the limit.
 */
function tooManyIn(bytes: Uint8Array, most = MOST): "names" | "values" | null {
  let names = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfQuoted(bytes, at);
    else if (byte === COLON) names += 1;
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) values += 1;
    if (names > most.names) return "names";
    if (values > most.values) return "values";
  }
  return null;
}

/** Returns the position of the quote that ends the string at `start`; the length if there is none. */
function endOfQuoted(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}
