import { ADJECTIVES } from "./lexicon.ts";
import { defaultColumn, numeric } from "./numbers.ts";
import type { Scan } from "./scan.ts";

/** "The price range", "the difference between the most expensive and the cheapest": both ends. */
export function readRange(scan: Scan): void {
  const range =
    scan.take(/\b(?:difference|gap|spread|range)\b(?! of \d)/) ??
    scan.take(/\bhow (?:much|many (?!col)[a-z]+) (?=.*\bthan\b)/);
  if (range === null) return;
  const named = [...scan.text.matchAll(/col\d+_/g)]
    .map((match) => scan.column(match[0]))
    .find((column) => column !== null && numeric(scan).includes(column));
  const column = scan.query.extreme?.column ?? named ?? defaultColumn(scan);
  if (column === null) return;
  scan.query.extreme = null;
  scan.query.sort = null;
  for (const { superlative } of ADJECTIVES) scan.take(superlative);
  scan.query.aggregates.push({ fn: "min", column }, { fn: "max", column });
  scan.query.difference = !range[0].startsWith("range");
}
