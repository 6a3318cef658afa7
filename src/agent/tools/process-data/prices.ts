import type { Json } from "../../../contract/json.ts";
import { CODE_PATTERN, currencyCode, SYMBOL_PATTERN } from "../../../lib/currencies.ts";
import { headingOf, linesOf, plainText, withoutBullet } from "./markdown.ts";
import type { Source } from "./source.ts";
import { type Extracted, normalizeName, type Table, tableOf } from "./table.ts";
import { cellQuantity, cellText, isEmpty } from "./values/cells.ts";
import { readQuantity } from "./values/numbers.ts";

/** Extracts prices with the items that they belong to, from tables and lines of text. */
export function extractPrices(source: Source): Extracted {
  const tables = source.tables();
  const fromTables = tables.flatMap(({ table }) => pricesOfTable(table));
  // Structured data has only tables; the Markdown of a page repeats its tables as lines with pipes.
  const isData = source.json() !== undefined && tables.length > 0;
  const passages = isData ? [] : source.passages();
  const lines = passages
    .flatMap(linesOf)
    .filter((line) => tables.length === 0 || !line.startsWith("|"));
  return tableOf(["text", "price", "currency"], [...fromTables, ...pricesOfLines(lines)]);
}

/** A price in one cell of a row. */
interface CellPrice {
  price: number;
  currency: string | null;
  /** The place of its column. */
  index: number;
}

/** Matches a normalized name of a price column. Totals and amounts may count anything and do not match. */
const PRICE_NAME = /price(?!ids?$)|msrp|^(?:unit|total)?costs?(?:$|\()|^fees?(?:$|\()/;
const ITEM_NAMES = new Set(["name", "item", "product", "title", "plan", "description", "label"]);

/** Reads prices from a table: cells with a currency, and plain numbers in columns named like a price. */
function pricesOfTable({ columns, rows }: Table): PriceRow[] {
  const names = columns.map(normalizeName);
  const currencies = columns.map(currencyInName);
  const currencyColumn = names.indexOf("currency");
  return rows.flatMap((row) => {
    const rowCurrency = currencyCode(cellText(row[currencyColumn] ?? null));
    const prices = row.flatMap((cell, index) => {
      const isPrice = PRICE_NAME.test(names[index] ?? "");
      return pricesOfCell(cell, index, isPrice, currencies[index] ?? rowCurrency);
    });
    const places = new Set(prices.map(({ index }) => index));
    const item = itemOf(row, names, places);
    return prices.map(({ price, currency, index }): PriceRow => {
      const column = places.size > 1 ? ` (${columns[index] ?? ""})` : "";
      return [`${item}${column}`.trim(), price, currency];
    });
  });
}

function pricesOfCell(
  cell: Json,
  index: number,
  isPrice: boolean,
  currency: string | null,
): CellPrice[] {
  const marks = pricesIn(cellText(cell));
  if (marks.length > 0) return marks.map((mark) => ({ ...mark, index }));
  const quantity = isPrice ? cellQuantity(cell) : null;
  return quantity?.unit === "" ? [{ price: quantity.value, currency, index }] : [];
}

/** Returns the currency in a name such as "Price (USD)" or "Cost €". */
function currencyInName(name: string): string | null {
  for (const word of name.split(/[\s()[\],/:]+/)) {
    const code = word === "" ? null : currencyCode(word);
    if (code !== null) return code;
  }
  return null;
}

/** Returns the cell of a column named like an item, else the first that is neither price nor number. */
function itemOf(row: readonly Json[], names: readonly string[], prices: Set<number>): string {
  const named = names.findIndex(
    (name, index) => ITEM_NAMES.has(name) && !isEmpty(row[index] ?? null),
  );
  const index =
    named >= 0
      ? named
      : row.findIndex(
          (cell, at) => !prices.has(at) && !isEmpty(cell) && cellQuantity(cell) === null,
        );
  return shortContext(cellText(row[index] ?? null));
}

/** Words before a price that do not name its item. */
const GENERIC =
  /^(?:(?:our|sale|regular|list|unit|total|retail|starting)? ?price|now|only|from|was|just|cost|for|as low as|total|starting at)$/i;

/** The item of the next prices: the last heading and line since the previous price. */
interface Item {
  heading: string;
  line: string;
  priced: boolean;
}

/** Reads prices from text, named by the words beside them, else by the lines above. */
function pricesOfLines(lines: readonly string[]): PriceRow[] {
  const rows: PriceRow[] = [];
  let item: Item = { heading: "", line: "", priced: false };
  for (const line of lines) {
    const marks = pricesIn(line);
    if (marks.length === 0) {
      item = nextItem(item, line);
      continue;
    }
    let text = [item.heading, item.line].filter(Boolean).join(" – ");
    for (const [index, mark] of marks.entries()) {
      const beside = textBeside(line, marks, index);
      if (text === "" || (beside !== "" && !GENERIC.test(beside))) text = beside;
      rows.push([shortContext(text), mark.price, mark.currency]);
    }
    item = { ...item, priced: true };
  }
  return rows;
}

function nextItem(item: Item, line: string): Item {
  const heading = headingOf(withoutBullet(line));
  const text = trimmed(plainText(line));
  if (text === "") return item;
  // The title of the whole page names no single item.
  if (heading) return { heading: heading.level > 1 ? heading.text : "", line: "", priced: false };
  return { heading: item.priced ? "" : item.heading, line: text, priced: false };
}

/** Returns the words between the previous price and this one, else those after it. */
function textBeside(line: string, marks: readonly PriceMark[], index: number): string {
  const mark = marks[index];
  if (!mark) return "";
  const before = line.slice(marks[index - 1]?.end ?? 0, mark.start);
  const after = line.slice(mark.end, marks[index + 1]?.start ?? line.length);
  return trimmed(plainText(before)) || trimmed(plainText(after));
}

/** Removes list, heading and table marks and surrounding separators. */
function trimmed(text: string): string {
  return withoutBullet(text)
    .replace(/^[\s:;,.|•·–—=(/*+#>-]{1,40}/, "")
    .replace(/(?<![\s:;,|•·–—=(/~-])[\s:;,|•·–—=(/~-]{1,40}$/, "");
}

/** A price inside a text. */
export interface PriceMark {
  price: number;
  currency: string;
  /** Where it starts and ends in the text, in UTF-16 units. */
  start: number;
  end: number;
}

const NARROW_GAP = "[\\u00a0\\u2009\\u202f]";
const MARK = `(?:${SYMBOL_PATTERN}|(?:${CODE_PATTERN})(?![\\p{L}\\p{N}]))`;
const AFTER = `(?:${SYMBOL_PATTERN}|(?:${CODE_PATTERN}))(?![\\p{L}\\p{N}])`;
const POWER = "(?: ?(?:million|billion)|[kKmMB]|mn|bn)(?![\\p{L}\\p{N}])";
const END = "(?![\\d]|[.,]\\d)";
/** A plain space groups thousands only if a decimal comma or the currency confirms it. */
const SPACED = `\\d{1,3}(?: \\d{3}){1,4}`;
const AMOUNT = `(?:${SPACED},\\d{2}|\\d{1,3}(?:(?:[,.']|${NARROW_GAP})\\d{3}){1,4}(?:[.,]\\d{1,2})?|\\d{1,12}(?:[.,]\\d{1,4})?|\\.\\d{1,2})${END}`;

/**
 * An amount with its currency before or after it. All repetitions are bounded and a match starts only
 * outside of words and numbers, so the time is linear in the text.
 */
const PRICE = new RegExp(
  [
    `(?<![\\p{L}\\p{N}$])${MARK}\\s?${AMOUNT}(?:${POWER})?(?: ?(?:${CODE_PATTERN})(?![\\p{L}\\p{N}]))?`,
    `(?<![\\p{L}\\p{N}.,])(?:${SPACED}(?:,\\d{1,2})?|${AMOUNT})(?:${POWER})?\\s?${AFTER}`,
  ].join("|"),
  "gu",
);

/** Returns the prices of a text in order. A number without a currency is not a price. */
export function pricesIn(text: string): PriceMark[] {
  return [...text.matchAll(PRICE)].flatMap((match) => {
    const [written] = match;
    const quantity = readQuantity(written);
    if (!quantity || !/^[A-Z]{3}$/.test(quantity.unit)) return [];
    const { value: price, unit: currency } = quantity;
    return { price, currency, start: match.index, end: match.index + written.length };
  });
}

/** A price with its context; the currency is null if none is named. */
type PriceRow = [text: string, price: number, currency: string | null];

/** The most characters of a price's context. */
const MAX_CONTEXT = 200;

/** Keeps the last characters, which are closest to the price. */
function shortContext(text: string): string {
  return text.length <= MAX_CONTEXT
    ? text
    : `…${text.slice(1 - MAX_CONTEXT).replace(/^[\udc00-\udfff]/, "")}`;
}
