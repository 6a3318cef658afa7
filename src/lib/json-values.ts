import { orElse } from "./or-else.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** JSON in which a whole number that a double cannot hold exactly is a bigint. */
export type ExactValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | ExactValue[]
  | { [name: string]: ExactValue };

/** The objects among the values of a type. */
type ObjectOf<V> = unknown extends V
  ? V & Record<string, unknown>
  : Extract<V, Record<string, unknown>>;

/** Whether a value is an object: neither null nor an array. */
export function isObject<V>(value: V): value is ObjectOf<V> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object with what `made` returns for each of its members; one named `__proto__` stays one. */
export function mapMembers<Value, Result>(
  members: { readonly [name: string]: Value },
  made: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, made(value, name)]),
  );
}

/** Returns the value at a path of own members, such as `order.id`; undefined where there is none. */
export function valueAt(scope: JsonObject, path: string): Json | undefined;
export function valueAt(scope: object, path: string): unknown;
export function valueAt(scope: unknown, path: string): unknown {
  const within = (value: unknown, name: string) =>
    isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return path.split(".").reduce(within, scope);
}

/** Returns the name of a value's type in JSON Schema, where every number is a `number`. */
export function jsonType(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Parses a text as JSON; returns null for one that is not JSON. */
export function jsonOrNull(text: string): unknown {
  return orElse(() => JSON.parse(text), null);
}

/** Returns a value with each of its texts replaced, the names of its fields included. */
export function mapTexts(value: Json, replaced: (text: string) => string): Json {
  if (typeof value === "string") return replaced(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, replaced));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [replaced(name), mapTexts(member, replaced)]),
  );
}

/** Returns values as the fields of a form: texts as they are, other values as JSON. */
export function fieldTexts(values: JsonObject): Record<string, string> {
  return mapMembers(values, (value) => (typeof value === "string" ? value : JSON.stringify(value)));
}

/** Returns a value with each bigint as the nearest double; the value itself if it has none. */
export function nearestJson(value: ExactValue): Json {
  return withoutBigints(value, Number);
}

/**
 * Returns a value with each bigint as the text of its digits, since a long id with other last digits
 * is another id; the value itself if it has none.
 */
export function exactJson(value: ExactValue): Json {
  if (value === null || typeof value !== "object") return withoutBigints(value, String);
  const known = exact.get(value);
  if (known !== undefined) return known;
  const made = withoutBigints(value, String);
  exact.set(value, made);
  return made;
}

/** Writes a value as JSON, with each digit of a bigint. */
export function exactText(value: ExactValue, indent = 0): string {
  const raw = (_: string, part: unknown) =>
    typeof part === "bigint" ? JSON.rawJSON(String(part)) : part;
  return JSON.stringify(value, raw, indent);
}

declare global {
  interface JSON {
    /** Writes a number as its text (ECMA-262, JSON.parse source text access). */
    rawJSON(text: string): { rawJSON: string };
  }
}

/** Payloads never change, and many rules read the same one. */
const exact = new WeakMap<object, Json>();

/** Returns a value with its bigints converted. Most payloads have none and are not copied. */
export function withoutBigints(value: ExactValue, convert: (long: bigint) => Json): Json {
  return isPlain(value) ? value : converted(value, convert);
}

/** Whether a value has no bigint, at any depth. */
export function isPlain(value: ExactValue): value is Json {
  if (typeof value === "bigint") return false;
  if (value === null || typeof value !== "object") return true;
  return (Array.isArray(value) ? value : Object.values(value)).every(isPlain);
}

function converted(value: ExactValue, convert: (long: bigint) => Json): Json {
  if (typeof value === "bigint") return convert(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => converted(item, convert));
  return mapMembers(value, (member) => converted(member, convert));
}

/**
 * Returns a text that two values share exactly when JSON Schema calls them equal. `spend` is called
 * with the steps that each part costs.
 */
export function canonicalJson(value: Json, spend: (steps: number) => void = () => {}): string {
  spend(1);
  if (typeof value === "string") {
    spend(value.length / 8);
    return JSON.stringify(value);
  }
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, spend)).join()}]`;
  const names = Object.keys(value);
  spend(names.reduce((sum, name) => sum + 2 + name.length / 8, 0));
  const members = names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null, spend)}`);
  return `{${members.join()}}`;
}
