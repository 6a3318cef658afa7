import { findColumn, labelColumn } from "../bind/columns.ts";
import { RESERVED } from "../bind/lexicon.ts";
import { readQuery } from "../bind/query.ts";
import type { Query } from "../bind/scan.ts";
import { singular, wordsOf } from "../language/normalize.ts";
import { alike, underOneAnother } from "./alike.ts";
import { derive } from "./derive.ts";
import type { Page } from "./pages.ts";
import { fullness, joinSheets, type Sheet, sheetsOf } from "./sheets.ts";
import { spread } from "./spread.ts";

/** A sheet with what the ask means for it. */
export interface Reading {
  sheet: Sheet;
  query: Query;
  /** Whether the ask names the sheet as a whole: its caption, its heading, its key. */
  named: boolean;
  score: number;
}

/** A sheet with how much an ask speaks of it. */
interface Scored {
  sheet: Sheet;
  named: number;
  score: number;
}

/** "The first user" needs its noun. */
const ORDINAL = /^(?:first|last|second|third|\d+(?:st|nd|rd|th))$/;
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** The table that a text asks for by its place, or null. */
function tablePlace(text: string): number | null {
  const ordinal = /\b(first|second|third|fourth|fifth|last) table\b/.exec(text)?.[1];
  if (ordinal !== undefined) return ordinal === "last" ? -1 : ORDINALS.indexOf(ordinal);
  const number = /\btable (?:number |no |#)?(\d)\b/.exec(text)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

/** Names for the same kind of list. */
const SYNONYMS = [
  ["fixture", "match", "game", "meeting"],
  ["standing", "ranking", "rank"],
];

function meansSame(word: string, words: ReadonlySet<string>): boolean {
  const same = SYNONYMS.find((names) => names.includes(word)) ?? [word];
  return same.some((name) => words.has(name));
}

/** How many words of a sheet's name an ask has. */
function namedBy(text: string, sheet: Sheet, strings: readonly string[]): number {
  const spelled = text.replace(/str(\d+)_/g, (_raw, at: string) =>
    (strings[Number(at)] ?? "").toLowerCase(),
  );
  const words = new Set(spelled.split(/[^a-z0-9]+/).map(singular));
  const telling = wordsOf(sheet.name).filter(
    (word) => word.length > 2 && !/^(?:page|list|table)$/.test(word),
  );
  const whole = sheet.name !== "" && wordsOf(sheet.name).every((word) => words.has(word));
  return telling.filter((word) => meansSame(word, words)).length + Number(whole);
}

/** A derived column alone says nothing of whose it is. */
function withLabel(query: Query, { columns, rows }: Sheet, column: string | null): Query {
  const label = columns[labelColumn(columns, rows)];
  if (column === null || label === undefined || !query.select.includes(column)) return query;
  return { ...query, select: [...new Set([label, ...query.select])] };
}

/** A text without the words that only name the sheet: "total spending" of the table "Spending". */
function withoutName(text: string, sheet: Sheet): string {
  if (sheet.kind !== "table" && sheet.kind !== "json") return text;
  const names = wordsOf(sheet.name);
  const idle = (token: string): boolean =>
    token.length > 3 &&
    names.includes(singular(token)) &&
    !RESERVED.has(token) &&
    findColumn(token, sheet.columns) === null;
  return text
    .split(" ")
    .filter((token, at, all) => !idle(token) || ORDINAL.test(all[at - 1] ?? ""))
    .join(" ");
}

function readingOf(text: string, whole: Sheet, strings: readonly string[]): Reading {
  const derived = derive(withoutName(text, whole), whole, strings);
  const { sheet } = derived;
  const read = readQuery(derived.text, sheet.columns, sheet.rows, derived.strings);
  const query = withLabel(read, sheet, derived.column);
  const named = namedBy(text, sheet, strings);
  return { sheet, query, named: named > 0, score: scoreOf(sheet, query, named) };
}

function scoreOf(sheet: Sheet, query: Query, named: number): number {
  const whole = sheet.kind === "table" || sheet.kind === "json";
  // Cards say more of the same things than the bare items of a list do.
  const prior = whole ? 1 : sheet.kind === "section" ? -1 : 0;
  // The bare values of one field are meant where it is named, not where its object or a name is.
  const bare = sheet.kind === "json" && sheet.name !== "" && sheet.columns.join() === "value";
  const other = bare && query.select.length > 0;
  const records = other ? -8 : bare ? -2 : sheet.rows.length > 1 ? 1 : 0;
  return (
    3 * query.mentions -
    2 * query.missing.length +
    4 * named +
    prior +
    records +
    Math.min(1, fullness(sheet) / 200)
  );
}

/** The sheets of one page, in their order, with how much an ask speaks of each. */
function scoredSheets(text: string, page: Page, strings: readonly string[]): Scored[] {
  const sheets = sheetsOf(page);
  const place = tablePlace(text);
  const tables = sheets.filter((sheet) => sheet.kind === "table");
  const chosen = place === null ? undefined : tables.at(place);
  return (chosen === undefined ? sheets : [chosen]).map((sheet) => ({
    sheet,
    named: namedBy(text, sheet, strings),
    score: readingOf(text, sheet, strings).score,
  }));
}

/** The sheet that an ask speaks of most; of equals the first. */
function bestOf(scored: readonly Scored[]): Scored | null {
  return scored.reduce<Scored | null>(
    (best, one) => (best === null || one.score > best.score ? one : best),
    null,
  );
}

/** The sheet of a kind on one page: with the tables like it, where the ask names none of them more. */
function sheetOfKind(scored: readonly Scored[], kind: Sheet["kind"] | undefined): Sheet | null {
  const best = bestOf(scored.filter(({ sheet }) => sheet.kind === kind));
  if (best === null || best.sheet.kind !== "table") return best?.sheet ?? null;
  const tables = scored.filter(({ sheet }) => sheet.kind === "table");
  const like = tables.filter((one) => alike(one.sheet, best.sheet) && one.named === best.named);
  const joined = underOneAnother(like.map(({ sheet }) => sheet)) ?? best.sheet;
  const beside = tables.filter(({ sheet }) => !alike(sheet, best.sheet));
  const unasked = best.named === 0 && beside.length > 0;
  return unasked ? { ...joined, beside: beside.map(({ sheet }) => titleOf(sheet)) } : joined;
}

/** What a table is told by: its caption, or its columns. */
function titleOf({ name, columns }: Sheet): string {
  return name === "" ? columns.slice(0, 4).join(", ") : name;
}

/** The records that an ask is about, over all pages put together; null when no page has any. */
export function chooseRecords(
  text: string,
  pages: Page[],
  strings: readonly string[],
): Reading | null {
  const scored = pages.map((page) => scoredSheets(text, page, strings));
  const kinds = scored.flatMap((ofPage) => bestOf(ofPage)?.sheet.kind ?? []);
  const leading = kinds.find((kind) => kind === "table" || kind === "json") ?? kinds[0];
  const sheet = joinSheets(scored.flatMap((ofPage) => sheetOfKind(ofPage, leading) ?? []));
  if (sheet === null) return null;
  const reading = readingOf(text, sheet, strings);
  return { ...reading, sheet: spread(reading.sheet, reading.query) };
}
