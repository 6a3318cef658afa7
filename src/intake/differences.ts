import type { ReceivedRequest } from "../contract/webhooks/inbox.ts";
import type { Difference } from "../contract/webhooks/log.ts";
import { type Comparable, differencesBetween } from "../lib/differences.ts";
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
  for (const { path, ...values } of differencesBetween(before.payload, after.payload)) {
    found.push({ path: nameOf(path), first: cut(values.before), duplicate: cut(values.after) });
    if (found.length === MAX_DIFFERENCES) break;
  }
  return found;
}

const nameOf = (path: Path): string => (path.length === 0 ? "$" : shownPath(path));

/** Returns the value as JSON text; null if it is missing. */
function cut(value: Comparable | undefined): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value, (_, member) =>
    typeof member === "bigint" ? String(member) : member,
  );
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
