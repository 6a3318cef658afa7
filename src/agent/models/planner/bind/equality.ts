import { cellText } from "../../../tools/process-data/values/cells.ts";
import { labelColumn } from "./columns.ts";
import { AMOUNT, add, amount, numericColumns } from "./conditions.ts";
import type { Scan } from "./scan.ts";

const NOT = "(not |no longer |never |anything but |other than )?";
const STOP_VALUES =
  "the|a|an|in|on|at|of|to|for|and|or|is|are|it|them|as|by|from|with|highest|lowest|largest|smallest|" +
  "biggest|cheapest|priciest|oldest|youngest|newest|latest|longest|shortest|tallest|best|worst|most|least|" +
  "more|less|higher|lower|cheaper|older|younger|larger|bigger|smaller|empty|missing|blank|given|listed|" +
  "between|what|how|each|every|all|any|please|per|then|sorted|not|col|shown|there|found|that|which|who|" +
  "above|below|over|under|also|available|first|last|its|their|mentioned|on|one|value|only|alphabetical";

/** "country is France", "with status active", "whose city = Berlin", "category: Books". */
export function readEquality(scan: Scan): void {
  const named = new RegExp(
    `(?:\\b(?:where|whose|with|when|if|having|has|have|and|or|the) )?(?:the |a )?(col\\d+_)(?: (?:column|field|value))?(?: ?(?:is|are|was|were|=|==|equals?|equal to|matches|being|set to|says|reads|:) ?(?:=|:)? ?${NOT}(?:equal to |set to |in |from |exactly )?(?:the )?| )(val\\d+_)((?: (?:or|,|and) (?:in |from )?(?:the )?val\\d+_)*)`,
  );
  for (const match of scan.takeAll(named)) {
    const column = scan.column(match[1]) ?? "";
    const first = scan.value(match[3]);
    if (first === null) continue;
    const listed = [...(match[4] ?? "").matchAll(/val\d+_/g)].flatMap(
      (more) => scan.value(more[0])?.value ?? [],
    );
    const values = [first.value, ...listed];
    const holds = scan
      .cells(column)
      .some((cell) => cellText(cell).toLowerCase() === first.value.toLowerCase());
    const target = holds ? column : first.column;
    if (match[2] !== undefined) for (const value of values) add(scan, target, "ne", value);
    else if (values.length > 1) anyOf(scan, target ?? column, values);
    else add(scan, target, first.listed ? "contains" : "eq", first.value);
    if (!holds && !first.listed)
      scan.text = `${scan.text.slice(0, match.index)} ${match[1]} ${scan.text.slice(match.index)}`;
  }
  readPlainValues(scan);
  readPlaces(scan);
  for (const match of scan.takeAll(
    /\b(?:costing|costs?|priced at|selling for|sold for|worth|that cost) (\$\d[\d.]*)(?! (?:or|to|and) )/,
  )) {
    const price = scan.family("price");
    if (price !== null) add(scan, price, "eq", amount(match[1] ?? "").value);
  }
  const numbered = new RegExp(
    `\\b(?:with|where|whose|having|has|of|for) (?:an? |the )?(col\\d+_) (?:of |number |no )?${AMOUNT}(?= |$)`,
  );
  for (const match of scan.takeAll(numbered)) {
    const column = scan.column(match[1]);
    if (column !== null) add(scan, column, "eq", amount(match[2] ?? "").value);
  }
  const literal = new RegExp(
    `(?:\\b(?:where|whose|with|when|if|having|and) )?(?:the |a )?(col\\d+_)(?: column| field)? ?(?:is|are|was|=|==|equals?|equal to|matches|being|set to|:) ?(?:=)? ?${NOT}(?:equal to |set to |in |from |exactly )?(?:the )?(str\\d+_|${AMOUNT}|(?!(?:${STOP_VALUES}|(?:col|val|url)\\d+_)\\b)[a-z][\\w@.-]*)`,
  );
  for (const match of scan.takeAll(literal)) {
    const column = scan.column(match[1]);
    const word = match[3] ?? "";
    if (column === null) continue;
    if (!comparesWith(scan, column, word)) {
      scan.text = `${scan.text.slice(0, match.index)} ${match[0]} ${scan.text.slice(match.index)}`;
      continue;
    }
    const raw = match[4] === undefined ? scan.words(word) : amount(word).value;
    add(scan, column, match[2] === undefined ? "eq" : "ne", raw);
  }
}

/**
 * Whether a word after "is" may be a value of the column: "products are sold out" says no name of a
 * product, "points are open" no number, "which company is hiring" what it does.
 */
function comparesWith(scan: Scan, column: string, word: string): boolean {
  if (!/^[a-z]/.test(word) || word.startsWith("str")) return true;
  // "Who is the friendliest?" asks for a judgement; no cell says so of itself.
  if (/[a-z]{3}est$/.test(word) && !holdsWord(scan, column, word)) return false;
  const label = column === scan.columns[labelColumn(scan.columns, scan.rows)];
  if (label && scan.columns.length > 1) return false;
  if (numericColumns(scan).includes(column)) return false;
  return holdsWord(scan, column, word) || !/^[a-z]+(?:ing|ed)$/.test(word);
}

function holdsWord(scan: Scan, column: string, word: string): boolean {
  return scan.cells(column).some((cell) => cellText(cell).toLowerCase() === word);
}

/** "With priority low", "low priority": words of orders too, where the column has them as values. */
function readPlainValues(scan: Scan): void {
  for (const pattern of [
    /\b(?:with|of|whose|where|having|has|have|and) (?:an? |the )?(col\d+_) ([a-z][a-z-]{1,30})(?= |$)/,
    /()\b([a-z][a-z-]{1,30}) (col\d+_)/,
  ]) {
    const match = pattern.exec(scan.text);
    const column = scan.column(match?.[1] || match?.[3]);
    const word = match?.[2] ?? "";
    if (match === null || column === null || ORDERING.test(word)) continue;
    const cell = scan
      .cells(column)
      .map(cellText)
      .find((text) => text.toLowerCase() === word);
    if (cell === undefined) continue;
    scan.take(pattern);
    add(scan, column, "eq", cell);
  }
}

/** "Rovers play at home": of the columns that have the name, the one that is said beside it. */
function readPlaces(scan: Scan): void {
  const pattern =
    /(val\d+_) (?:(?:plays?|playing|played|is|are|was|were|appears?|listed|given) )?(?:(?:at|as|in|for|on) )?(?:the )?(col\d+_)(?! (?:is|are|=|val))/;
  const match = pattern.exec(scan.text);
  const found = scan.value(match?.[1]);
  const column = scan.column(match?.[2]);
  if (found === null || found.column !== null || column === null) return;
  if (!scan.cells(column).some((cell) => cellText(cell) === found.value)) return;
  scan.take(pattern);
  add(scan, column, "eq", found.value);
}

const ORDERING = /^(?:first|last|top|all|total|max|min|average)$/;

function anyOf(scan: Scan, column: string, values: string[]): void {
  scan.query.anyOf.push({ column, values });
  scan.query.mentions += values.length;
}

const NEGATED =
  /(?:\bnot|\bno longer|\bnever|\bexcept(?: for)?|\bexclud(?:e|ing)|\bother than|\bwithout|\bno|\bnon-?|\bbesides|\bapart from|\bignor(?:e|ing)|\bleave out|\bskip(?:ping)?|\bdrop|\bremove|\bomit)(?: (?:from|in|the|any|those|ones|all|rows|with|of|for))* ?$/;

/** Values of cells that stand alone: "in Berlin", "shipped orders", "not in Paris". */
export function readValues(scan: Scan): void {
  const positive = new Map<string, string[]>();
  for (;;) {
    const match = /val\d+_/.exec(scan.text);
    if (match === null) break;
    const found = scan.value(match[0]);
    const before = scan.text.slice(0, match.index);
    scan.take(/val\d+_/);
    if (found === null) continue;
    const { column, value, listed } = found;
    if (NEGATED.test(before)) add(scan, column, listed ? "not_contains" : "ne", value);
    else if (column === null) add(scan, null, listed ? "contains" : "eq", value);
    else positive.set(column, [...new Set([...(positive.get(column) ?? []), value])]);
  }
  for (const [column, values] of positive) {
    const only = values[0];
    const listed = scan.cells(column).some(Array.isArray);
    if (values.length > 1) anyOf(scan, column, values);
    else if (only !== undefined) add(scan, column, listed ? "contains" : "eq", only);
  }
}
