import type { Fact } from "../expectation.ts";

/** A number as people write it, with any mark for thousands and decimals. */
const NUMBER =
  /(?:(?<![\p{L}\d])[-−])?(?:\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)/gu;

/** What parts a line such as "Ann Lee, director: Oslo". */
const SEPARATOR = /\s*[,;:|]\s+|\s+[–—-]\s+/;

/**
 * Returns whether a cell says a fact, as a whole or in one of its parts: the same text, number or date
 * in any usual notation.
 */
export function says(cell: unknown, fact: Fact): boolean {
  if (typeof fact === "number") return saysNumber(cell, fact);
  if (typeof cell !== "string" && typeof cell !== "number") return false;
  const wanted = plain(fact);
  const texts = [plain(String(cell)), ...plain(String(cell)).split(SEPARATOR)];
  if (texts.includes(wanted)) return true;
  const date = dateOf(wanted);
  return date !== null && texts.some((text) => dateOf(text) === date);
}

/** Returns whether a text mentions a fact as words of their own. */
export function mentions(text: string, fact: Fact): boolean {
  if (typeof fact === "number") {
    return [...text.matchAll(NUMBER)].some(([token]) => saysNumber(token, fact));
  }
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(plain(fact))}(?![\\p{L}\\p{N}])`, "u");
  return found.test(plain(text)) || mentionsDate(text, fact);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Returns a text without Markdown's marks, doubled spaces and capitals. */
function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

/** A whole number must be exact; any other may be rounded to two decimals. */
export function isSameNumber(found: number, wanted: number): boolean {
  return Math.abs(found - wanted) <= (Number.isInteger(wanted) ? 0 : 0.005) + 1e-9;
}

function saysNumber(cell: unknown, wanted: number): boolean {
  return numbersOf(cell).some((found) => isSameNumber(found, wanted));
}

/** Returns the numbers that a cell may stand for; a cell with two numbers stands for none. */
function numbersOf(cell: unknown): number[] {
  if (typeof cell === "number") return [cell];
  if (typeof cell !== "string") return [];
  const tokens = cell.match(NUMBER) ?? [];
  const [token] = tokens;
  if (token === undefined || tokens.length > 1) return [];
  const digits = token.replace(/[\s'’\u00a0\u202f]/g, "").replace("−", "-");
  const english = Number(digits.replaceAll(",", ""));
  const continental = Number(digits.replaceAll(".", "").replace(",", "."));
  const isEnglish = /^-?\d+(?:,\d{3})*(?:\.\d+)?$/.test(digits);
  const isContinental = /^-?\d+(?:\.\d{3})*(?:,\d+)?$/.test(digits);
  return [...(isEnglish ? [english] : []), ...(isContinental ? [continental] : [])];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DATES = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:t00:00.*)?$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<day>\d{1,2}) (?<name>[a-z]{3})[a-z]*\.? (?<year>\d{4})$/,
  /^(?<name>[a-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})$/,
];

/** Returns a date as `YYYY-MM-DD`, or null. */
function dateOf(text: string): string | null {
  for (const pattern of DATES) {
    const found = pattern.exec(plain(text))?.groups;
    if (found === undefined) continue;
    const month = found.month ?? String(MONTHS.indexOf(found.name ?? "") + 1);
    if (month === "0") continue;
    return [found.year, month.padStart(2, "0"), (found.day ?? "").padStart(2, "0")].join("-");
  }
  return null;
}

const DATE_IN_TEXT =
  /\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2} [A-Za-z]{3,9}\.? \d{4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}/g;

function mentionsDate(text: string, fact: string): boolean {
  const wanted = dateOf(fact);
  if (wanted === null) return false;
  return (text.match(DATE_IN_TEXT) ?? []).some((found) => dateOf(found) === wanted);
}
