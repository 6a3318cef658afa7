import type { ReceivedRequest } from "../contract/inbound/inbox.ts";
import type { Difference } from "../contract/inbound/log.ts";
import type { PayloadObject, PayloadValue } from "../contract/inbound/payload.ts";
import { type Path, shownPath } from "./mapping/payload-path.ts";
import { loggedPayload } from "./reevaluate.ts";

const MAX_DIFFERENCES = 50;
const MAX_VALUE_LENGTH = 200;

/**
 * Returns the values of the payload in which a duplicate differs from the first request, at most 50.
 * Returns null if either is not logged in full.
 */
export async function differencesOf(
  first: ReceivedRequest,
  duplicate: ReceivedRequest,
): Promise<Difference[] | null> {
  if (first.bodyTruncated || duplicate.bodyTruncated) return null;
  const [before, after] = [await loggedPayload(first), await loggedPayload(duplicate)];
  if (!before.ok || !after.ok) return null;
  const found: Difference[] = [];
  compare([], before.payload, after.payload, found);
  return found;
}

type Value = PayloadValue | undefined;

function compare(path: Path, first: Value, other: Value, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(first, other)) return;
  const members = membersOf(first, other);
  if (members === null) {
    const isSame = textOf(first) === textOf(other);
    if (!isSame) found.push({ path: nameOf(path), first: cut(first), duplicate: cut(other) });
    return;
  }
  for (const [step, before, after] of members) compare([...path, step], before, after, found);
}

/** Returns the members of two objects or two arrays side by side; null for any other pair. */
function membersOf(first: Value, other: Value): [string | number, Value, Value][] | null {
  if (Array.isArray(first) && Array.isArray(other)) {
    const longer = first.length > other.length ? first : other;
    return longer.map((_, n) => [n, first[n], other[n]]);
  }
  if (!isObject(first) || !isObject(other)) return null;
  const names = new Set([...Object.keys(first), ...Object.keys(other)]);
  return [...names].map((name) => [name, own(first, name), own(other, name)]);
}

function isObject(value: Value): value is PayloadObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function own(value: PayloadObject, name: string): Value {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

const nameOf = (path: Path): string => (path.length === 0 ? "$" : shownPath(path));

function cut(value: Value): string | null {
  const text = textOf(value);
  if (text === null || text.length <= MAX_VALUE_LENGTH) return text;
  return `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}

/** Returns the value as JSON text; null if it is missing. */
function textOf(value: Value): string | null {
  if (value === undefined) return null;
  return JSON.stringify(value, (_, member) =>
    typeof member === "bigint" ? String(member) : member,
  );
}
