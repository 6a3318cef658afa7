import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import type { Scan } from "./scan.ts";

/** Columns more than half of whose filled cells are numbers. */
export function numeric(scan: Scan): string[] {
  return scan.columns.filter((column) => {
    const cells = scan
      .cells(column)
      .map(cellText)
      .filter((text) => text !== "");
    const numbers = cells.filter((text) => parseNumber(text) !== null);
    return numbers.length > 0 && numbers.length * 2 > cells.length;
  });
}

/** The column of a figure that names none: the only number there is, or the price. */
export function defaultColumn(scan: Scan): string | null {
  const columns = numeric(scan);
  const price = scan.family("price");
  const telling = columns.filter((column) => !/^(?:id|no|nr|#|rank|number|year)\.?$/i.test(column));
  if (telling.length === 1) return telling[0] ?? null;
  if (columns.length === 1) return columns[0] ?? null;
  return price !== null && columns.includes(price) ? price : null;
}

/** The one column of numbers that the text names: "how many seats have they got altogether". */
export function namedNumber(scan: Scan): string | null {
  const named = [...scan.text.matchAll(/col\d+_/g)].map((match) => scan.column(match[0]));
  const numbers = new Set(named.filter((name) => name !== null && numeric(scan).includes(name)));
  const [only] = numbers;
  return numbers.size === 1 && only !== undefined ? only : null;
}
