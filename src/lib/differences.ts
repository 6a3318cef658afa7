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
  const members = membersOf(before, after);
  if (members === null) {
    yield { path, before, after };
    return;
  }
  for (const [step, first, second] of members) {
    yield* differencesBetween(first, second, [...path, step]);
  }
}

type Members = [string | number, Comparable | undefined, Comparable | undefined][];

/** Returns the members of two objects or two arrays side by side; null for any other pair. */
function membersOf(first: Comparable | undefined, other: Comparable | undefined): Members | null {
  if (isList(first) && isList(other)) {
    const longer = first.length > other.length ? first : other;
    return longer.map((_, n) => [n, first[n], other[n]]);
  }
  if (!isRecord(first) || !isRecord(other)) return null;
  const names = new Set([...Object.keys(first), ...Object.keys(other)]);
  return [...names].map((name) => [name, own(first, name), own(other, name)]);
}

type RecordOf = { readonly [name: string]: Comparable | undefined };

function isList(value: Comparable | undefined): value is readonly Comparable[] {
  return Array.isArray(value);
}

function isRecord(value: Comparable | undefined): value is RecordOf {
  return value !== null && typeof value === "object" && !isList(value);
}

function own(value: RecordOf, name: string): Comparable | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
