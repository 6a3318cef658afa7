import type { Reading } from "../language/reading.ts";

/** How the rows of a workbook are laid on sheets, beyond one for each page. */
export interface SheetOrder {
  /** The names that pages' sheets get. */
  names: { url: string; name: string }[];
  /** The column whose every value gets a sheet of its own. */
  by: string | null;
}

const NAME = String.raw`(str\d+_|[\p{L}\p{N}][\p{L}\p{N}&-]{0,30})`;
const A_SHEET = String.raw`(?:(?:an?|the|one|another|its)\s+)?(?:separate\s+|own\s+)?(?:sheets?|tabs?|worksheets?)`;
const THE_ROWS = String.raw`(?:(?:the\s+)?(?:tables?|data|rows|list|contents?)\s+(?:of|from|on|at)\s+)?`;
/** "a sheet Teas from url0_", "sheet "Team" with the table of url1_". */
const SHEET_FROM = new RegExp(
  String.raw`(?:\bwith\s+|\bone\s+)?\b${A_SHEET}\s+(?:called\s+|named\s+)?${NAME}\s*[:(]?\s*(?:from|of|with|for|containing|holding)\s+${THE_ROWS}(url\d+_)\s*\)?`,
  "iu",
);
/** "… and Team (from url1_)", behind another sheet. */
const ALSO_FROM = new RegExp(
  String.raw`(?:,|\band)\s*${NAME}\s*\(?\s*from\s+${THE_ROWS}(url\d+_)\s*\)?`,
  "iu",
);
/** "url0_ on "Invoices"", "url1_ on a sheet called Team". */
const ON_SHEET = new RegExp(
  String.raw`(url\d+_)\s+(?:on|in|into|onto|as|to)\s+(?:${A_SHEET}\s+(?:called\s+|named\s+)?${NAME}|(?:the\s+)?(str\d+_)(?:\s+(?:sheet|tab|worksheet))?)`,
  "iu",
);
/** "with two sheets", where the sheets themselves are told of elsewhere. */
export const SOME_SHEETS =
  /,?\s*\b(?:with|in|on|of|having)\s+(?:(?:one|two|three|four|five|\d{1,2}|several|separate|different|multiple)\s+)+(?:sheets|tabs|worksheets)\b(?:\s*:)?|,?\s*\bone\s+(?:sheet|tab|worksheet)\s+each\b|,?\s*\beach\s+(?:on|in)\s+(?:its|an?)\s+own\s+(?:sheet|tab|worksheet)\b/i;
const THING = String.raw`(?!(?:the|of|a|one)\b)([\p{L}][\p{L}-]{1,30})`;
/** "one sheet per status", "a tab for each day". */
const PER_VALUE = new RegExp(
  String.raw`,?\s*(?:\b(?:with|using|and|in|on|into|having)\s+)?\b(?:one|an?|separate|own|different)\s+(?:separate\s+|own\s+)?(?:sheets?|tabs?|worksheets?)\s+(?:per|for each|for every|by)\s+${THING}\b`,
  "iu",
);
/** "split … by status into separate sheets". */
const SPLIT_BY = new RegExp(
  String.raw`\b(?:split|divide|group|break|separate)(\s+(?:up\s+)?[^;]*?)\s+by\s+(?:the\s+)?${THING}(?:\s+column)?\s+(?:(?:in|into|onto|on|over|across)\s+)?(?:(?:its|their|separate|different|own|several|one)\s+)*(?:sheets?|tabs?|worksheets?)\b`,
  "iu",
);

function spelled(name: string, { strings }: Reading): string {
  return name.replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "").trim();
}

/** Takes the sheets out that a sentence names, with the pages that they are from. */
export function takeSheetNames(
  raw: string,
  reading: Reading,
): { raw: string; names: SheetOrder["names"] } {
  const names: SheetOrder["names"] = [];
  let rest = raw;
  const take = (match: RegExpExecArray, name: string, token: string): void => {
    const url = reading.addresses[Number(/\d+/.exec(token)?.[0] ?? -1)];
    if (url !== undefined) names.push({ url, name: spelled(name, reading) });
    rest = rest.replace(match[0], ` , ${token} `);
  };
  for (let tries = 0; tries < 20; tries++) {
    const from = SHEET_FROM.exec(rest) ?? (names.length > 0 ? ALSO_FROM.exec(rest) : null);
    const on = from === null ? ON_SHEET.exec(rest) : null;
    if (from !== null) take(from, from[1] ?? "", from[2] ?? "");
    else if (on !== null) take(on, on[2] ?? on[3] ?? "", on[1] ?? "");
    else break;
  }
  return { raw: rest, names };
}

/** Takes the column out by whose values the rows are laid on sheets; `pages` tells that each page has one. */
export function takeSplit(raw: string, pages: boolean): { raw: string; by: string | null } {
  const split = SPLIT_BY.exec(raw);
  if (split !== null) {
    return { raw: raw.replace(split[0], ` list ${split[1]} `), by: (split[2] ?? "").toLowerCase() };
  }
  const per = pages ? null : PER_VALUE.exec(raw);
  if (per === null) return { raw, by: null };
  return { raw: raw.replace(per[0], " "), by: (per[1] ?? "").toLowerCase() };
}
