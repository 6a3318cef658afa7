import type { Json } from "../../../../contract/json.ts";
import { extractEmails } from "../../../tools/process-data/extract.ts";
import { linesOf, plainText } from "../../../tools/process-data/markdown.ts";
import { extractPrices } from "../../../tools/process-data/prices.ts";
import type { Table } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import type { Page } from "./pages.ts";

/** What a page says about one thing, by label: "Price" → "$7.50". */
type Facts = Map<string, string>;

const MAX_FACTS = 100;
const MAX_LINES = 3_000;
const PAIR = /^(?:[-*+•]\s+)?([\p{L}][\p{L}\p{N} /&().'-]{0,39}?)\s?(?::|–|—|\|)\s+(\S.{0,299})$/u;
/** A term with its definition, as the page reader writes them: an item with one line below it. */
const DEFINITION = /^- ([^\n#]{1,40})\n {2}(\S[^\n]{0,299})$(?!\n {2}\S)/gm;
const PHONE = /(?<![\w/.-])(?:\+|00)?\(?\d[\d\s()./-]{6,20}\d(?![\w-])/g;

/** The end of a sentence; "St." and the like end none. */
const END =
  "(?<!\\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Max|Min|Avg|Est|Approx|Tel|Incl|Excl)(?=\\.))[.!?;]";
const ENDED = new RegExp(`${END}\\s`);
/** Where, after a sentence, another one begins with a label: "… by Jane Roe. Phone: +47 …". */
const NEXT_LABEL = new RegExp(`(?<=${END})\\s+(?=\\p{Lu}[\\p{L}\\p{N} /&()'-]{0,38}: )`, "u");

/** The label and the value of a line such as "Price: $7.50", or null. */
export function pairOf(line: string): { label: string; value: string } | null {
  const pair = PAIR.exec(line);
  const [, label = "", value = ""] = pair ?? [];
  if (pair === null || /https?$/i.test(label) || ENDED.test(label)) return null;
  return { label: label.trim(), value };
}

/** A line cut before each sentence that begins with a label of its own. */
export function statementsOf(line: string): string[] {
  return line.split(NEXT_LABEL);
}

/** Who wrote it, where a line says no more than "By Ann Lee"; else null. */
export function bylineOf(line: string): string | null {
  return (
    /^(?:[Ww]ritten )?[Bb]y ((?:\p{Lu}[\p{L}.'’-]{0,30} ?){1,4})$/u
      .exec(line.trim())?.[1]
      ?.trim() ?? null
  );
}

/** Whether a table has no headings of its own: its first column names what its second one says. */
export function isProperties({ columns, rows }: Table): boolean {
  return (
    columns.length === 2 &&
    !isList(columns[1] ?? "", rows) &&
    (/^column \d/i.test(columns[1] ?? "") || parseNumber(columns[1] ?? "") !== null)
  );
}

/** Telephone numbers in a text: at least 7 digits, and not a date, a price or a plain number. */
export function phonesIn(text: string): string[] {
  const found = linesOf(text).flatMap((line) =>
    [...line.matchAll(PHONE)].flatMap((match) => {
      const raw = match[0].trim();
      const digits = raw.replace(/\D/g, "");
      const grouped = /[\s()./+-]/.test(raw);
      const dated = /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}/.test(raw);
      const labelled = /\b(?:tel|phone|call|fax|mobile|telephone|cell)\b/i.test(line);
      const plausible = digits.length >= 7 && digits.length <= 15 && (grouped || labelled);
      return plausible && !dated && !/^\d+\.\d+$/.test(raw) ? [raw] : [];
    }),
  );
  return [...new Set(found)];
}

/** The main heading of a page, else its title. */
export function nameOf(page: Page): string {
  const heading = page.source.headings().find(({ level }) => level === 1)?.text;
  return heading ?? page.title;
}

/** The labelled values of a page: two-column tables, "Label: value" lines; the first of a label counts. */
function factsOf(page: Page): Facts {
  const facts: Facts = new Map();
  const add = (label: string, value: string): void => {
    const name = plainText(label).replace(/[:\s]+$/, "");
    const text = plainText(value);
    if (name === "" || text === "" || facts.size >= MAX_FACTS) return;
    const known = [...facts.keys()].some((key) => key.toLowerCase() === name.toLowerCase());
    if (!known) facts.set(name, text);
  };
  for (const { table } of page.source.tables()) {
    if (table.columns.length !== 2) continue;
    const [left = "", right = ""] = table.columns;
    if (isList(right, table.rows)) continue;
    if (!/^column \d+( \d+)?$|^(?:value|details?)$/i.test(right)) add(left, right);
    for (const row of table.rows) add(cellText(row[0] ?? null), cellText(row[1] ?? null));
  }
  for (const line of linesOf(page.source.text).slice(0, MAX_LINES)) {
    if (line.startsWith("|") || line.startsWith("#")) continue;
    const text = plainText(line);
    const statements = statementsOf(text);
    statements.forEach((statement, at) => {
      const pair = pairOf(statement);
      // The stop before the next statement is none of the value.
      const ended = at < statements.length - 1 ? /[.;]$/ : /$^/;
      if (pair !== null) add(pair.label, pair.value.replace(ended, ""));
    });
    const author = bylineOf(text);
    if (author !== null) add("author", author);
  }
  for (const [, label, value] of page.source.text.slice(0, 200_000).matchAll(DEFINITION)) {
    add(label ?? "", value ?? "");
  }
  return facts;
}

/** Whether a two-column table lists things ("Item | Price") rather than one thing's properties. */
function isList(heading: string, rows: readonly Json[][]): boolean {
  const cells = rows.map((row) => cellText(row[1] ?? null));
  const numbers = cells.filter((cell) => parseNumber(cell) !== null).length;
  return rows.length > 0 && parseNumber(heading) === null && numbers === cells.length;
}

/** One row about a page: its title and address, its labelled values, its first price, e-mail and phone. */
export function recordOf(page: Page): Record<string, string> {
  return recordWith(page, ([first]) => first);
}

/** The same with a price, an e-mail or a phone only where the page has one alone. */
export function sureRecordOf(page: Page): Record<string, string> {
  return recordWith(page, (all) => (new Set(all).size === 1 ? all[0] : undefined));
}

function recordWith(
  page: Page,
  pick: (all: readonly Json[]) => Json | undefined,
): Record<string, string> {
  const title = nameOf(page);
  const record: Record<string, string> = title === "" ? {} : { title };
  for (const [label, value] of factsOf(page)) {
    if (label.toLowerCase() !== "title") record[label] = value;
  }
  const has = (name: RegExp): boolean => Object.keys(record).some((key) => name.test(key));
  const price = pick(extractPrices(page.source).table.rows.map((row) => row[1] ?? null));
  if (!has(/price|cost/i) && price !== undefined) record.price = writtenPrice(page, price);
  const email = pick(extractEmails(page.source).table.rows.map((row) => row[0] ?? null));
  if (!has(/e-?mail/i) && typeof email === "string") record.email = email;
  const phone = pick(phonesIn(page.source.text));
  if (!has(/phone|tel/i) && typeof phone === "string") record.phone = phone;
  if (page.description !== "" && !has(/description/i)) record.description = page.description;
  if (page.url !== "") record.url = page.url;
  return record;
}

/** The price as the page writes it ("$7.50"); the bare number when it is written in an unknown way. */
function writtenPrice(page: Page, price: unknown): string {
  const number = typeof price === "number" ? price : 0;
  const written =
    page.source.text.match(/(?:[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€£$]|USD|EUR|GBP|CHF))/g) ?? [];
  const same = written.find((text) => Number(text.replace(/[^\d.]/g, "")) === number);
  return same?.replace(/[.,]$/, "") ?? String(number);
}
