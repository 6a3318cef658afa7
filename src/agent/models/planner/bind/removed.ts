import { singular } from "../language/normalize.ts";
import { add } from "./conditions.ts";
import { isIdle } from "./idle.ts";
import { type Filter, Scan } from "./scan.ts";

const VERB =
  "(?:remov(?:e|ing)|drop(?:ping)?(?! (?:\\S+@|(?:[a-z]+ )?an? (?:[a-z]+ )?(?:note|line|message|mail|email)\\b))|delet(?:e|ing)|discard(?:ing)?|omit(?:ting)?|exclud(?:e|ing)|ignor(?:e|ing)|skip(?:ping)?|forget(?: about)?|filter(?:ing)? out|throw(?:ing)? (?:out|away)|leav(?:e|ing) (?:out|off|away)|tak(?:e|ing) (?:out|away)|get(?:ting)? rid of|kick(?:ing)? out|weed(?:ing)? out|sort(?:ing)? out|cut(?:ting)? out|cross(?:ing)? out|eliminat(?:e|ing)|strip(?:ping)? out|hid(?:e|ing)|do not (?:show|list|include|want|keep|give me|write|need)|no(?:t any)? longer (?:show|list|include))";
/** Where such an order begins: elsewhere "drop" and "skip" are nouns or said of something else. */
const BEGIN =
  "(?:^|, |\\b(?:and|then|but|please|you|also|first|now|to|by|just|should|must|while|after|before) )";
/** Where the words about what is to go end: at the next order. */
const STOP =
  "(?= ,| ?$| (?:and|then|but|before|so that|plus) (?:then |also |please |now )?(?:give|show|list|save|write|export|send|mail|email|tell|count|sum|sort|order|keep|return|hand|put|make|store|print|display|get|add|store|let|download|calculate|compute|answer|report|finally|name|create|present|turn|convert|what|how|leave|merge|combine|provide|output|i |the rest|the others)\\b| (?:to|for) (?:get|give|show|see)\\b)";
const ORDER = new RegExp(`${BEGIN}(${VERB}) (.{1,160}?)${STOP}`);
/** What is to go out of cells or of the table's columns, not of its rows. */
const NOT_ROWS =
  /\b(?:spaces?|white ?space|symbols?|signs?|currency|columns?|fields?|marks?|commas?|punctuation|formatting|html|tags?|headers?|heading)\b/;
const REPEATED =
  /\b(?:duplicates?|duplicated|dupes?|doubles?|doubled|repeat(?:ed|s)|repetitions?)\b|^(?:the )?(?:empty|blank) (?:rows|lines)/;

const OPPOSITES: Partial<Record<Filter["test"], Filter["test"]>> = {
  eq: "ne",
  ne: "eq",
  contains: "not_contains",
  not_contains: "contains",
  empty: "not_empty",
  not_empty: "empty",
  gt: "lte",
  gte: "lt",
  lt: "gte",
  lte: "gt",
};

/** A scan of a part of the text, with conditions of its own. */
function partOf(scan: Scan, text: string): Scan {
  const part = new Scan({ ...scan.mentions, text }, scan.columns, scan.rows, scan.strings);
  part.text = text;
  return part;
}

/**
 * Reads which rows are to go: "drop everybody from Sales", "remove the rows without a date". What is
 * to go, and is not understood, makes the whole unclear: the rest would be the wrong rows.
 */
export function readRemoved(scan: Scan, read: (part: Scan) => void): void {
  for (let at = 0; at < 5; at++) {
    const match = ORDER.exec(scan.text);
    const said = match?.[2] ?? "";
    if (match === null || NOT_ROWS.test(said)) return;
    const pieces = said.split(/ (?:and|or) (?=the |those |all |any )/);
    const rows = pieces.filter((piece) => !REPEATED.test(piece));
    if (rows.length === 0) return;
    if (rows.length < pieces.length) scan.query.distinct = [];
    scan.take(ORDER, ",");
    readGone(scan, rows.join(" and "), read);
  }
}

function readGone(scan: Scan, said: string, read: (part: Scan) => void): void {
  const part = partOf(scan, `the ${said} `);
  read(part);
  const { filters, anyOf, missing } = part.query;
  const [filter, ...others] = filters;
  const [any, ...more] = anyOf;
  if (missing.length > 0 || !isRead(part.text) || others.length + more.length > 0)
    scan.query.unclear = "removed";
  else if (filter !== undefined && any === undefined) keepOthers(scan, filter);
  else if (filter === undefined && any !== undefined && any.said === undefined) {
    for (const value of any.values) add(scan, any.column, "ne", value);
  } else scan.query.unclear = "removed";
}

/** Whether nothing is left of a text but filler and what the rows are called: "the", "types". */
function isRead(text: string): boolean {
  const words = text.split(" ").filter((word) => /^[a-z][\w-]*$/.test(word) && !/\d_$/.test(word));
  return words.every(
    (word) => isIdle(word, true) || isIdle(singular(word), true) || /[a-z]{3}s$/.test(word),
  );
}

function keepOthers(scan: Scan, { column, test, value }: Filter): void {
  const opposite = OPPOSITES[test];
  if (opposite === undefined) scan.query.unclear = "removed";
  else add(scan, column ?? null, opposite, value);
}
