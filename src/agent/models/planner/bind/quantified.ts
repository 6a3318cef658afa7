import type { Filter, Scan } from "./scan.ts";

const EVERY =
  /(?:^|, |\b(?:if|whether|that|please|and) )(?:are|is|do|does|have|has|was|were|did|can) (?:all|every|each|both)\b(?: of)?(?: the| these| those)?|\b(?:if|whether|that) (?:all|every|each)(?: of)?(?: the| these| those)?\b(?=.*\b(?:is|are|has|have|costs?|does|do)\b)/;
const ORDERS = new Set(["gt", "gte", "lt", "lte"]);

/** Whether the text asks if something holds of all rows; the words that ask are taken out. */
export function takeEvery(scan: Scan): boolean {
  return scan.take(EVERY) !== null;
}

/**
 * Sets apart the condition that is asked from those that say of which rows: of "are all lamps in
 * Berlin cheaper than $9" the comparison. `states` is the number of filters that states came to.
 */
export function readEvery(scan: Scan, states: number): void {
  const { query } = scan;
  const order = query.filters.findLast(({ test }) => ORDERS.has(test));
  const asked: Filter | undefined =
    states > 0 ? query.filters.at(-1) : (order ?? query.filters.at(-1));
  if (asked === undefined) {
    query.unclear = "every";
    return;
  }
  query.every = asked;
  query.filters = query.filters.filter((filter) => filter !== asked);
}
