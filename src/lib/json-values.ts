import type { ExactValue } from "./strict-json.ts";

/** JSON's values, without bigints. */
type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };

/** The objects among the values of a type. */
type ObjectOf<V> = unknown extends V
  ? V & Record<string, unknown>
  : Extract<V, Record<string, unknown>>;

/** Whether a value is an object: neither null nor an array. */
export function isObject<V>(value: V): value is ObjectOf<V> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value with each bigint as the nearest double; the value itself if it has none. */
export function nearestJson(value: ExactValue): Plain {
  return withoutBigints(value, Number);
}

/**
 * Returns a value with each bigint as the text of its digits, since a long id with other last digits
 * is another id; the value itself if it has none.
 */
export function exactJson(value: ExactValue): Plain {
  return withoutBigints(value, String);
}

/** Most payloads have no bigint and are not copied. */
function withoutBigints(value: ExactValue, convert: (long: bigint) => Plain): Plain {
  return isPlain(value) ? value : converted(value, convert);
}

function isPlain(value: ExactValue): value is Plain {
  if (typeof value === "bigint") return false;
  if (value === null || typeof value !== "object") return true;
  return (Array.isArray(value) ? value : Object.values(value)).every(isPlain);
}

function converted(value: ExactValue, convert: (long: bigint) => Plain): Plain {
  if (typeof value === "bigint") return convert(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => converted(item, convert));
  // From entries, so that a member named `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, converted(member, convert)]),
  );
}
