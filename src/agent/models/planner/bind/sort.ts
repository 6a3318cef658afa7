import { dateColumns } from "./conditions.ts";
import { ADJECTIVES } from "./lexicon.ts";
import { type Direction, FIGURE, type Scan } from "./scan.ts";

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
  if (pointedSort(scan)) return;
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
      `${SORT.source}(?: (?!by)[\\w,-]+){0,6}? (?:by|on|according to|in order of|based on) (?:(?:the|its|their|descending|ascending|decreasing|increasing|desc|asc|column|number of|amount of|total|publication|release|posting|creation|opening|start) )*(col\\d+_)(?: column| value)?(?: ,?(?:and |then )?(?:then )?by (?:the )?(col\\d+_))?`,
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
  const columnFirst = scan.take(
    /\b(highest|largest|biggest|greatest|most|top|best|newest|latest|longest|lowest|smallest|fewest|least|worst|oldest|earliest|shortest) (?:by )?(col\d+_),? first\b/,
  );
  const leading = scan.column(columnFirst?.[2]);
  if (leading !== null) {
    const up = /^(?:lowest|smallest|fewest|least|worst|oldest|earliest|shortest)$/.test(
      columnFirst?.[1] ?? "",
    );
    scan.query.sort = { column: leading, direction: up ? "asc" : "desc" };
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

/** "By that date": the one column of dates, where no column is called so. */
function pointedSort(scan: Scan): boolean {
  if (!SORT.test(scan.text)) return false;
  const match = scan.take(
    /\bby (?:that|this|the|these|those|their|its) (?:(?:new|converted|resulting|same) )?(date|day|time|column|field)s?\b/,
  );
  if (match === null) return false;
  const [column, ...others] = dateColumns(scan);
  const direction = takeDirection(scan) ?? "asc";
  if (column === undefined || others.length > 0) scan.query.missing.push(match[1] ?? "date");
  else scan.query.sort = { column, direction };
  scan.take(SORT);
  return true;
}

function numericOrFirst(scan: Scan, alphabetical: boolean): string | null {
  const text = scan.columns.find((column) =>
    scan.cells(column).some((cell) => typeof cell === "string" && /[a-z]{2}/i.test(cell)),
  );
  return (alphabetical ? text : undefined) ?? scan.family("name") ?? scan.columns[0] ?? null;
}
