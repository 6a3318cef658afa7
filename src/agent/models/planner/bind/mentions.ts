import type { Json } from "../../../../contract/json.ts";
import { singular } from "../language/normalize.ts";
import { type ColumnMatch, findColumn, labelColumn } from "./columns.ts";
import { DEMONYMS, RESERVED } from "./lexicon.ts";
import { pageNames } from "./page-names.ts";
import { isStateWord, namesState } from "./state-words.ts";
import { foldValue, type ValueMention, valueIndex } from "./values.ts";

/** The ask's text with `col0_` for columns and `val0_` for values of cells. */
export interface Mentions {
  text: string;
  columns: number[];
  values: ValueMention[];
  /** How surely each column is meant; the same places as `columns`. */
  strengths: ColumnMatch["strength"][];
  /** The words that each column was named by. */
  words: string[];
  /** What "name" means where no column is called so. */
  label: ColumnMatch | null;
}

const MAX_PHRASE = 5;
/** Columns whose names are words of computing: they are meant only where a column must stand. */
const COMPUTED =
  /^(?:total|sum|count|average|mean|median|min|max|minimum|maximum|number|list|table|row|value|order|page|group|sort|top|first|last|result|data|text|link|item|all|high|low)$/;
const COLUMN_PLACE =
  /(?:\bby|\bper|\beach|\bevery|\bof|\bwhere|\bwhose|\bcolumn|\b(?:high|low|larg|small|great)est|\baverage|\bsum of|\btotal|\band|,|\bthe) (?:the )?$/;

const SUPERLATIVE = /\b(?:best|top|worst|highest|lowest|better|worse)$/;

/** "the founder's name" names the founder, not the name of the row. */
function namesOther(before: string, found: Mentions): boolean {
  const at = / ?col(\d+)_ ?$/.exec(before)?.[1];
  const column = at === undefined ? undefined : found.columns[Number(at)];
  return column !== undefined && found.label !== null && column !== found.label.index;
}

/** Where a name stands for itself: "get total", "what is the count". */
const BARE_PLACE =
  /\b(?:get|extract|return|show|read|report|give me|is|value of|field|key|property)(?: the)?$/;

/** Word list of the text; placeholders and marks are words too. */
function tokens(text: string): string[] {
  return text.split(/\s+/).filter((token) => token !== "");
}

function readString(token: string, strings: readonly string[]): string | null {
  const at = /^str(\d+)_$/.exec(token)?.[1];
  return at === undefined ? null : (strings[Number(at)] ?? null);
}

/** Finds the columns and the cell values that a text names; longer names win over shorter ones. */
export function findMentions(
  text: string,
  columns: readonly string[],
  rows: readonly Json[][],
  strings: readonly string[],
): Mentions {
  const words = tokens(text);
  const values = valueIndex(columns, rows);
  const label: ColumnMatch | null =
    rows.length > 0 ? { index: labelColumn(columns, rows), strength: "family" } : null;
  const found: Mentions = { text: "", columns: [], values: [], strengths: [], words: [], label };
  const out: string[] = [];
  const names = pageNames(words);
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? "";
    const naming = names.has(at) && !values.has(foldValue(word));
    // A column's name in "the tea price list" names the list, and is read by that.
    const taken =
      naming && findColumn(word, columns) !== null
        ? { token: "", length: 1 }
        : takeAt(words, at, out.join(" "), columns, values, strings, found);
    out.push(taken.token);
    at += taken.length;
  }
  return { ...found, text: out.join(" ") };
}

/** "Count all books" is an order, even where something is called "count". */
const ORDERS = /^(?:count|sum|list|order|group|sort|filter|total)$/;
const ORDERED = /^(?:all|the|how|every|each|them|it|up|by)$/;

function takeAt(
  words: string[],
  at: number,
  before: string,
  columns: readonly string[],
  values: Map<string, ValueMention>,
  strings: readonly string[],
  found: Mentions,
): { token: string; length: number } {
  const literal = readString(words[at] ?? "", strings);
  for (let length = Math.min(MAX_PHRASE, words.length - at); length >= 1; length--) {
    const phrase = literal ?? words.slice(at, at + length).join(" ");
    const used = literal === null ? length : 1;
    if (literal === null && /[,;:<>=]|(?:url|blk|str)\d+_|(?:^| )[/×÷+−-](?: |$)/.test(phrase))
      continue;
    const closing = /^(?:,|\.)?$/.test(words[at + length] ?? "");
    if (/^(?:rated|paid|priced|selling|scoring|reviewed)$/.test(phrase) && SUPERLATIVE.test(before))
      break;
    const orders = ORDERS.test(phrase) && ORDERED.test(words[at + length] ?? "");
    const column = orders
      ? null
      : (columnAt(phrase, before, columns, literal !== null, closing) ??
        (/^names?$/.test(phrase) ? found.label : null));
    if (/^names?$/.test(phrase) && namesOther(before, found)) return { token: "", length: used };
    const folded = foldValue(phrase);
    const value = values.get(folded) ?? values.get(DEMONYMS[folded] ?? "");
    if (column !== null && (value === undefined || column.strength === "exact")) {
      found.columns.push(column.index);
      found.strengths.push(column.strength);
      found.words.push(phrase);
      return { token: `col${found.columns.length - 1}_`, length: used };
    }
    const state =
      value !== undefined &&
      isStateWord(phrase) &&
      namesState(phrase, before, ` ${words[at + 1] ?? ""}`);
    if (value !== undefined && (literal !== null || state || !RESERVED.has(phrase))) {
      found.values.push(value);
      return { token: `val${found.values.length - 1}_`, length: used };
    }
    if (literal !== null) break;
  }
  return { token: words[at] ?? "", length: 1 };
}

/** A figure of something that is itself called "total" or "amount". */
const FIGURED =
  /\b(?:average|mean|median|highest|lowest|largest|smallest|maximum|minimum|max|min)\b/;
/** Where "pages" are the pages of a book rather than of a site. */
const COUNTED_PLACE =
  /\b(?:number of|count of|amount of|sum(?: of)?(?: the)?|total|average|mean|median|by|most|fewest|least|than|over|under|above|below|\d+|many|and|,|filter|where|whose|select|keep)$/;

const NO_COLUMN =
  /^(?:the|of|in|and|or|a|an|by|is|are|to|for|from|with|on|at|all|any|each|every|how|many|much|most|more|less|least|than|that|which|what|who|whose|me|my|it|its|their|them|they|this|these|those|there|get|give|show|find|list|tell|page|pages|column|columns|row|rows|table|tables|json|csv|data|where|when|be|do|does|not|no|only|please|have|has|had|you|we|us|i|can|could|would|if|as|per|up|than|then|also|just|first|last|one|see|look|read|open|go|want|need|like|over|under|above|below|between)$/;

function columnAt(
  phrase: string,
  before: string,
  columns: readonly string[],
  quoted: boolean,
  closing: boolean,
): ColumnMatch | null {
  if (
    !quoted &&
    /^(?:the|of|in|and|or|a|an|by|is|are|to|for|from|with|at|how|whose|all) | (?:the|of|in|and|or|is|are|to|for|from|with|at|whose)$/.test(
      phrase,
    )
  ) {
    return phrase === "in stock" || /^(?:date|year|place|country|number|type) of \w+$/.test(phrase)
      ? findColumn(phrase, columns)
      : exactOnly(phrase, columns);
  }
  if (!quoted && NO_COLUMN.test(phrase)) {
    const counted = /^(?:pages|rows|columns|tables)$/.test(phrase) && COUNTED_PLACE.test(before);
    return counted ? exactOnly(phrase, columns) : null;
  }
  const match = findColumn(phrase, columns);
  if (match === null || (quoted && match.strength !== "exact")) return null;
  const alone = closing && match.strength === "exact" && BARE_PLACE.test(before);
  if (
    !quoted &&
    !alone &&
    !(FIGURED.test(before) && match.strength === "exact") &&
    COMPUTED.test(singular(phrase)) &&
    (match.strength !== "exact" || !COLUMN_PLACE.test(before.endsWith(" ") ? before : `${before} `))
  ) {
    return null;
  }
  if (phrase.includes(" ") && match.strength === "part")
    return findColumnWhole(phrase, columns, match);
  return match;
}

function exactOnly(phrase: string, columns: readonly string[]): ColumnMatch | null {
  const match = findColumn(phrase, columns);
  return match?.strength === "exact" ? match : null;
}

/** A phrase of several words names a column by a part only when none of its words is idle. */
function findColumnWhole(
  phrase: string,
  columns: readonly string[],
  match: ColumnMatch,
): ColumnMatch | null {
  return phrase.split(" ").some((word) => NO_COLUMN.test(word) || /\d/.test(word))
    ? exactOnly(phrase, columns)
    : match;
}
