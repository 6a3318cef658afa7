import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { add, numericColumns } from "./conditions.ts";
import { ADJECTIVES } from "./lexicon.ts";
import type { Scan } from "./scan.ts";

const AVERAGE =
  /\b(above|over|higher than|more than|greater than|better than|below|under|less than|lower than|fewer than|worse than)(?: (?:the|its|their|overall))* (average|mean|median)(?: (?:of )?(?:the )?(col\d+_))?/;

function middle(numbers: number[], fn: string): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const half = sorted.length / 2;
  if (fn !== "median") return sorted.reduce((sum, number) => sum + number, 0) / sorted.length;
  const upper = sorted[Math.floor(half)] ?? 0;
  return Number.isInteger(half) ? ((sorted[half - 1] ?? 0) + upper) / 2 : upper;
}

/** "Shorter than the average": the adjective tells the column and the side. */
function readAdjective(scan: Scan): boolean {
  for (const { comparative, columns } of ADJECTIVES) {
    if (comparative === null) continue;
    const source = comparative.source.replace(/^\\b|\\b$/g, "");
    const pattern = new RegExp(`\\b${source}(?: (?:the|its|their|an))* (average|mean|median)\\b`);
    const match = pattern.exec(scan.text);
    const named = columns.flatMap(([family, direction]) => {
      const column = scan.family(family);
      return column === null ? [] : [{ column, direction }];
    })[0];
    if (match === null || named === undefined) continue;
    scan.take(pattern);
    compareWith(scan, named.column, match[1] ?? "", named.direction === "desc");
    return true;
  }
  return false;
}

function compareWith(scan: Scan, column: string, fn: string, above: boolean): void {
  const numbers = scan.cells(column).flatMap((cell) => parseNumber(cellText(cell)) ?? []);
  add(scan, column, above ? "gt" : "lt", Number(middle(numbers, fn).toFixed(4)));
}

/** Reads "above the average": the average of the column's own numbers is what they are compared with. */
export function readAverages(scan: Scan): void {
  if (readAdjective(scan)) return;
  const match = AVERAGE.exec(scan.text);
  if (match === null) return;
  const numeric = numericColumns(scan);
  const named = [...scan.text.slice(0, match.index).matchAll(/col\d+_/g)]
    .map((token) => scan.column(token[0]))
    .findLast((column) => column !== null && numeric.includes(column));
  const only = numeric.length === 1 ? numeric[0] : undefined;
  const column = scan.column(match[3]) ?? named ?? only ?? null;
  if (column === null) return;
  scan.take(AVERAGE);
  const above = /^(?:above|over|higher|more|greater|better)/.test(match[1] ?? "");
  compareWith(scan, column, match[2] ?? "", above);
  // The column was named for the test, not to be shown alone.
  const token = /(col\d+_) ?$/.exec(scan.text.slice(0, match.index))?.[1];
  if (token !== undefined && scan.column(token) === column) scan.take(new RegExp(token));
}
