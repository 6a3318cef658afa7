import { wordsOf } from "../language/normalize.ts";
import { inlineSheet, type Sheet } from "./sheets.ts";

const DAY =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|day \d|\d{1,2}(?:st|nd|rd|th)?\.? (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2})\b/i;
const YEAR = /^\D*(?:19|20)\d\d\D*$/;

/** What tells tables apart by their captions is called. */
function telling(captions: readonly string[]): string {
  if (captions.every((caption) => DAY.test(caption))) return "Day";
  return captions.every((caption) => YEAR.test(caption)) ? "Year" : "Section";
}

function columnsKey({ columns }: Sheet): string {
  return columns
    .map((column) => wordsOf(column).join(" "))
    .sort()
    .join("|");
}

/** Whether two sheets are tables with the same columns: parts of one list that a page has split. */
export function alike(left: Sheet, right: Sheet): boolean {
  return left.kind === "table" && right.kind === "table" && columnsKey(left) === columnsKey(right);
}

/**
 * Tables of one page with the same columns, put under one another: the first table alone would pass
 * for the whole. Their captions become a column where these tell them apart.
 */
export function underOneAnother(sheets: readonly Sheet[]): Sheet | null {
  const [first] = sheets;
  if (first === undefined || sheets.length === 1) return first ?? null;
  const captions = sheets.map(({ name }) => name.trim());
  const apart = captions.every((name) => name !== "") && new Set(captions).size === captions.length;
  const name = telling(captions);
  const told = apart && !first.columns.includes(name);
  const keys = first.columns.map((column) => wordsOf(column).join(" "));
  const rows = sheets.flatMap((sheet, at) => {
    const places = keys.map((key) =>
      sheet.columns.findIndex((column) => wordsOf(column).join(" ") === key),
    );
    return sheet.rows.map((row) => [
      ...places.map((place) => row[place] ?? null),
      ...(told ? [captions[at] ?? null] : []),
    ]);
  });
  const columns = told ? [...first.columns, name] : first.columns;
  return inlineSheet("table", columns, rows, first.pages);
}
