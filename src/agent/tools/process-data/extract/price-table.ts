import type { Json } from "../../../../contract/json.ts";
import type { Table } from "../table.ts";
import { cellQuantity, cellText, isEmpty } from "../values/cells.ts";
import { currencyCode } from "../values/currencies.ts";
import { normaliseName } from "../values/names.ts";
import { type PriceRow, shortContext } from "./price-context.ts";
import { pricesIn } from "./price-marks.ts";

/** A price in one cell of a row. */
interface CellPrice {
  price: number;
  currency: string | null;
  /** The place of its column. */
  index: number;
}

/** A name as `normaliseName` leaves it; totals and amounts may count anything and are not taken. */
const PRICE_NAME = /price(?!ids?$)|msrp|^(?:unit|total)?costs?(?:$|\()|^fees?(?:$|\()/;
const ITEM_NAMES = new Set(["name", "item", "product", "title", "plan", "description", "label"]);

/** Cells with a currency are prices; in a column named like a price, bare numbers are too. */
export function pricesOfTable({ columns, rows }: Table): PriceRow[] {
  const names = columns.map(normaliseName);
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

/** The currency in a name such as "Price (USD)" or "Cost €". */
function currencyInName(name: string): string | null {
  for (const word of name.split(/[\s()[\],/:]+/)) {
    const code = word === "" ? null : currencyCode(word);
    if (code !== null) return code;
  }
  return null;
}

/** The cell of a column named like an item, else the first that is neither price nor number. */
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
