import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { add } from "./conditions.ts";
import { flagValue } from "./flags.ts";
import type { Scan } from "./scan.ts";
import { namesState } from "./state-words.ts";

/** A state that a row is in or not. */
interface State {
  /** The words for it; the first group holds a negation. */
  yes: RegExp;
  /** The words for its opposite. */
  no: RegExp;
  /** The columns that tell it by yes and no, by a number, or by its own words. */
  columns: string[];
  /** The cells that say it in other words than the ask. */
  says: RegExp;
  /** The cells that say its opposite. */
  denies: RegExp;
}

const NOT = "(?:(not|n't|no longer|never) )?(?:yet |currently |fully )?";
/** A state of a word or two: "paid" and "unpaid". Another state's words never stand for it. */
const state = (yes: string, no: string, columns: string): State => ({
  yes: new RegExp(`\\b${NOT}(?:${yes})\\b`),
  no: new RegExp(`\\b(?:${no})\\b`),
  columns: columns.split(" "),
  says: new RegExp(`^(?:${yes})$`, "i"),
  denies: new RegExp(`^(?:${no}|not (?:${yes}))$`, "i"),
});

const STATES: State[] = [
  {
    yes: new RegExp(`\\b${NOT}(?:in stock|available|on stock|obtainable)\\b`),
    no: /\b(?:out of stock|sold[ -]out|unavailable|not available)\b/,
    columns: ["stock", "in stock", "availability", "available", "left", "remaining", "status"],
    says: /^(?:yes|true|y|in stock|available|✓|✔|1|ja|oui)$/i,
    denies: /^(?:no|false|n|out of stock|sold[ -]out|unavailable|✗|✘|x|0|-|none)$/i,
  },
  state("active|enabled", "inactive|disabled", "active enabled status"),
  state("open|opened", "closed", "open status state"),
  state("complete|completed|done|finished", "incomplete|unfinished", "completed done status"),
  state("verified", "unverified", "verified status"),
  state("paid", "unpaid", "paid status"),
  state("published", "unpublished", "published status"),
  state("approved", "unapproved", "approved status"),
];

/** A question of yes or no that ends in the state. */
const ASKED = /(?:^|, |\b(?:if|whether) )(?:is|are|was|were) [^,;]{1,80}$/;

/** Reads states without a column's name: "in stock", "sold out", "active", "unpaid". */
export function readStates(scan: Scan): void {
  // A value of a cell that the ask names is a condition already.
  const text = scan.mentions.text.replace(/col\d+_/g, (raw) => scan.words(raw));
  // "whether they are active" wants to see the state of each.
  if (/\bwhether (?:or not )?(?:they|it|he|she|each|the \w+)\b/.test(text)) return;
  for (const state of STATES) readState(scan, text, state);
}

function readState(scan: Scan, text: string, state: State): void {
  const { yes, no, columns } = state;
  const found = no.exec(text) ?? yes.exec(text);
  if (found === null || !namesState(found[0], text.slice(0, found.index), afterMatch(text, found)))
    return;
  const denied = no.test(text);
  const negative = denied || found[1] !== undefined;
  const word = found[0].replace(/^(?:not|n't|no longer|never|in|un) ?/, "");
  const own = [word, ...columns].map((name) => scan.family(name));
  for (const column of own.filter((name) => name !== null)) {
    if (isConditioned(scan, column)) return;
    if (!addState(scan, column, state, { word: found[0], negative, denied })) continue;
    dropMentions(scan, column);
    scan.take(denied ? no : yes);
    return;
  }
  // "Is the second one closed?" of a column that says "open" or "late": no cell says so.
  const status = scan.family("status");
  if (status === null || negative !== denied || !ASKED.test(text)) return;
  add(scan, status, "eq", found[0].trim());
  scan.take(denied ? no : yes);
}

function afterMatch(text: string, { index, 0: match }: RegExpExecArray): string {
  return text.slice(index + match.length);
}

function isConditioned({ query }: Scan, column: string): boolean {
  return [...query.filters, ...query.anyOf].some((one) => one.column === column);
}

/** How an ask speaks of a state. */
interface Found {
  word: string;
  negative: boolean;
  /** Whether it names the state's opposite rather than its absence. */
  denied: boolean;
}

/** Adds the condition that tells the state in a column; false where the column tells nothing of it. */
function addState(
  scan: Scan,
  column: string,
  { says, denies }: State,
  { word, negative, denied }: Found,
): boolean {
  const cells = scan.cells(column);
  const texts = cells.map(cellText);
  const flag = flagValue(cells, !negative);
  const opposite = denied && !/^(?:un|in(?!active))/.test(word);
  const numeric = texts.length > 0 && texts.every((text) => parseNumber(text) !== null);
  const yes = texts.find((text) => says.test(text));
  const no = texts.find((text) => denies.test(text));
  if (flag !== null) add(scan, column, "eq", flag);
  else if (numeric) add(scan, column, negative ? "lte" : "gt", 0);
  else if (!negative && yes !== undefined) add(scan, column, "eq", yes);
  else if (denied && no !== undefined) add(scan, column, "eq", no);
  // "Unpaid" is whatever is not paid, overdue too; "closed" is more than not being open.
  else if (negative && !opposite && yes !== undefined) add(scan, column, "ne", yes);
  else return false;
  return true;
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
