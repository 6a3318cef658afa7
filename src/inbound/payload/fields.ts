import type { PayloadObject, PayloadValue } from "../../contract/inbound/payload.ts";

/** The fields of a form or a query as one object: a field that comes more than once becomes an array. */
export function objectOf(fields: Iterable<readonly [string, PayloadValue]>): PayloadObject {
  const lists = new Map<string, [PayloadValue, ...PayloadValue[]]>();
  for (const [name, value] of fields) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  // From entries, so that a field named `__proto__` becomes an own property like any other.
  return Object.fromEntries(
    [...lists].map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  );
}
