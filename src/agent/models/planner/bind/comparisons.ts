import { cellDate, cellText } from "../../../tools/process-data/values/cells.ts";
import { AMOUNT, type Amount, add, amount, numericColumns, ROW_NUMBER } from "./conditions.ts";
import { ADJECTIVES } from "./lexicon.ts";
import type { Scan } from "./scan.ts";

type Order = "gt" | "gte" | "lt" | "lte";

const FILL =
  "(?: (?:that|which|who|is|are|was|were|be|being|of|has|have|had|a|an|the|value|values|priced|at|costs?|costing|worth|rated|aged))*";
const UNIT = String.raw`(?: (?:years?(?: old| of age)?|stars?|points?|kg|cm|km|m|units?|pieces?|%|per (?:month|year|hour|unit)|each)\b)?`;

const MEASURES =
  "minutes?|mins?|hours?|days?|weeks?|months?|seconds?|grams?|kg|km|cm|mm|litres?|liters?|ml|calories|kcal|metres?|meters?|miles?|inches|percent|%|gb|mb|tb|watts?|kw|mph|km/h";

const ORDERS: [Order, string][] = [
  [
    "gte",
    "at least|no less than|not less than|not (?:under|below)|no lower than|a minimum of|minimum(?: of)?|>=|≥|since|from|starting (?:at|from)|greater than or equal to|more than or equal to",
  ],
  [
    "lte",
    "at most|no more than|not more than|not (?:over|above)|no higher than|a maximum of|maximum(?: of)?|<=|≤|up to|until|not exceeding|less than or equal to|lower than or equal to|within",
  ],
  [
    "gt",
    "over|above|more than|greater than|higher than|larger than|bigger than|exceed(?:s|ing)?|beyond|older than|longer than|after|>|upwards of|better than|in excess of|later than|heavier than|taller than",
  ],
  [
    "lt",
    "under|below|less than|lower than|fewer than|smaller than|cheaper than|younger than|beneath|before|<|shorter than|earlier than|lighter than|worse than",
  ],
];
const AFTER: [Order, string][] = [
  [
    "gte",
    "or (?:more|above|higher|over|better|older|greater|up|later|larger)|and (?:more|above|up|higher|over|older|later)|plus|\\+",
  ],
  [
    "lte",
    "or (?:less|below|lower|under|fewer|cheaper|younger|earlier|smaller)|and (?:less|below|under|lower|younger)",
  ],
];

/** The column that is compared: the one named, unless it has nothing that compares ("products under $10"). */
function measured(scan: Scan, named: string | null, than: Amount, at: number): string | null {
  if (named === null) return impliedColumn(scan, than, at);
  const comparable = scan
    .cells(named)
    .some((cell) => /\d/.test(cellText(cell)) && cellDate(cell) === null);
  return scan.rows.length === 0 || comparable ? named : (impliedColumn(scan, than, at) ?? named);
}

/** The column whose numbers are written with a unit: "35 minutes". */
function unitColumn(scan: Scan, unit: string): string | null {
  const stem = unit.trim().replace(/s$/, "");
  if (stem.length < 2) return null;
  const written = new RegExp(`\\d ?${stem}`, "i");
  return (
    scan.columns.find((column) =>
      scan.cells(column).some((cell) => written.test(cellText(cell))),
    ) ?? null
  );
}

/** The column that a bare comparison ("under $20") speaks of. */
function impliedColumn(scan: Scan, { value, money }: Amount, at: number): string | null {
  const below = typeof value === "number" && value < 0;
  if (money) return scan.family("price") ?? scan.family("salary") ?? scan.family("revenue");
  const near = [...scan.text.slice(0, at).matchAll(/col\d+_/g)].at(-1)?.[0];
  const numeric = numericColumns(scan).filter((column) => !ROW_NUMBER.test(column));
  const before = scan.column(near);
  if (before !== null && numeric.includes(before)) return before;
  if (numeric.length === 1) return numeric[0] ?? null;
  // Below zero only some columns go at all.
  const going = numeric.filter((column) => scan.cells(column).some((cell) => Number(cell) < 0));
  if (below && going.length === 1) return going[0] ?? null;
  return numeric.find((column) => column === scan.family("price")) ?? null;
}

function readBetween(scan: Scan): void {
  const range = `(?:between|from|in the range(?: of)?|ranging from) ${AMOUNT} (?:and|to|-|through) ${AMOUNT}`;
  for (const match of scan.takeAll(
    new RegExp(`(?:(col\\d+_)${FILL} )?\\b${range}${UNIT}(?: (?:in )?(col\\d+_))?`),
  )) {
    const low = amount(match[2] ?? "");
    const high = amount(match[3] ?? "");
    const column =
      (/ years?\b/.test(match[0]) ? scan.family("age") : null) ??
      scan.column(match[4]) ??
      measured(scan, scan.column(match[1]), low.money ? low : high, match.index);
    if (column === null) continue;
    add(scan, column, "gte", low.value);
    add(scan, column, "lte", high.value);
  }
}

/** "cheaper than $20", "older than 30": the adjective tells the column. */
function readComparatives(scan: Scan): void {
  for (const { comparative, columns } of ADJECTIVES) {
    if (comparative === null) continue;
    const source = comparative.source.replace(/^\\b|\\b$/g, "");
    const pattern = new RegExp(`\\b(not |no )?${source} ${AMOUNT}${UNIT}`);
    for (const match of scan.takeAll(pattern)) {
      const raw = match.at(-1) ?? "";
      const named = columns.flatMap(([family, direction]) => {
        const column = scan.family(family);
        return column === null ? [] : [{ column, direction }];
      })[0];
      if (named === undefined) {
        scan.query.missing.push(match[0].trim());
        continue;
      }
      const less = (named.direction === "asc") !== (match[1] !== undefined);
      const orEqual = match[1] !== undefined;
      add(
        scan,
        named.column,
        less ? (orEqual ? "lte" : "lt") : orEqual ? "gte" : "gt",
        amount(raw).value,
      );
    }
  }
}

function readOrders(scan: Scan): void {
  for (const [test, words] of ORDERS) {
    const cmp = `(?:${words})`;
    for (const match of scan.takeAll(
      new RegExp(`(col\\d+_)${FILL} ?${cmp}${FILL} ?${AMOUNT}${UNIT}`),
    )) {
      const than = amount(match[2] ?? "");
      const column = measured(scan, scan.column(match[1]), than, match.index);
      if (column !== null) add(scan, column, test, than.value);
    }
    const strict = test === "gte" ? words.replace("|since|from", "|since") : words;
    for (const match of scan.takeAll(
      new RegExp(`(?<![\\w$])(?:${strict}) (?:a |the )?${AMOUNT} (?:in |of )?(col\\d+_)`),
    )) {
      const column = scan.column(match[2]);
      if (column !== null) add(scan, column, test, amount(match[1] ?? "").value);
    }
  }
  for (const [test, words] of AFTER) {
    for (const match of scan.takeAll(
      new RegExp(
        `(?:(col\\d+_)${FILL} )?${AMOUNT}${UNIT} ?(?:${words})(?=\\s|$)(?: (?:in |of )?(col\\d+_))?`,
      ),
    )) {
      const than = amount(match[2] ?? "");
      const column =
        scan.column(match[1]) ?? scan.column(match[3]) ?? impliedColumn(scan, than, match.index);
      if (column !== null) add(scan, column, test, than.value);
    }
  }
  for (const [test, words] of ORDERS) {
    const strict = words.replace("|since|from", "|since");
    const bare = new RegExp(
      `(?<![\\w$])(?:${strict}) (?:a |the )?${AMOUNT}(\\s(?:years?(?: old| of age)?|stars?|${MEASURES}))?(?! (?:rows|results|pages|items))(?=\\s|$)`,
    );
    for (const match of scan.takeAll(bare)) {
      const than = amount(match[1] ?? "");
      const { value } = than;
      const unit = match[2] ?? "";
      const family = /year/.test(unit)
        ? scan.family("age")
        : /star/.test(unit)
          ? scan.family("rating")
          : null;
      const year =
        typeof value === "number" &&
        value > 1500 &&
        value < 2200 &&
        /since|after|before|until|from/.test(match[0]);
      const dated = year ? (scan.family("year") ?? scan.family("date")) : null;
      const column =
        unitColumn(scan, unit) ?? family ?? dated ?? impliedColumn(scan, than, match.index);
      if (column === null) scan.query.missing.push(match[0].trim());
      else add(scan, column, test, value);
    }
  }
}

/** Reads comparisons: "over 30", "cheaper than $20", "between 10 and 20", "5 or more". */
export function readComparisons(scan: Scan): void {
  readBetween(scan);
  readComparatives(scan);
  readOrders(scan);
}
