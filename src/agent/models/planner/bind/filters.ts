import { readAverages } from "./averages.ts";
import { readComparisons } from "./comparisons.ts";
import { readDates } from "./dates.ts";
import { readEquality, readValues } from "./equality.ts";
import { readFlags } from "./flags.ts";
import { readEvery, takeEvery } from "./quantified.ts";
import { readRemoved } from "./removed.ts";
import type { Scan } from "./scan.ts";
import { readStates } from "./states.ts";
import { readEmptiness, readTextTests } from "./text-tests.ts";

/** "without the Salary column": all columns but these. */
function readHidden(scan: Scan): void {
  const match = scan.take(
    /\b(?:without|excluding|exclude|except(?: for)?|drop|remove|delete|omit|leave out|take out|throw out|get rid of|minus|but not|hide|ignoring|ignore) (?:the )?(?:columns? )?(col\d+_)(?: (?:,|and|or) (?:the )?(col\d+_))?(?: columns?\b|(?<=columns? col\d+_(?: .*)?))/,
  );
  const hidden = [scan.column(match?.[1]), scan.column(match?.[2])];
  if (match === null) return;
  scan.query.select = scan.columns.filter((column) => !hidden.includes(column));
  scan.query.mentions += 2;
}

/** Reads which rows are meant. */
export function readFilters(scan: Scan): void {
  const every = takeEvery(scan);
  readHidden(scan);
  readRemoved(scan, (part) => readConditions(part));
  const states = readConditions(scan);
  if (every) readEvery(scan, states);
}

/** Reads the conditions on rows; tells how many of them are states. */
function readConditions(scan: Scan): number {
  // "the Kitchen category": the column only says what the value is.
  scan.text = scan.text.replace(/(val\d+_) (col\d+_)/g, (raw, value: string, column: string) =>
    scan.value(value)?.column === scan.column(column) ? value : raw,
  );
  readFlags(scan);
  readEmptiness(scan);
  readDates(scan);
  readAverages(scan);
  readComparisons(scan);
  readEquality(scan);
  readTextTests(scan);
  readValues(scan);
  const others = scan.query.filters.length;
  readStates(scan);
  return scan.query.filters.length - others;
}
