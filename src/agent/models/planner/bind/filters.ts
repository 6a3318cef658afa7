import { readAverages } from "./averages.ts";
import { readComparisons } from "./comparisons.ts";
import { readDates } from "./dates.ts";
import { readEquality, readValues } from "./equality.ts";
import { readFlags } from "./flags.ts";
import { readEvery, takeEvery } from "./quantified.ts";
import type { Scan } from "./scan.ts";
import { readStates } from "./states.ts";
import { readEmptiness, readTextTests } from "./text-tests.ts";

/** "without the Salary column": all columns but these. */
function readHidden(scan: Scan): void {
  const match = scan.take(
    /\b(?:without|excluding|exclude|except(?: for)?|drop|remove|omit|leave out|minus|but not|hide|ignoring|ignore) (?:the )?(col\d+_)(?: (?:,|and|or) (?:the )?(col\d+_))? columns?\b/,
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
  if (every) readEvery(scan, scan.query.filters.length - others);
}
