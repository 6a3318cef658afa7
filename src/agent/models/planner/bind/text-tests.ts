import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { labelColumn } from "./columns.ts";
import { add } from "./conditions.ts";
import type { Filter, Scan } from "./scan.ts";

const TEXT_TESTS: [Filter["test"], string][] = [
  [
    "not_contains",
    "(?:does|do|did) not (?:contain|include|mention|have)|not containing|not including|without",
  ],
  ["starts_with", "starts?(?: with)?|starting(?: with)?|begins?(?: with)?|beginning(?: with)?"],
  ["ends_with", "ends? (?:with|in)|ending (?:with|in|on)"],
  [
    "contains",
    "contains?|containing|includes?|including|mentions?|mentioning|matching|matches|that (?:has|have)|(?:with|has|having) (?:the )?(?:word|text|term|phrase|string)",
  ],
];
const SOUGHT = String.raw`(?!(?:where|that|which|who|whose|between|played|and|then|in|on|at|from|of|by|to|does|do|did|is|are|was|were|will|has|have|with|for)\b)(?!(?:their|its|his|her|the|a|an)? ?col\d)(?:the )?(?:letters? |words? |text |term |phrase |string |letter )?(?:of )?(str\d+_|val\d+_|[\w@./&+#-]+(?: (?!(?:in|on|and|or|sorted|as|from|with|to|by|only|please|then|their|its)\b)[\w@./&+#-]+)?)`;

/** Whether a start or end is looked for in a column that can have it: else any column may. */
function holdsIn(scan: Scan, column: string, test: Filter["test"], value: string): boolean {
  const part = value.toLowerCase();
  const fits = (cell: Json): boolean => {
    const text = cellText(cell).toLowerCase();
    return test === "ends_with" ? text.endsWith(part) : text.startsWith(part);
  };
  const elsewhere = scan.rows.some((row) => row.some(fits));
  return scan.columns.length === 1 || scan.cells(column).some(fits) || !elsewhere;
}

/** Reads "called Databases", "named X": a name that no row may have. */
function readNamed(scan: Scan): void {
  const pattern =
    /\b(?:called|named|titled|entitled) (str\d+_|(?!(?:the|a|an|in|on|at|by|it|col\d|val\d)\b)[a-z][\w-]*)/;
  const label = scan.columns[labelColumn(scan.columns, scan.rows)];
  if (scan.rows.length < 2 || label === undefined) return;
  const match = scan.take(pattern);
  if (match !== null) add(scan, label, "contains", scan.words(match[1] ?? ""));
}

/** Reads tests of text: "containing docs", "starting with K", "with lamp in the name". */
export function readTextTests(scan: Scan): void {
  readNamed(scan);
  for (const [test, words] of TEXT_TESTS) {
    const named = new RegExp(`(col\\d+_)(?: (?:that|which|column|field))? (?:${words}) ${SOUGHT}`);
    for (const match of scan.takeAll(named)) {
      const column = scan.column(match[1]);
      const value = scan.words(match[2] ?? "").replace(/^(?:an?|the) /, "");
      if (column === null || /^col\d/.test(match[2] ?? "")) continue;
      const elsewhere =
        (test === "starts_with" || test === "ends_with") && !holdsIn(scan, column, test, value);
      add(scan, elsewhere ? null : column, test, value);
    }
    const within = new RegExp(
      `(?:\\b(?:that|which|who|whose|with|have|has) )*(?:${words}${test === "contains" ? "|with|have|has" : ""}) ${SOUGHT} (?:in|within|as) (?:the |its |their |his )?(col\\d+_)`,
    );
    if (test === "not_contains" || test === "contains") {
      for (const match of scan.takeAll(within)) {
        const column = scan.column(match[2]);
        if (column !== null) add(scan, column, test, scan.words(match[1] ?? ""));
      }
    }
    if (test === "not_contains" && !/\bnot\b/.test(scan.text)) continue;
    const bare = new RegExp(
      `\\b(?:${test === "not_contains" ? words.replace("|without", "") : words}) ${SOUGHT}`,
    );
    for (const match of scan.takeAll(bare)) {
      const value = scan.words(match[1] ?? "").replace(/^(?:an?|the) /, "");
      const idle = /^(?:col\d+_|the|a|an|all|both|(?:an? |any |some |the )?rows?)$/;
      if (idle.test(match[1] ?? "") || value === "") continue;
      const only = scan.columns.length === 1 ? scan.columns[0] : undefined;
      const label =
        test === "starts_with" || test === "ends_with" ? (only ?? scan.family("name")) : only;
      add(scan, label && holdsIn(scan, label, test, value) ? label : null, test, value);
    }
  }
}

/** The column behind a token; of an object that was spread over several columns, the first of these. */
function filledColumn(scan: Scan, token: string | undefined): string | null {
  const column = scan.column(token);
  const inner = scan.columns.find((name) => column !== null && name.startsWith(`${column}.`));
  return inner ?? column;
}

/** Reads "without an email", "that have a phone". */
export function readEmptiness(scan: Scan): void {
  const missing = scan.takeAll(
    /\b(?:without|missing|lacking|with no|have no|has no|(?:do|does) not have|with an? (?:empty|missing|blank)) (?:an? |any |the )?(col\d+_)|(col\d+_) (?:is|are) (?:empty|missing|blank|not given)/,
  );
  for (const match of missing) {
    const column = filledColumn(scan, match[1] ?? match[2]);
    if (column !== null) add(scan, column, "empty");
  }
  const present = scan.takeAll(
    /\b(?:that|which|who) (?:have|has) (?:an? |any )(col\d+_)(?! (?:of|over|under|above|below|higher|lower|greater|less|more|at|between|equal|better|that|which|is|from|[<>=\d$]))|(col\d+_) (?:is|are) (?:not (?:empty|missing|blank)|given|present)/,
  );
  for (const match of present) {
    const column = filledColumn(scan, match[1] ?? match[2]);
    if (column !== null) add(scan, column, "not_empty");
  }
}
