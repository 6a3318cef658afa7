import { headingOf, plainText, withoutBullet } from "../markdown.ts";
import { type PriceRow, shortContext } from "./price-context.ts";
import { type PriceMark, pricesIn } from "./price-marks.ts";

/** Words that announce a price without naming what it is for. */
const GENERIC =
  /^(?:(?:our|sale|regular|list|unit|total|retail|starting)? ?price|now|only|from|was|just|cost|for|as low as|total|starting at)$/i;

/** What the next prices may be about: the last heading and line since the price before. */
interface Item {
  heading: string;
  line: string;
  priced: boolean;
}

/** Prices in running text: named by the words beside them, else by the lines above. */
export function pricesOfLines(lines: readonly string[]): PriceRow[] {
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
      const beside = besides(line, marks, index);
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

/** The words before a price up to the price before it; when there are none, those after it. */
function besides(line: string, marks: readonly PriceMark[], index: number): string {
  const mark = marks[index];
  if (!mark) return "";
  const before = line.slice(marks[index - 1]?.end ?? 0, mark.start);
  const after = line.slice(mark.end, marks[index + 1]?.start ?? line.length);
  return trimmed(plainText(before)) || trimmed(plainText(after));
}

/** Text without the marks of lists, headings and tables, and without separators around it. */
function trimmed(text: string): string {
  return withoutBullet(text)
    .replace(/^[\s:;,.|•·–—=(/*+#>-]{1,40}/, "")
    .replace(/(?<![\s:;,|•·–—=(/~-])[\s:;,|•·–—=(/~-]{1,40}$/, "");
}
