import type { Json } from "../../../../contract/json.ts";
import { singular } from "../language/normalize.ts";
import { familyColumn, labelColumn } from "./columns.ts";
import { readExtremes } from "./extremes.ts";
import { readFigures } from "./figures.ts";
import { readFilters } from "./filters.ts";
import { RESERVED } from "./lexicon.ts";
import { readLimit } from "./limit.ts";
import { findMentions } from "./mentions.ts";
import { readRankedGroups } from "./ranked-groups.ts";
import { type Query, Scan } from "./scan.ts";
import { readSort } from "./sort.ts";

const IDLE_NOUNS =
  /^(?:instead|actually|rather|too|again|now|finally|thanks|whose|where|with|when|having|if|so|but|because|ordered|including|excluding|except|without|between|under|over|above|below|cheapest|highest|lowest|most|the|a|an|all|and|or|of|each|every|its|their|other|any|some|also|both|full|as|to|me|list|table|rows?|values?|columns?|data|products?|items?|users?|people|employees?|customers?|books?|articles?|entries|results?|page|pages|in|for|from|on|sorted|by|with|is|are|then|them|it|only|give|show|get|find|tell|return|extract|collect|respective|corresponding|associated|current|matching|records?|what|which|who|how|much|many|does|do|url|link|links|please|sort|filter|keep|count|order|calculate|compute|those|these|everything|numbers?|details?)$/;

/** Columns asked for beside known ones that the table does not have: "names and weights of …". */
function missingBeside(scan: Scan): string[] {
  const after = [
    ...scan.text.matchAll(
      /col\d+_(?: ,)? (?:and|,) (?:the |their |its )?([a-z][\w-]*)(?= (?:of|for|from|on|in|at)\b| ?,| ?$)/g,
    ),
  ];
  const before = [
    ...scan.text.matchAll(
      /\b(?:get|list|show|extract|find|collect|return|give me|all|the) ([a-z][\w-]*)(?: ,)? and (?:the |their |its )?col\d+_/g,
    ),
  ];
  const named = [
    ...scan.text.matchAll(
      /\bthe ([a-z][\w-]*) column\b|\bcolumns? (?:called |named )?(?:the )?([a-z][\w-]*)\b(?! (?:of|in|from))/g,
    ),
  ];
  return [...after, ...before, ...named]
    .map((match) => match[1] ?? match[2] ?? "")
    .filter(
      (word) =>
        word !== "" &&
        !RESERVED.has(word) &&
        !/^(?:col|val|str)\d+_/.test(word) &&
        !IDLE_NOUNS.test(word) &&
        !IDLE_NOUNS.test(singular(word)),
    );
}

/** The columns to show: those named and not used otherwise. */
function readSelection(scan: Scan): void {
  const { query } = scan;
  if (query.select.length > 0) return;
  const label = scan.columns[labelColumn(scan.columns, scan.rows)];
  const named = [...scan.text.matchAll(/col(\d+)_/g)].map((match) => Number(match[1]));
  const used = [...query.groupBy, ...query.aggregates.map((one) => one.column)];
  const wanted = named.flatMap((at) => {
    const column = scan.column(`col${at}_`);
    const word = scan.mentions.words[at] ?? "";
    if (column === null) return [];
    // "products" for a column Product names the rows, not a column to keep.
    const rowNoun =
      scan.rows.length > 1 &&
      column === label &&
      !/^(?:names?|titles?|labels?|headlines?)$/.test(word);
    return [{ column, rowNoun, used: used.includes(column) }];
  });
  const projected = wanted.filter((one) => !one.rowNoun && !one.used);
  query.called = wanted.find((one) => one.rowNoun)?.column ?? null;
  if (projected.length === 0) return;
  const columns = new Set(
    wanted.filter((one) => !one.used || !one.rowNoun).map((one) => one.column),
  );
  // The name comes first, wherever the ask has it.
  query.select = [...columns].sort(
    (left, right) => Number(right === label) - Number(left === label),
  );
}

/** Questions whose first words stand for a column: "how old" asks for an age. */
const QUESTIONS: [RegExp, string][] = [
  [/\bhow old\b/, "age"],
  [/\bwho (?:wrote|writes|has written|is the author of)\b/, "author"],
  [
    /\bhow many (?:people|inhabitants|residents|citizens)(?: \w+)? (?:live|lives|living|are there)\b/,
    "population",
  ],
  [/\bhow much (?:does|do|did|would|will)\b(?=.* costs?\b)/, "price"],
  [/\bhow (?:much|expensive) (?:is|are)\b(?!.*\b(?:total|together)\b)/, "price"],
  [/\bhow (?:tall|high) (?:is|are)\b/, "height"],
  [/\bhow heavy (?:is|are)\b/, "weight"],
  [/\bhow long (?:is|are|does|do)\b/, "length"],
  [/\bhow (?:big|large) (?:is|are)\b/, "area"],
  [/\bhow (?:good|well rated) (?:is|are)\b/, "rating"],
  [/\b(?:how much (?:does|do)(?=.* (?:earn|make|paid)\b)|what (?:does|do)(?=.* earn\b))/, "salary"],
  [
    /\bwhere (?:(?:does|do|is|are) )?(?:it|they|each|he|she|the \w+|this)? ?(?:comes?|came) from\b/,
    "origin",
  ],
  [/\bwhere (?:does|do|is|are)\b/, "city"],
  [/\bwhen (?:was|were|is|are|did)\b/, "date"],
];

/** Puts the column's name in the place of the question that means it, where the table has one. */
function askedColumns(text: string, columns: readonly string[]): string {
  for (const [question, family] of QUESTIONS) {
    if (!question.test(text)) continue;
    const found = [
      family,
      ...(family === "city" ? ["location"] : family === "date" ? ["year"] : []),
    ]
      .map((name) => familyColumn(name, columns))
      .find((index) => index !== null);
    const column = found === undefined || found === null ? undefined : columns[found];
    if (column !== undefined) {
      const verb = /\b(?:cost|costs|earns?|makes?|paid|live|lives|work|works)\b/;
      return text.replace(question, ` ${column.toLowerCase()} `).replace(verb, " ");
    }
  }
  return text;
}

/** "Is the Red Lamp in stock?": the row is looked up, and its state shown rather than asked of it. */
function readYesNo(scan: Scan): void {
  const { query } = scan;
  const label = scan.columns[labelColumn(scan.columns, scan.rows)];
  const named = query.filters.filter((filter) => filter.column === label && filter.test === "eq");
  const states = query.filters.flatMap((filter) =>
    filter.column === label ? [] : (filter.column ?? []),
  );
  if (label === undefined || named.length !== 1 || states.length === 0) return;
  query.filters = named;
  query.select = [...new Set(states)];
}

/**
 * Understands an ask in the light of a table: which rows, in what order, which columns, which figures.
 * `strings` are the quoted strings of the prompt.
 */
export function readQuery(
  text: string,
  columns: readonly string[],
  rows: readonly Json[][],
  strings: readonly string[],
): Query {
  const mentions = findMentions(askedColumns(text, columns), columns, rows, strings);
  const scan = new Scan(mentions, columns, rows, strings);
  readSort(scan);
  const ranked = readRankedGroups(scan);
  readFilters(scan);
  scan.query.either =
    scan.query.filters.length > 1 && /\bor\b/.test(scan.text) && !/\bor not\b/.test(scan.text);
  if (!ranked) {
    readExtremes(scan);
    readFigures(scan);
  }
  readLimit(scan);
  if (scan.query.every === null) readSelection(scan);
  const { query } = scan;
  if (query.distinct?.length === 0) query.distinct = query.select;
  if (/(?:^|, |\bif |\bwhether )(?:is|are|was|does|do|has|have) /.test(text)) readYesNo(scan);
  query.missing = [...new Set([...query.missing, ...missingBeside(scan)])];
  const named = new Set(mentions.columns).size;
  const counted = Math.max(query.mentions, named + mentions.values.length);
  return { ...query, mentions: counted, left: scan.text };
}

/** Whether a query does anything to the rows. */
export function isOperative(query: Query): boolean {
  return (
    query.filters.length > 0 ||
    query.anyOf.length > 0 ||
    query.distinct !== null ||
    query.groupBy.length > 0 ||
    query.aggregates.length > 0 ||
    query.sort !== null ||
    query.limit !== null ||
    query.extreme !== null ||
    query.every !== null ||
    query.count
  );
}
