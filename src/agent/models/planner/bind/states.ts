import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { add } from "./conditions.ts";
import type { Filter, Scan } from "./scan.ts";

/** States that a row can be in, and the families of the columns that tell. */
const STATES: [RegExp, RegExp, string[], RegExp, RegExp][] = [
  [
    /\b(?:(not|n't|no longer) )?(?:currently )?(?:in stock|available|on stock|obtainable)\b/,
    /\b(?:out of stock|sold out|unavailable|not available)\b/,
    ["stock", "in stock", "availability", "available", "status"],
    /^(?:yes|true|y|in stock|available|✓|✔|1|ja|oui)$/i,
    /^(?:no|false|n|out of stock|sold out|unavailable|✗|✘|x|0|-|none)$/i,
  ],
  [
    /\b(?:(not|no longer) )?(?:active|enabled|open|completed|complete|done|verified|paid|published|approved|finished)\b/,
    /\b(?:inactive|disabled|closed|incomplete|unfinished|unverified|unpaid|unpublished)\b/,
    [
      "active",
      "enabled",
      "open",
      "completed",
      "done",
      "verified",
      "paid",
      "published",
      "approved",
      "status",
    ],
    /^(?:yes|true|y|active|enabled|open|completed?|done|verified|paid|✓|✔|1)$/i,
    /^(?:no|false|n|inactive|disabled|closed|✗|✘|0|-)$/i,
  ],
];

function truthValue(cells: Json[], pattern: RegExp, truth: boolean): Filter["value"] | null {
  if (cells.some((cell) => typeof cell === "boolean")) return truth;
  const found = cells.find((cell) => pattern.test(cellText(cell)));
  return found === undefined ? null : cellText(found);
}

/** Reads states without a column's name: "in stock", "sold out", "active". */
export function readStates(scan: Scan): void {
  for (const [yes, no, families, truthy, falsy] of STATES) {
    const text = scan.mentions.text.replace(/(?:col|val)(\d+)_/g, (raw) => scan.words(raw));
    const negative = no.test(text) || /\b(?:not|no longer) /.test(yes.exec(text)?.[0] ?? "");
    if (!negative && !yes.test(text)) continue;
    // "whether they are active" wants to see the state of each.
    if (/\bwhether (?:or not )?(?:they|it|he|she|each|the \w+)\b/.test(text)) return;
    const word = (negative ? no : yes).exec(text)?.[0] ?? "";
    const own = scan.family(word.replace(/^(?:not|un|in) ?/, ""));
    const columns = [own, ...families.map((family) => scan.family(family))].filter(
      (column) => column !== null,
    );
    for (const column of columns) {
      if (scan.query.filters.some((filter) => filter.column === column)) break;
      const cells = scan.cells(column);
      const numeric =
        cells.length > 0 && cells.every((cell) => parseNumber(cellText(cell)) !== null);
      const value = numeric ? null : truthValue(cells, negative ? falsy : truthy, !negative);
      if (!numeric && value === null) continue;
      if (numeric) add(scan, column, negative ? "lte" : "gt", 0);
      else add(scan, column, "eq", value ?? true);
      dropMentions(scan, column);
      scan.take(negative ? no : yes);
      break;
    }
  }
}

/** The words that told a state ("in stock") are no columns to show. */
function dropMentions(scan: Scan, column: string): void {
  scan.text = scan.text.replace(/col\d+_/g, (token) =>
    scan.column(token) === column &&
    /stock|availab|active|done|complete|open|paid|verified/.test(scan.words(token))
      ? " "
      : token,
  );
}
