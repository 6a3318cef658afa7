import type { Json } from "../../../../contract/json.ts";
import { cellDate, cellText } from "../../../tools/process-data/values/cells.ts";
import type { Scan } from "./scan.ts";

const MONTHS =
  "january february march april may june july august september october november december"
    .split(" ")
    .map((name) => [name, name.slice(0, 3)] as const);
const MONTH = `(${MONTHS.map(([name, short]) => `${name}|${short}`).join("|")}|sept)`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`((?:19|20)\d\d)`;
/** A date, month or year as people write it; groups: day and month, or month and day, or ISO. */
const POINT = `(?:(?:the )?${DAY}(?: of)? ${MONTH}(?: ,? ?${YEAR})?|${MONTH} ${DAY}(?: ,? ?${YEAR})?(?!\\d)|${MONTH}(?: (?:of )?${YEAR})?|${YEAR}-(\\d\\d)(?:-(\\d\\d))?|${YEAR})(?= |$)`;

/** A span of time: from its first moment up to, not including, the last, in milliseconds. */
interface Span {
  /** Null where the words name a month or day of any year. */
  from: number | null;
  to: number;
  month: number | null;
  day: number | null;
  said: string;
}

function monthOf(word: string | undefined): number | null {
  const at = MONTHS.findIndex(([, short]) => word?.startsWith(short));
  return word === undefined || at < 0 ? null : at;
}

function spanOf(said: string): Span | null {
  const match = new RegExp(`^${POINT}$`).exec(said);
  if (match === null) return null;
  const isoMonth = match[10] === undefined ? null : Number(match[10]) - 1;
  const month = monthOf(match[2] ?? match[4] ?? match[7]) ?? isoMonth;
  const dayText = match[1] ?? match[5] ?? match[11];
  const day = dayText === undefined ? null : Number(dayText);
  const yearText = match[3] ?? match[6] ?? match[8] ?? match[9] ?? match[12];
  if (yearText === undefined) return { from: null, to: 0, month, day, said };
  const year = Number(yearText);
  const from = Date.UTC(year, month ?? 0, day ?? 1);
  const to =
    month === null
      ? Date.UTC(year + 1, 0, 1)
      : day === null
        ? Date.UTC(year, month + 1, 1)
        : Date.UTC(year, month, day + 1);
  return { from, to, month, day, said };
}

function within(span: Span, date: number): boolean {
  if (span.from !== null) return date >= span.from && date < span.to;
  const read = new Date(date);
  const inMonth = span.month === null || read.getUTCMonth() === span.month;
  return inMonth && (span.day === null || read.getUTCDate() === span.day);
}

/** Where a date lies to a span; months without a year are compared by their place in the year. */
function side(span: Span, date: number): "before" | "in" | "after" {
  if (within(span, date)) return "in";
  if (span.from !== null) return date < span.from ? "before" : "after";
  const read = new Date(date);
  const place = read.getUTCMonth() * 31 + read.getUTCDate();
  return place < (span.month ?? 0) * 31 + (span.day ?? 1) ? "before" : "after";
}

function isDated(cells: readonly Json[]): boolean {
  const filled = cells.filter((cell) => cellText(cell) !== "");
  const dates = filled.filter((cell) => cellDate(cell) !== null);
  return dates.length > 0 && dates.length * 2 > filled.length;
}

/** The column of dates that a condition speaks of: the last one named before it, else the first there is. */
function datedColumn(scan: Scan, before: string): string | null {
  const dated = scan.columns.filter((column) => isDated(scan.cells(column)));
  const named = [...before.matchAll(/col\d+_/g)]
    .map((match) => scan.column(match[0]))
    .findLast((column) => column !== null && dated.includes(column));
  return named ?? dated[0] ?? null;
}

/** Keeps the rows whose date passes; the condition is told in the words of the prompt. */
function keep(scan: Scan, before: string, said: string, holds: (date: number) => boolean): void {
  const column = datedColumn(scan, before);
  if (column === null) return;
  const values = scan.cells(column).flatMap((cell) => {
    const date = cellDate(cell);
    return date !== null && holds(date) ? [cellText(cell)] : [];
  });
  scan.query.anyOf.push({ column, values: [...new Set(values)], said });
  scan.query.mentions++;
  // "posted in March" tests the column; it does not ask to see it alone.
  const token = /(col\d+_) ?$/.exec(before)?.[1];
  if (token !== undefined && scan.column(token) === column) scan.take(new RegExp(token));
}

const BETWEEN = new RegExp(
  `\\b(?:between|from) (${POINT}) ?(?:and|to|until|till|-|through) (${POINT})`,
);
const ONE = new RegExp(
  `\\b(not before|no earlier than|on or after|after|newer than|more recent than|since|starting(?: from| in| on)?|later than|from|not after|no later than|on or before|before|until|till|by|earlier than|older than|up to|in|on|during|of|for|dated) (?:the )?(?:(?:year|month)(?: of)? )?(${POINT})(?: (?:or |and |on)?(later|after|newer|earlier|before|older|on|wards?|onwards?)\\b)?`,
);

/** Reads "in March", "after 1 February 2026", "between 2019 and 2021" where the table has dates. */
export function readDates(scan: Scan): void {
  if (!scan.columns.some((column) => isDated(scan.cells(column)))) return;
  const range = BETWEEN.exec(scan.text);
  const groups = 12;
  const low = spanOf(range?.[1] ?? "");
  const high = spanOf(range?.[2 + groups] ?? "");
  if (range !== null && low !== null && high !== null) {
    const said = `is between ${low.said} and ${high.said}`;
    const holds = (date: number): boolean =>
      side(low, date) !== "before" && side(high, date) !== "after";
    const before = scan.text.slice(0, range.index);
    scan.take(BETWEEN);
    keep(scan, before, said, holds);
  }
  const one = ONE.exec(scan.text);
  const span = spanOf(one?.[2] ?? "");
  if (one === null || span === null) return;
  const holds = orderOf(one[1] ?? "", one[3 + groups], span);
  const said = `is ${one[0]}`;
  scan.take(ONE);
  keep(scan, scan.text.slice(0, one.index), said, holds);
}

function orderOf(word: string, open: string | undefined, span: Span): (date: number) => boolean {
  const later = /^(?:later|after|newer|on|wards?|onwards?)$/.test(open ?? "");
  const earlier = open !== undefined && !later;
  if (/^(?:after|later than|newer than|more recent than)$/.test(word))
    return (date) => side(span, date) === "after";
  if (/^(?:before|earlier than|older than)$/.test(word))
    return (date) => side(span, date) === "before";
  if (later || /^(?:not before|no earlier|on or after|since|starting)/.test(word))
    return (date) => side(span, date) !== "before";
  if (earlier || /^(?:not after|no later|on or before|until|till|by|up to)/.test(word))
    return (date) => side(span, date) !== "after";
  return (date) => side(span, date) === "in";
}
