import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { ADJECTIVES, type Adjective } from "./lexicon.ts";
import { FIGURE, type Scan } from "./scan.ts";

type Direction = "asc" | "desc";

const DOWN =
  /\b(?:descending(?:ly)?|desc|decreasing|declining|high(?:est)?(?: price| prices| value| values)? (?:to|-|→) low(?:est)?|larg(?:e|est) (?:to|-) small(?:est)?|big(?:gest)? (?:to|-) small(?:est)?|most (?:to|-) (?:least|fewest)|best (?:to|-) worst|new(?:est)? (?:to|-) old(?:est)?|z ?(?:to|-) ?a|revers(?:e|ed)(?: order| alphabetical(?:ly)?)?|(?:highest|largest|biggest|greatest|most|best|newest|latest|most recent|longest|top|highest values?|most expensive)(?: ones?)?(?: on top| at the top|,? first)|from (?:the )?(?:top|highest|most|largest|biggest|best|high)|most expensive to (?:the )?(?:cheapest|least expensive)|expensive to cheap)\b/;
const UP =
  /\b(?:ascending(?:ly)?|asc|increasing|rising|low(?:est)?(?: price| prices| value| values)? (?:to|-|→) high(?:est)?|small(?:est)? (?:to|-) (?:larg|bigg|big)(?:e|est)?|least (?:to|-) most|worst (?:to|-) best|old(?:est)? (?:to|-) new(?:est)?|a ?(?:to|-) ?z|alphabetical(?:ly)?(?: order)?|(?:lowest|smallest|least|fewest|worst|oldest|earliest|shortest|cheapest)(?: ones?)?(?: on top| at the top|,? first)|from (?:the )?(?:lowest|smallest|least|cheapest|low|bottom)|cheap(?:est)? to (?:the )?(?:most )?expensive)\b/;
const SORT =
  /\b(?:sort|sorted|sorting|order(?!s)|ordered|ordering|rank|ranked|ranking|arrange|arranged|organi[sz]e|organi[sz]ed)\b/;

function takeDirection(scan: Scan): Direction | null {
  const down = DOWN.exec(scan.text);
  const up = UP.exec(scan.text);
  if (down === null && up === null) return null;
  scan.take(down === null ? UP : DOWN);
  if (down !== null && up !== null && /alphabetical/.test(up[0])) scan.take(UP);
  return down === null ? "asc" : "desc";
}

/** "by age, oldest first": what the adjective means for this column. */
function adjectiveDirection(scan: Scan, column: string): Direction | null {
  for (const { superlative, columns } of ADJECTIVES) {
    const first = new RegExp(`(?:${superlative.source})(?: ones?)?,? first\\b`);
    if (!first.test(scan.text)) continue;
    const named = columns.find(([family]) => scan.family(family) === column);
    if (named === undefined) continue;
    scan.take(first);
    return named[1];
  }
  return null;
}

/** "cheapest first", "oldest first", "from cheapest to most expensive": an order without a column. */
function adjectiveOrder(scan: Scan): boolean {
  for (const { superlative, columns } of ADJECTIVES) {
    const source = superlative.source.replace(/^\\b|\\b$/g, "");
    const first = new RegExp(
      `\\b(?:(?:from|with|by) )?(?:the )?(?:${source})(?: ones?| items?| products?| rows?| entries)?(?: (?:come |listed |shown )?(?:first|on top|at the top)| to (?:the )?(?:most|least|priciest|cheapest|newest|oldest|smallest|largest|biggest|youngest|shortest|longest|worst|best|lightest|heaviest)\\b(?: \\w+)?)`,
    );
    if (!first.test(scan.text)) continue;
    const named = columns.flatMap(([family, direction]) => {
      const column = scan.family(family);
      return column === null ? [] : [{ column, direction }];
    })[0];
    if (named === undefined) continue;
    scan.take(first);
    scan.query.sort = named;
    return true;
  }
  return false;
}

/** Reads how the rows are to be sorted; the last order that is named wins. */
export function readSort(scan: Scan): void {
  const byFigure = scan.take(
    new RegExp(
      `${SORT.source}(?: (?!by)[\\w,-]+){0,6}? by (?:it|that|this|the (?:sum|totals?|count|counts|average|mean|result|results|number|figure|amount))(?= |$)(?! of)(?! col)`,
    ),
  );
  if (byFigure !== null) {
    scan.query.sort = { column: FIGURE, direction: takeDirection(scan) ?? "desc" };
    return;
  }
  const byColumn = scan.takeAll(
    new RegExp(
      `${SORT.source}(?: (?!by)[\\w,-]+){0,6}? (?:by|on|according to|in order of|based on) (?:(?:the|its|their|descending|ascending|decreasing|increasing|desc|asc|column) )*(col\\d+_)(?: column| value)?(?: ,?(?:and |then )?(?:then )?by (?:the )?(col\\d+_))?`,
    ),
  );
  const last = byColumn.at(-1);
  const column = scan.column(last?.[1]);
  if (column !== null) {
    const inside =
      DOWN.test(last?.[0] ?? "") || /\b(?:desc|descending|decreasing)\b/.test(last?.[0] ?? "");
    const direction = inside
      ? "desc"
      : (adjectiveDirection(scan, column) ?? takeDirection(scan) ?? impliedDirection(scan));
    scan.query.sort = { column, direction };
    scan.query.mentions++;
    return;
  }
  if (adjectiveOrder(scan)) {
    scan.take(SORT);
    return;
  }
  const inOrder = scan.take(
    /\bin (?:(descending|ascending|decreasing|increasing|reverse) )?order (?:of|by) (?:the |their )?(col\d+_)|\bby (descending|ascending|decreasing|increasing) (?:order of )?(col\d+_)|\b(col\d+_) (?:in )?(descending|ascending|decreasing|increasing)\b(?: order)?/,
  );
  const ordered = scan.column(inOrder?.[2] ?? inOrder?.[4] ?? inOrder?.[5]);
  if (ordered !== null) {
    const word = inOrder?.[1] ?? inOrder?.[3] ?? inOrder?.[6] ?? "";
    scan.query.sort = {
      column: ordered,
      direction: /^(?:desc|decr|rev)/.test(word) ? "desc" : "asc",
    };
    return;
  }
  if (
    /\b(?:highest|largest|biggest|greatest|most|top|lowest|smallest|fewest|least)(?: ones?| values?)?,? first\b|\b(?:high(?:est)? to low(?:est)?|low(?:est)? to high(?:est)?)\b/.test(
      scan.text,
    ) &&
    !SORT.test(scan.text)
  ) {
    scan.query.sort = { column: FIGURE, direction: takeDirection(scan) ?? "desc" };
    return;
  }
  unnamedSort(scan);
}

/** With no word for it, "rank by" means the most first; "sort by" means from the least. */
function impliedDirection(scan: Scan): Direction {
  return /\brank/.test(scan.mentions.text) || /\btop \d/.test(scan.text) ? "desc" : "asc";
}

const NO_NAME =
  "(?:it|them|this|that|these|those|ascending|descending|alphabetically|the|by|in|and|from|as|to|order|result|results|list|rows|table|everything|all|first|value|values|number|numbers|so|name)";

/** An order whose column is not named, or is named and not there. */
function unnamedSort(scan: Scan): void {
  const alphabetical = /\balphabetical/.test(scan.text);
  const sorts = new RegExp(
    `${SORT.source.replace("|order(?!s)", "")}|\\bin (?:alphabetical|ascending|descending|reverse|increasing|decreasing) order\\b|\\border (?:it|them|by|the)\\b`,
  ).test(scan.text);
  if (!sorts && !alphabetical) return;
  const unknown = new RegExp(
    `(?:sort|order|rank|arrange)(?:ed|ing)?(?: [\\w,-]+){0,5}? by (?:the |their )?(?!${NO_NAME}\\b)([a-z][\\w-]*)`,
  ).exec(scan.text);
  const direction = takeDirection(scan);
  const only = scan.columns.length === 1 ? scan.columns[0] : undefined;
  if (unknown?.[1] !== undefined && only === undefined && !/^(?:alphabet|size)/.test(unknown[1])) {
    scan.query.missing.push(unknown[1]);
    return;
  }
  const label =
    only ?? (alphabetical ? scan.family("name") : null) ?? numericOrFirst(scan, alphabetical);
  if (label === null || label === undefined) return;
  scan.take(SORT);
  scan.query.sort = { column: label, direction: direction ?? "asc" };
}

function numericOrFirst(scan: Scan, alphabetical: boolean): string | null {
  const text = scan.columns.find((column) =>
    scan.cells(column).some((cell) => typeof cell === "string" && /[a-z]{2}/i.test(cell)),
  );
  return (alphabetical ? text : undefined) ?? scan.family("name") ?? scan.columns[0] ?? null;
}

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
const RANK = `(${RANKS.slice(1).join("|")}|\\d{1,3}(?:st|nd|rd|th))`;

function rankOf(word: string): number {
  const at = RANKS.indexOf(word);
  return at >= 0 ? at + 1 : Number.parseInt(word, 10);
}

/** "second" in "the second most expensive". */
function takeRank(scan: Scan): number | null {
  const match = scan.take(new RegExp(`\\b${RANK}[ -](?=(?:most|least|best|worst|[a-z]+est)\\b)`));
  return match === null ? null : rankOf(match[1] ?? "1");
}

function readExtreme(scan: Scan): void {
  if (topBy(scan) || genericExtreme(scan)) return;
  for (const rule of ADJECTIVES) if (adjectiveExtreme(scan, rule)) return;
}

function adjectiveExtreme(scan: Scan, { superlative, comparative, columns }: Adjective): boolean {
  // "Which is cheaper, A or B?" asks for the cheapest of two.
  const than = comparative?.source.replace(/^\\b| than\\b$/g, "") ?? "(?!)";
  const source = `${superlative.source.replace(/^\\b|\\b$/g, "")}|${than}(?! than)`;
  const pattern = new RegExp(
    `\\b(?:(?:top|first|bottom|best) (\\d{1,4}) )?(?:(?:the )?(\\d{1,4}) )?(?:${source})(?: (\\d{1,4})\\b(?! col))?`,
  );
  const match = pattern.exec(scan.text);
  if (match === null) return false;
  const named = columns.flatMap(([family, direction]) => {
    const column = scan.family(family);
    return column === null ? [] : [{ column, direction }];
  })[0];
  const fallback = named ?? onlyNumber(scan, columns[0]?.[1] ?? "desc");
  if (fallback === null) {
    scan.query.missing.push(columns[0]?.[0] ?? match[0].trim());
    return false;
  }
  scan.take(pattern);
  apply(scan, fallback.column, fallback.direction, match[1] ?? match[2] ?? match[3]);
  return true;
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

function apply(
  scan: Scan,
  column: string,
  direction: Direction,
  count: string | undefined,
  value = false,
): void {
  scan.query.mentions++;
  if (count === undefined || count === "1") {
    scan.query.extreme = { column, direction, value };
    return;
  }
  scan.query.sort = { column, direction };
  scan.query.limit = { count: Number(count), from: "start" };
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
        `\\b(?:top )?(?:(\\d{1,4}) )?(?:${MOST})(?: (\\d{1,4}))?(?: of)?(?: the)? (?:number of |amount of |total |average |overall )?(col\\d+_)(?! (?:expensive|recent))`,
      ),
      "desc",
    ],
    [
      new RegExp(
        `\\b(?:bottom )?(?:(\\d{1,4}) )?(?:${LEAST})(?: (\\d{1,4}))?(?: of)?(?: the)? (?:number of |amount of |total |average |overall )?(col\\d+_)`,
      ),
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
    const asked = VALUE_ASKED.test(scan.mentions.text);
    apply(scan, column, direction, match[1] || match[2] || undefined, asked);
    return true;
  }
  return false;
}

function hasNumbers(scan: Scan, column: string): boolean {
  return scan
    .cells(column)
    .some((cell) => typeof cell === "number" || /\d/.test(String(cell ?? "")));
}

/** "first 3", "top 5", "last two rows", "limit to 10", "only 4 results". */
export function readLimit(scan: Scan): void {
  const last = scan
    .takeAll(
      /\b(?:the |only |just )?(last|bottom|final) (\d{1,4})(?= |$)(?! (?:years|days|months|weeks|hours))|\b(?:the |only |just |keep |show |at most the )?(?:first|top) (\d{1,4})(?= |$)|\b(?:limit(?:ed)?(?: it| them| this| the \w+| results)?(?: to)?|no more than|at most|up to|max(?:imum)?(?: of)?|only|just) (?:the )?(?:first |top )?(\d{1,4})(?: (?:results?|rows?|items?|entries|records|links?|of them|products?|lines?|names?|people|emails?|headings?)\b| ?$| ,)/,
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
    /\bthe (first|last) (?:(?:val|col)\d+_|row|item|entry|record|link|result|product|name|email|heading|line|one|user|person|element|price)\b(?! (?:column|name))/,
  );
  if (one !== null && !/s$/.test(one[0])) {
    scan.query.limit = { count: 1, from: one[1] === "last" ? "end" : "start" };
  }
}
