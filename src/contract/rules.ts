/**
 * Rules between the fields of a body, as the API document states them beside the schema. JSON Schema has
 * them; a check of zod's own is code that no document shows.
 */

/** A schema of bodies with these fields. Linters ask that a required field is among the properties. */
const has = (...names: string[]) => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

/** A body that changes something names at least one field. */
export const CHANGES = { minProperties: 1 };

/** States that a body has exactly one of these fields. */
export const exactlyOne = (...names: string[]) => ({ oneOf: names.map((name) => has(name)) });

/** States that a body has at least one of these fields. */
export const atLeastOne = (...names: string[]) => ({ anyOf: names.map((name) => has(name)) });

/** States that a body has at most one of these fields. */
export function atMostOne(...names: string[]) {
  const pairs = names.flatMap((name, at) => names.slice(at + 1).map((other) => has(name, other)));
  return { not: pairs.length === 1 ? pairs[0] : { anyOf: pairs } };
}

/** States that a body with the field `name` has the field `needed` too. */
export const needs = (name: string, needed: string) => ({
  dependentRequired: { [name]: [needed] },
});
