import type { Scan } from "./scan.ts";

const RANKS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];
/** An ordinal past the first, in a pattern. */
export const RANK = `(${RANKS.slice(1).join("|")}|\\d{1,3}(?:st|nd|rd|th))`;

/** The number of an ordinal: "third" and "3rd" are 3. */
export function rankOf(word: string): number {
  const at = RANKS.indexOf(word);
  return at >= 0 ? at + 1 : Number.parseInt(word, 10);
}

/** "first 3", "top 5", "last two rows", "limit to 10", "only 4 results". */
export function readLimit(scan: Scan): void {
  const last = scan
    .takeAll(
      /\b(?:the |only |just )?(last|bottom|final) (\d{1,4})(?= |$)(?! (?:years|days|months|weeks|hours))|\b(?:the |only |just |keep |show |at most the )?(?:first|top|next) (\d{1,4})(?= |$)|\b(?:limit(?:ed)?(?: it| them| this| the \w+| results)?(?: to)?|no more than|at most|up to|max(?:imum)?(?: of)?|only|just) (?:the )?(?:first |top )?(\d{1,4})(?: (?:results?|rows?|items?|entries|records|links?|of them|products?|lines?|names?|people|emails?|headings?)\b| ?$| ,)/,
    )
    .at(-1);
  if (last !== undefined) {
    const from = last[1] === undefined ? "start" : "end";
    scan.query.limit = { count: Number(last[2] ?? last[3] ?? last[4]), from };
    return;
  }
  const nth = scan.take(
    new RegExp(
      `\\b(?:the )?${RANK} (?:row|entry|item|record|link|result|line|one|element|col\\d+_)\\b(?! column)`,
    ),
  );
  if (nth !== null && scan.query.limit === null) {
    scan.query.limit = { count: rankOf(nth[1] ?? "1"), from: "start" };
    scan.query.nth = true;
    return;
  }
  const one = scan.take(
    /\b(?:the )?(first|last) (?:(?:val|col)\d+_|user|employee|customer|order|country|person|book|article|city|sale|entry|invoice|row|item|entry|record|link|result|product|name|email|heading|line|one|user|person|element|price)\b(?! (?:column|name))/,
  );
  if (one !== null && !/s$/.test(one[0])) {
    scan.query.limit = { count: 1, from: one[1] === "last" ? "end" : "start" };
  }
}
