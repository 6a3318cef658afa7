import type { ExactValue } from "./strict-json.ts";

/** JSON's values, without bigints. */
type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };

/** A value in which each bigint has become what `as` makes of it; the value itself where there is none. */
export function withoutBigints(value: ExactValue, as: (long: bigint) => Plain): Plain {
  return isPlain(value) ? value : converted(value, as);
}

/** Most payloads have no such number, and are not copied. */
function isPlain(value: ExactValue): value is Plain {
  if (typeof value === "bigint") return false;
  if (value === null || typeof value !== "object") return true;
  return (Array.isArray(value) ? value : Object.values(value)).every(isPlain);
}

function converted(value: ExactValue, as: (long: bigint) => Plain): Plain {
  if (typeof value === "bigint") return as(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => converted(item, as));
  // From entries, so that a member named `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, converted(member, as)]),
  );
}
