/** Data that is compared member by member. */
export type Comparable =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Comparable[]
  | { readonly [name: string]: Comparable | undefined };

/** A place in which two values differ; undefined where one has nothing there. */
export interface Difference {
  /** Member names, and indexes of arrays. */
  path: (string | number)[];
  before: Comparable | undefined;
  after: Comparable | undefined;
}

/** Finds the places in which two values differ, in the order of their members. */
export function* differencesBetween(
  before: Comparable | undefined,
  after: Comparable | undefined,
  path: (string | number)[] = [],
): Generator<Difference, void, void> {
  if (before === after) return;
  const [first, other] = [membersOf(before), membersOf(after)];
  if (first === null || other === null || isList(before) !== isList(after)) {
    yield { path, before, after };
    return;
  }
  for (const step of new Set([...first.keys(), ...other.keys()])) {
    yield* differencesBetween(first.get(step), other.get(step), [...path, step]);
  }
}

/** Returns the members of an object or an array; null for any other value. */
function membersOf(
  value: Comparable | undefined,
): Map<string | number, Comparable | undefined> | null {
  if (value === null || typeof value !== "object") return null;
  return new Map<string | number, Comparable | undefined>(
    isList(value) ? value.entries() : Object.entries(value),
  );
}

function isList(value: Comparable | undefined): value is readonly Comparable[] {
  return Array.isArray(value);
}
