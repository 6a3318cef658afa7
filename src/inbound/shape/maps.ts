import { countOf, fieldsOf, isAlwaysThere, type Shape, seenAt } from "./profile.ts";

/** Distinct names that make a map of an object. */
const MANY_NAMES = 50;
const MANY_OBJECTS = 10;
/** The same for names that look like ids. */
const MANY_IDS = 10;

/** Three digits somewhere, or nothing but digits: `2026-11-21`, `sku_1234`, `7`. */
const ID = /^\d+$|\d.*\d.*\d/;

/**
 * Whether the names in an object are data, such as ids, so that each new one says nothing of its
 * shape: many names of which at least half were seen once only. Those that are always there are fields
 * in any case.
 */
export function becomesMap(shape: Shape): boolean {
  if (shape.rest !== undefined) return false;
  const sometimes = fieldsOf(shape).filter(([, field]) => !isAlwaysThere(field, shape));
  const ids = sometimes.filter(([name]) => ID.test(name));
  if (ids.length >= MANY_IDS && areMostlyNew(ids)) return true;
  return (
    countOf(shape, "object") >= MANY_OBJECTS &&
    sometimes.length >= MANY_NAMES &&
    areMostlyNew(sometimes)
  );
}

function areMostlyNew(fields: [name: string, field: Shape][]): boolean {
  return fields.filter(([, field]) => seenAt(field) === 1).length * 2 >= fields.length;
}
