import { labelColumn } from "./columns.ts";
import { countHint, readCount } from "./count.ts";
import { isIdle } from "./idle.ts";
import { defaultColumn, namedNumber, numeric } from "./numbers.ts";
import { readRange } from "./range.ts";
import { readRounding } from "./rounding.ts";
import type { AggregateFn, Scan } from "./scan.ts";

const FUNCTIONS: [AggregateFn, string][] = [
  ["average", "average|mean|avg|arithmetic mean|averaged"],
  ["median", "median|middle value"],
  [
    "sum",
    "sum up|sum(?:med)?(?: total)?|grand total|totals?(?! (?:number|count|amount of rows))|add(?:ed|ing)? up|add(?! (?:an?|the|another|new|extra) )(?: together| all)?|combined|altogether|overall (?:cost|price|value)|total up",
  ],
  ["min", "minimum|min"],
  ["max", "maximum|max"],
];
const BETWEEN = String.raw`(?: (?:of|for|up|on|in|from|across|the|all|all of|each|every|their|its|these|those|this|that|values?|numbers?|figures?|column|and|,|or|average|mean|median|sum|total|is|are|what|amount|unit|combined|overall|field|together|everything|here|given|fn_|min|max|minimum|maximum|\d+))*`;

const IDLE =
  /^(?:vs|versus|rows?|values?|numbers?|figures?|all|them|it|they|these|those|this|that|everything|column|columns|the|of|is|are|and|or|per|by|for|each|in|on|at|from|table|data|result|results|list|items?|to|me|please|amount|order|what|given|entries|records|page|you|be|with|above|across|across|together|everything|up|too|as|well|also|only|just|number|count|here|below|then|across|calculate|there|cost|price)$/;

/** "average rating", "sum of the prices", "total", "min and max age". */
function readFunctions(scan: Scan): void {
  for (const [fn, words] of FUNCTIONS) {
    const named = new RegExp(`\\b(?:${words})\\b${BETWEEN} (col\\d+_)`);
    const trailing = new RegExp(`(col\\d+_) (?:column )?(?:${words})\\b`);
    const match = named.exec(scan.text) ?? trailing.exec(scan.text);
    const first = scan.column(match?.[1]);
    const counts = first !== null && numeric(scan).includes(first);
    const column = counts ? first : (namedNumber(scan) ?? summed(scan, first));
    if (
      match !== null &&
      column !== null &&
      (fn === "min" || fn === "max" || numeric(scan).includes(column) || fn === "sum")
    ) {
      // The column stays: "the sum and the average of the prices" names it once for both.
      scan.text = scan.text.replace(new RegExp(`\\b(?:${words})\\b`), "fn_").replace(/ {2,}/g, " ");
      scan.query.aggregates.push({ fn, column });
      scan.query.mentions++;
      continue;
    }
    const bare = new RegExp(
      `\\b(?:${words})\\b(?: (?:of|for|up))?(?: (?:the|all|their|its|these|those|every))*(?: ([a-z][\\w-]*))?(?: ([a-z][\\w-]*))?`,
    ).exec(scan.text);
    if (bare === null) continue;
    if (
      fn === "sum" &&
      /\btotal (?:number|count)|\bin total\b(?!.*\bcost)|\btotal of \d/.test(scan.text) &&
      !/\bsum\b/.test(scan.text)
    )
      continue;
    const unknown = [bare[1], bare[2]].find(
      (word) => word !== undefined && !IDLE.test(word) && !/^(?:col|val|str|url)\d+_$/.test(word),
    );
    const previous = scan.query.aggregates.at(-1)?.column;
    const fallback = previous ?? namedNumber(scan) ?? defaultColumn(scan);
    scan.take(new RegExp(`\\b(?:${words})\\b`));
    if (fallback === null || (unknown !== undefined && fallback === null))
      scan.query.missing.push(unknown ?? fn);
    else if (
      unknown !== undefined &&
      !rowNoun(unknown) &&
      scan.columns.length > 1 &&
      previous === undefined
    )
      scan.query.missing.push(unknown);
    else scan.query.aggregates.push({ fn, column: fallback });
  }
}

/** "The total of the invoices" adds up what they come to, not the column that names them. */
function summed(scan: Scan, named: string | null): string | null {
  const label = scan.columns[labelColumn(scan.columns, scan.rows)];
  return named === label ? (defaultColumn(scan) ?? named) : named;
}

const ROW_NOUNS =
  /^(?:products?|items?|orders?|people|persons?|users?|customers?|employees?|countries|cities|books?|articles?|entries|records?|rows?|sales|offers?|plans?|invoices?|purchases?|expenses?|transactions?|scores?|list|table|inventory|basket|cart|catalogue?|catalog|bill|value|cost|amount|numbers?)$/;

function rowNoun(word: string): boolean {
  return ROW_NOUNS.test(word);
}

const GROUP_HINT =
  /\b(?:how many|count|number|sum|total|average|mean|median|min|max|minimum|maximum|group|cheapest|highest|lowest|most|col\d+_)\b/;

/** "per category", "by country", "for each department", "group by city". */
function readGroups(scan: Scan): void {
  const match =
    scan.take(
      /\b(?:group(?:ed|ing)?(?: \w+){0,4}? by|broken down by|break(?:down| down)(?: \w+){0,2}? by|split by|categori[sz]ed? by|aggregat(?:e|ed)(?: \w+){0,2}? by|distribution (?:of|by)|for (?:each|every)(?: of the| single)?|(?:in|of|from) each|per|each|every) (?:the |different )?(col\d+_)(?: (?:and|,) (?:by )?(?:the )?(col\d+_)(?= ?$| ?,| and))?/,
    ) ??
    (GROUP_HINT.test(scan.text) && scan.query.aggregates.length + countHint(scan) > 0
      ? scan.take(/\bby (?:the )?(col\d+_)(?: (?:and|,) (?:by )?(?:the )?(col\d+_)(?= ?$| ?,))?/)
      : null);
  if (match === null) return;
  const columns = [scan.column(match[1]), scan.column(match[2])].filter(
    (column) => column !== null,
  );
  const forEach =
    /\b(?:each|every)\b/.test(match[0]) &&
    scan.query.aggregates.length === 0 &&
    countHint(scan) === 0;
  const of = /(?:^| )([a-z]{4,}) $/.exec(`${scan.text.slice(0, match.index).trim()} `)?.[1];
  const measured = of !== undefined && !of.endsWith("s") && !isIdle(of, true);
  if (measured && countHint(scan) === 0 && /^(?:per|by)\b/.test(match[0])) {
    scan.query.missing.push(of);
    return;
  }
  const vague = columns.find((column) => isVagueNumber(scan, match[1], column));
  if (vague !== undefined) {
    scan.query.missing.push(scan.words(match[1] ?? ""));
    return;
  }
  if (forEach) {
    scan.text = `${scan.text} ${match[1] ?? ""}`;
    return;
  }
  scan.query.groupBy = columns;
  scan.query.mentions++;
}

/** "Revenue per unit" means no groups of "unit_price": a number named by a part of its name. */
function isVagueNumber(scan: Scan, token: string | undefined, column: string): boolean {
  const at = Number(/\d+/.exec(token ?? "")?.[0] ?? -1);
  return scan.mentions.strengths[at] === "part" && numeric(scan).includes(column);
}

function readDistinct(scan: Scan): void {
  const match = scan.take(
    /\b(?:unique|distinct|different|deduplicated?|dedup(?:e|ed)?|without (?:any )?duplicates?|no duplicates?|remove (?:the |all |any )?duplicates?|duplicate-free|non-?duplicate)\b(?: (?:values? (?:of|in) )?(?:the )?(col\d+_))?/,
  );
  const kinds =
    match ??
    scan.take(
      /\b(?:what|which)(?: kinds? of| types? of| sorts? of)? (?:the )?(col\d+_) (?:exist|are there|are(?= ?,| ?$)|are (?:listed|shown|named|mentioned|available|used|represented|present|offered|covered))\b/,
    );
  if (kinds === null) return;
  const column = scan.column(kinds[1]);
  scan.query.distinct = column === null ? [] : [column];
  if (column !== null) {
    scan.query.select = [column];
    scan.query.mentions++;
  }
}

/** Reads which figures are wanted, over all rows or by group. */
export function readFigures(scan: Scan): void {
  readRounding(scan);
  readRange(scan);
  const together = scan.take(
    /\bhow much (?:do|does|is|are|would|will)? ?(?:it|they|everything|all|the whole \w+|all (?:of )?(?:the |these |them )?\w*|these \w+|the \w+)?(?: \w+)? ?(?:cost|be|come to|worth)? ?(?:all )?(?:in total|altogether|together|combined|in all)\b/,
  );
  const price = together === null ? null : (scan.family("price") ?? defaultColumn(scan));
  if (price !== null) scan.query.aggregates.push({ fn: "sum", column: price });
  readDistinct(scan);
  readGroupedFunctions(scan);
}

/** "… in France and Germany together": the number that was named is added up. */
function readTogether(scan: Scan): void {
  if (scan.query.aggregates.length > 0 || countHint(scan) > 0) return;
  if (!/\b(?:together|in total|altogether|combined|in all)\b/.test(scan.text)) return;
  const columns = [...scan.text.matchAll(/col\d+_/g)].map((match) => scan.column(match[0]));
  const column = columns.find((name) => name !== null && numeric(scan).includes(name));
  if (column) scan.query.aggregates.push({ fn: "sum", column });
}

function readGroupedFunctions(scan: Scan): void {
  const figured = scan.query.aggregates.length > 0;
  if (!figured) readFunctions(scan);
  readTogether(scan);
  readGroups(scan);
  readCount(scan);
  const [sides, ...others] = scan.query.anyOf;
  const against = /\b(?:vs|versus|compared?(?: to| with)?|against|respectively|each)\b/.test(
    scan.text,
  );
  if (
    sides?.said === undefined &&
    sides !== undefined &&
    others.length === 0 &&
    against &&
    scan.query.groupBy.length === 0
  ) {
    scan.query.groupBy = [sides.column];
  }
  if (scan.query.groupBy.length > 0 && scan.query.aggregates.length === 0 && !scan.query.count) {
    const tokens = [...scan.text.matchAll(/col\d+_/g)].map((match) => scan.column(match[0]));
    const column = tokens.find((name) => name !== null && numeric(scan).includes(name));
    const mean = /price|cost|rating|score|age|salary|wage/i.test(column ?? "");
    if (column) scan.query.aggregates.push({ fn: mean ? "average" : "sum", column });
  }
  if (scan.query.groupBy.length > 0 && scan.query.aggregates.length === 0) {
    scan.query.count = false;
    scan.query.aggregates.push({ fn: "count", column: null });
  } else if (scan.query.groupBy.length > 0 && scan.query.count) {
    scan.query.count = false;
    scan.query.aggregates.unshift({ fn: "count", column: null });
  }
}
