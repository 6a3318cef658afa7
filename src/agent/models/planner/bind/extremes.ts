import { cellDate, cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { dateColumns } from "./conditions.ts";
import { ADJECTIVES, type Adjective } from "./lexicon.ts";
import { RANK, rankOf } from "./limit.ts";
import type { Direction, Scan } from "./scan.ts";

const MOST =
  "(?:high|larg|great|bigg|long|strong|tall)est|most|maximum|max|top|best|highest number of|largest number of";
const LEAST =
  "(?:low|small|short|weak)est|least|fewest|minimum|min|worst|lowest number of|smallest number of";
const VALUE_ASKED =
  /\bwhat(?: is|'s| was| are)? (?:the )?(?:val\d+_ )?(?:high|low|larg|small|great|bigg|max|min|most|least)\w*|^(?:the )?(?:max|min)imum\b/;

/** "the cheapest", "the 3 oldest", "highest rating", "with the most reviews", "top 5 by price". */
export function readExtremes(scan: Scan): void {
  const rank = takeRank(scan);
  readExtreme(scan);
  const { extreme } = scan.query;
  if (rank === null || extreme === null) return;
  scan.query.sort = { column: extreme.column, direction: extreme.direction };
  scan.query.limit = { count: rank, from: "start" };
  scan.query.extreme = null;
  scan.query.nth = true;
}

/** "second" in "the second most expensive". */
function takeRank(scan: Scan): number | null {
  const match = scan.take(new RegExp(`\\b${RANK}[ -](?=(?:most|least|best|worst|[a-z]+est)\\b)`));
  return match === null ? null : rankOf(match[1] ?? "1");
}

function readExtreme(scan: Scan): void {
  if (topBy(scan) || genericExtreme(scan) || eventOrder(scan)) return;
  for (const rule of ADJECTIVES) if (adjectiveExtreme(scan, rule)) return;
}

function adjectiveExtreme(scan: Scan, { superlative, comparative, columns }: Adjective): boolean {
  // "Which is cheaper, A or B?" asks for the cheapest of two.
  const chosen = /\b(?:which|who|whose|what|where)\b|val\d+_ ,? ?or /.test(scan.text);
  const than = (chosen ? comparative?.source.replace(/^\\b| than\\b$/g, "") : null) ?? "(?!)";
  const source = `${superlative.source.replace(/^\\b|\\b$/g, "")}|${than}(?! than)`;
  const pattern = new RegExp(
    `\\b(?:(?:top|first|bottom|best) (\\d{1,4}) )?(?:(?:the )?(\\d{1,4}) )?(?:${source})(?: (\\d{1,4})\\b(?! col))?`,
  );
  const match = pattern.exec(scan.text);
  if (match === null || isSaying(scan.text, match)) return false;
  const named = columns.flatMap(([family, direction]) => {
    const column = scan.family(family);
    return column === null ? [] : [{ column, direction }];
  })[0];
  const by = scan.column(
    scan.take(/\b(?:by|in terms of|based on|measured by) (?:the )?(col\d+_)/)?.[1],
  );
  const meant = by === null ? named : { column: by, direction: columns[0]?.[1] ?? "desc" };
  const direction = columns[0]?.[1] ?? "desc";
  const fallback = meant ?? onlyColumn(scan, columns[0]?.[0] ?? "", direction);
  if (fallback === null) {
    scan.query.missing.push(columns[0]?.[0] ?? match[0].trim());
    return false;
  }
  scan.take(pattern);
  apply(scan, fallback.column, fallback.direction, match[1] ?? match[2] ?? match[3]);
  return true;
}

/** "Do your best", "at best", "best ," in a greeting: a superlative that is said of nothing. */
function isSaying(text: string, { index, 0: match }: RegExpExecArray): boolean {
  const word = match.trim().split(" ").at(-1) ?? "";
  if (!/^(?:best|worst|latest|earliest)$/.test(word)) return false;
  const before = text.slice(0, index);
  const after = text.slice(index + match.length);
  if (/\b(?:at(?: the)?|your|my|our|as|try|all the) ?$/.test(before)) return true;
  const bare = /^ ?(?:,|$)/.test(after) || /^ (?:regards|wishes|of luck)\b/.test(after);
  return bare && !/\b(?:is|are|was|were|the|which|who|what|\d+) ?$/.test(before);
}

/** "The largest" of a table with one column of numbers can only mean that. */
function onlyNumber(
  scan: Scan,
  direction: Direction,
): { column: string; direction: Direction } | null {
  const numeric = scan.columns.filter((column) => {
    const cells = scan.cells(column).map(cellText);
    return cells.length > 0 && cells.every((cell) => parseNumber(cell) !== null);
  });
  const only = numeric.length === 1 ? numeric[0] : undefined;
  return only === undefined ? null : { column: only, direction };
}

/** The one column that an adjective can mean where none has its name; an age is told by no other. */
function onlyColumn(
  scan: Scan,
  family: string,
  direction: Direction,
): { column: string; direction: Direction } | null {
  if (family === "age") return null;
  return family === "date" ? onlyDate(scan, direction) : onlyNumber(scan, direction);
}

/** "The latest" can only mean the one column of dates. */
function onlyDate(
  scan: Scan,
  direction: Direction,
): { column: string; direction: Direction } | null {
  const dates = dateColumns(scan);
  const only = dates.length === 1 ? dates[0] : undefined;
  return only === undefined ? null : { column: only, direction };
}

function apply(
  scan: Scan,
  column: string,
  direction: Direction,
  count: string | undefined,
  value = false,
): void {
  scan.query.mentions++;
  const several =
    count ?? scan.take(/\b(?:which|what|the|find|list|show|give me) (\d{1,3})(?= (?!%)[a-z])/)?.[1];
  if (several !== undefined && several !== "1") {
    scan.query.sort = { column, direction };
    scan.query.limit = { count: Number(several), from: "start" };
    return;
  }
  scan.query.extreme = { column, direction, value };
}

/** "top 5 products by price", "the 3 countries with the highest population". */
function topBy(scan: Scan): boolean {
  const match =
    scan.take(
      /\b(top|bottom|first|best|worst|highest|lowest) (\d{1,4}) (?:[\w-]+ ){0,4}?(?:by|in|according to|based on|ranked by|sorted by|in terms of|for|with (?:the )?(?:highest|most|largest|best)) (?:the |their |highest |most )*(col\d+_)/,
    ) ??
    scan.take(
      new RegExp(
        `\\b()(\\d{1,4}) (?:[\\w-]+ ){0,4}?(?:with|by|having|that have) (?:the )?(?:${MOST}) (?:of )?(col\\d+_)`,
      ),
    );
  if (match !== null) {
    const column = scan.column(match[3]);
    if (column === null) return false;
    const up =
      /^(?:bottom|worst|lowest)$/.test(match[1] ?? "") || /\b(?:lowest|ascending)\b/.test(match[0]);
    apply(scan, column, up ? "asc" : "desc", match[2]);
    return true;
  }
  const least = scan.take(
    new RegExp(
      `\\b(\\d{1,4}) (?:[\\w-]+ ){0,4}?(?:with|by|having|that have) (?:the )?(?:${LEAST}) (?:of )?(col\\d+_)`,
    ),
  );
  const column = scan.column(least?.[2]);
  if (column === null) return false;
  apply(scan, column, "asc", least?.[1]);
  return true;
}

function genericExtreme(scan: Scan): boolean {
  // "min and max price" are two figures, no row.
  if (/\bmin/.test(scan.text) && /\bmax/.test(scan.text)) return false;
  const forms: [RegExp, Direction][] = [
    [
      new RegExp(
        `\\b(?:top )?(?:(\\d{1,4}) )?(?:${MOST})(?: (\\d{1,4}))?(?: of| in)?(?: the)? (?:number of |amount of |total |average |overall )?(col\\d+_)(?! (?:expensive|recent))`,
      ),
      "desc",
    ],
    [
      new RegExp(
        `\\b(?:bottom )?(?:(\\d{1,4}) )?(?:${LEAST})(?: (\\d{1,4}))?(?: of)?(?: the)? (?:number of |amount of |total |average |overall )?(col\\d+_)`,
      ),
      "asc",
    ],
    [/\b(?:which|who|what)\b.{0,60}?()()\bmore (col\d+_)(?! than)/, "desc"],
    [/\b(?:which|who|what)\b.{0,60}?()()\b(?:less|fewer) (col\d+_)(?! than)/, "asc"],
    // "Which one costs the most": the column's name is the verb.
    [
      /\b(?:which|who|what|that)\b.{0,60}?()()(col\d+_) (?:the )?most(?: money)?(?= ?(?:$|,|and\b|in\b|on\b|at\b|of\b))/,
      "desc",
    ],
    [
      /\b(?:which|who|what|that)\b.{0,60}?()()(col\d+_) (?:the )?least(?: money)?(?= ?(?:$|,|and\b|in\b|on\b|at\b|of\b))/,
      "asc",
    ],
    [new RegExp(`()()(col\\d+_) (?:is|are) (?:the )?(?:${MOST})\\b`), "desc"],
    [new RegExp(`()()(col\\d+_) (?:is|are) (?:the )?(?:${LEAST})\\b`), "asc"],
  ];
  for (const [pattern, direction] of forms) {
    const match = pattern.exec(scan.text);
    const column = scan.column(match?.[3]);
    if (match === null || column === null) continue;
    if (!hasNumbers(scan, column)) continue;
    if (/\bat (?:most|least)/.test(scan.text.slice(Math.max(0, match.index - 3), match.index + 6)))
      continue;
    scan.take(pattern);
    // The best price is the lowest one, for who pays it.
    const paid = scan.family("price") === column && /\bbest\b/.test(match[0]);
    if (paid) {
      apply(scan, column, "asc", match[1] || match[2] || undefined);
      return true;
    }
    // "The highest price per category" is a figure of each group.
    if (/\b(?:by|per|(?:for|in|of) (?:each|every)|each) (?:the )?col\d+_/.test(scan.text)) {
      scan.query.aggregates.push({ fn: direction === "desc" ? "max" : "min", column });
      return true;
    }
    const asked = VALUE_ASKED.test(scan.mentions.text);
    apply(scan, column, direction, match[1] || match[2] || undefined, asked);
    return true;
  }
  return false;
}

/** "Which branch opened first", "who joined last": the earliest or latest date of what happened. */
function eventOrder(scan: Scan): boolean {
  const pattern =
    /\b(?:which|who|what)\b.{0,60}?(col\d+_) (first|earliest|last|latest|most recently)\b(?! \d)/;
  const match = pattern.exec(scan.text);
  const column = scan.column(match?.[1]);
  if (match === null || column === null) return false;
  if (!scan.cells(column).some((cell) => cellDate(cell) !== null || hasNumbers(scan, column)))
    return false;
  scan.take(/(?<=col\d+_ )(?:first|earliest|last|latest|most recently)\b/);
  apply(scan, column, /^(?:first|earliest)$/.test(match[2] ?? "") ? "asc" : "desc", undefined);
  return true;
}

function hasNumbers(scan: Scan, column: string): boolean {
  return scan
    .cells(column)
    .some((cell) => typeof cell === "number" || /\d/.test(String(cell ?? "")));
}
