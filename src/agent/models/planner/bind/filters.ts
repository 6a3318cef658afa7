import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { ADJECTIVES } from "./lexicon.ts";
import type { Filter, Scan } from "./scan.ts";

type Order = "gt" | "gte" | "lt" | "lte";

const AMOUNT = String.raw`(\$?-?\d[\d.]*(?:-\d\d(?:-\d\d)?)?%?)`;
const FILL =
  "(?: (?:that|which|who|is|are|was|were|be|being|of|has|have|had|a|an|the|value|values|priced|at|costs?|costing|worth|rated|aged))*";
const UNIT = String.raw`(?: (?:years?(?: old| of age)?|stars?|points?|kg|cm|km|m|units?|pieces?|%|per (?:month|year|hour|unit)|each)\b)?`;

const ORDERS: [Order, string][] = [
  [
    "gte",
    "at least|no less than|not less than|not (?:under|below)|no lower than|a minimum of|minimum(?: of)?|>=|≥|since|from|starting (?:at|from)|greater than or equal to|more than or equal to",
  ],
  [
    "lte",
    "at most|no more than|not more than|not (?:over|above)|no higher than|a maximum of|maximum(?: of)?|<=|≤|up to|until|not exceeding|less than or equal to|lower than or equal to|within",
  ],
  [
    "gt",
    "over|above|more than|greater than|higher than|larger than|bigger than|exceed(?:s|ing)?|beyond|older than|longer than|after|>|upwards of|better than|in excess of|later than|heavier than|taller than",
  ],
  [
    "lt",
    "under|below|less than|lower than|fewer than|smaller than|cheaper than|younger than|beneath|before|<|shorter than|earlier than|lighter than|worse than",
  ],
];
const AFTER: [Order, string][] = [
  [
    "gte",
    "or (?:more|above|higher|over|better|older|greater|up|later|larger)|and (?:more|above|up|higher|over|older|later)|plus|\\+",
  ],
  [
    "lte",
    "or (?:less|below|lower|under|fewer|cheaper|younger|earlier|smaller)|and (?:less|below|under|lower|younger)",
  ],
];

function amount(raw: string): { value: string | number; money: boolean } {
  const money = raw.startsWith("$");
  const text = raw.replace(/^\$/, "").replace(/%$/, "").replace(/\.$/, "");
  return { value: /^-?[\d.]+$/.test(text) ? Number(text) : text, money };
}

function add(scan: Scan, column: string, test: Filter["test"], value?: Filter["value"]): void {
  const filter: Filter = { op: "filter", column, test, ...(value === undefined ? {} : { value }) };
  scan.query.filters.push(filter);
  scan.query.mentions++;
}

/** Columns most of whose cells are numbers. */
function numericColumns(scan: Scan): string[] {
  return scan.columns.filter((column) => {
    const cells = scan.cells(column).filter((cell) => cellText(cell) !== "");
    const numbers = cells.filter((cell) => parseNumber(cellText(cell)) !== null);
    return numbers.length > 0 && numbers.length * 2 >= cells.length;
  });
}

/** The column that is compared: the one named, unless it has nothing that compares ("products under $10"). */
function measured(scan: Scan, named: string | null, money: boolean, at: number): string | null {
  if (named === null) return impliedColumn(scan, money, at);
  const comparable = scan.cells(named).some((cell) => /\d/.test(cellText(cell)));
  return scan.rows.length === 0 || comparable ? named : (impliedColumn(scan, money, at) ?? named);
}

/** The column that a bare comparison ("under $20") speaks of. */
function impliedColumn(scan: Scan, money: boolean, at: number): string | null {
  if (money) return scan.family("price") ?? scan.family("salary") ?? scan.family("revenue");
  const near = [...scan.text.slice(0, at).matchAll(/col\d+_/g)].at(-1)?.[0];
  const numeric = numericColumns(scan);
  const before = scan.column(near);
  if (before !== null && numeric.includes(before)) return before;
  if (numeric.length === 1) return numeric[0] ?? null;
  return numeric.find((column) => column === scan.family("price")) ?? null;
}

function readBetween(scan: Scan): void {
  const range = `(?:between|from|in the range(?: of)?|ranging from) ${AMOUNT} (?:and|to|-|through) ${AMOUNT}`;
  for (const match of scan.takeAll(
    new RegExp(`(?:(col\\d+_)${FILL} )?\\b${range}${UNIT}(?: (?:in )?(col\\d+_))?`),
  )) {
    const low = amount(match[2] ?? "");
    const high = amount(match[3] ?? "");
    const column =
      (/ years?\b/.test(match[0]) ? scan.family("age") : null) ??
      scan.column(match[4]) ??
      measured(scan, scan.column(match[1]), low.money || high.money, match.index);
    if (column === null) continue;
    add(scan, column, "gte", low.value);
    add(scan, column, "lte", high.value);
  }
}

/** "cheaper than $20", "older than 30": the adjective tells the column. */
function readComparatives(scan: Scan): void {
  for (const { comparative, columns } of ADJECTIVES) {
    if (comparative === null) continue;
    const source = comparative.source.replace(/^\\b|\\b$/g, "");
    const pattern = new RegExp(`\\b(not |no )?${source} ${AMOUNT}${UNIT}`);
    for (const match of scan.takeAll(pattern)) {
      const raw = match.at(-1) ?? "";
      const named = columns.flatMap(([family, direction]) => {
        const column = scan.family(family);
        return column === null ? [] : [{ column, direction }];
      })[0];
      if (named === undefined) {
        scan.query.missing.push(columns[0]?.[0] ?? "value");
        continue;
      }
      const less = (named.direction === "asc") !== (match[1] !== undefined);
      const orEqual = match[1] !== undefined;
      add(
        scan,
        named.column,
        less ? (orEqual ? "lte" : "lt") : orEqual ? "gte" : "gt",
        amount(raw).value,
      );
    }
  }
}

function readOrders(scan: Scan): void {
  for (const [test, words] of ORDERS) {
    const cmp = `(?:${words})`;
    for (const match of scan.takeAll(
      new RegExp(`(col\\d+_)${FILL} ?${cmp}${FILL} ?${AMOUNT}${UNIT}`),
    )) {
      const { value, money } = amount(match[2] ?? "");
      const column = measured(scan, scan.column(match[1]), money, match.index);
      if (column !== null) add(scan, column, test, value);
    }
    const strict = test === "gte" ? words.replace("|since|from", "|since") : words;
    for (const match of scan.takeAll(
      new RegExp(`(?<![\\w$])(?:${strict}) (?:a |the )?${AMOUNT} (?:in |of )?(col\\d+_)`),
    )) {
      const column = scan.column(match[2]);
      if (column !== null) add(scan, column, test, amount(match[1] ?? "").value);
    }
  }
  for (const [test, words] of AFTER) {
    for (const match of scan.takeAll(
      new RegExp(
        `(?:(col\\d+_)${FILL} )?${AMOUNT}${UNIT} ?(?:${words})(?=\\s|$)(?: (?:in |of )?(col\\d+_))?`,
      ),
    )) {
      const { value, money } = amount(match[2] ?? "");
      const column =
        scan.column(match[1]) ?? scan.column(match[3]) ?? impliedColumn(scan, money, match.index);
      if (column !== null) add(scan, column, test, value);
    }
  }
  for (const [test, words] of ORDERS) {
    const strict = words.replace("|since|from", "|since");
    const bare = new RegExp(
      `(?<![\\w$])(?:${strict}) (?:a |the )?${AMOUNT}(\\s(?:years?(?: old| of age)?|stars?))?(?! (?:rows|results|pages|items))(?=\\s|$)`,
    );
    for (const match of scan.takeAll(bare)) {
      const { value, money } = amount(match[1] ?? "");
      const unit = match[2] ?? "";
      const family = /year/.test(unit)
        ? scan.family("age")
        : /star/.test(unit)
          ? scan.family("rating")
          : null;
      const year =
        typeof value === "number" &&
        value > 1500 &&
        value < 2200 &&
        /since|after|before|until|from/.test(match[0]);
      const dated = year ? (scan.family("year") ?? scan.family("date")) : null;
      const column = family ?? dated ?? impliedColumn(scan, money, match.index);
      if (column === null) scan.query.missing.push(match[0].trim());
      else add(scan, column, test, value);
    }
  }
}

const NOT = "(not |no longer |never |anything but |other than )?";
const STOP_VALUES =
  "the|a|an|in|on|at|of|to|for|and|or|is|are|it|them|as|by|from|with|highest|lowest|largest|smallest|" +
  "biggest|cheapest|priciest|oldest|youngest|newest|latest|longest|shortest|tallest|best|worst|most|least|" +
  "more|less|higher|lower|cheaper|older|younger|larger|bigger|smaller|empty|missing|blank|given|listed|" +
  "between|what|how|each|every|all|any|please|per|then|sorted|not|col|shown|there|found|that|which|who|" +
  "above|below|over|under|also|available|first|last|its|their|mentioned|on|one|value|only|alphabetical";

/** "country is France", "with status active", "whose city = Berlin", "category: Books". */
function readEquality(scan: Scan): void {
  const named = new RegExp(
    `(?:\\b(?:where|whose|with|when|if|having|has|have|and|or|the) )?(?:the |a )?(col\\d+_)(?: (?:column|field|value))?(?: ?(?:is|are|was|were|=|==|equals?|equal to|matches|being|set to|says|reads|:) ?(?:=|:)? ?${NOT}(?:equal to |set to |in |from |exactly )?(?:the )?| )(val\\d+_)((?: (?:or|,|and) (?:in |from )?(?:the )?val\\d+_)*)`,
  );
  for (const match of scan.takeAll(named)) {
    const column = scan.column(match[1]) ?? "";
    const first = scan.value(match[3]);
    if (first === null) continue;
    const listed = [...(match[4] ?? "").matchAll(/val\d+_/g)].flatMap(
      (more) => scan.value(more[0])?.value ?? [],
    );
    const values = [first.value, ...listed];
    const holds = scan
      .cells(column)
      .some((cell) => cellText(cell).toLowerCase() === first.value.toLowerCase());
    const target = holds ? column : first.column;
    if (match[2] !== undefined) for (const value of values) add(scan, target, "ne", value);
    else if (values.length > 1) anyOf(scan, target, values);
    else add(scan, target, "eq", first.value);
    if (!holds)
      scan.text = `${scan.text.slice(0, match.index)} ${match[1]} ${scan.text.slice(match.index)}`;
  }
  for (const match of scan.takeAll(
    /\b(?:costing|costs?|priced at|selling for|sold for|worth|that cost) (\$\d[\d.]*)(?! (?:or|to|and) )/,
  )) {
    const price = scan.family("price");
    if (price !== null) add(scan, price, "eq", amount(match[1] ?? "").value);
  }
  const numbered = new RegExp(
    `\\b(?:with|where|whose|having|has|of|for) (?:an? |the )?(col\\d+_) (?:of |number |no )?${AMOUNT}(?= |$)`,
  );
  for (const match of scan.takeAll(numbered)) {
    const column = scan.column(match[1]);
    if (column !== null) add(scan, column, "eq", amount(match[2] ?? "").value);
  }
  const literal = new RegExp(
    `(?:\\b(?:where|whose|with|when|if|having|and) )?(?:the |a )?(col\\d+_)(?: column| field)? ?(?:is|are|was|=|==|equals?|equal to|matches|being|set to|:) ?(?:=)? ?${NOT}(?:equal to |set to |in |from |exactly )?(?:the )?(str\\d+_|${AMOUNT}|(?!(?:${STOP_VALUES}|(?:col|val|url)\\d+_)\\b)[a-z][\\w@.-]*)`,
  );
  for (const match of scan.takeAll(literal)) {
    const column = scan.column(match[1]);
    const word = match[3] ?? "";
    if (column === null) continue;
    const raw = match[4] === undefined ? scan.words(word) : amount(word).value;
    add(scan, column, match[2] === undefined ? "eq" : "ne", raw);
  }
}

function anyOf(scan: Scan, column: string, values: string[]): void {
  scan.query.anyOf.push({ column, values });
  scan.query.mentions += values.length;
}

const NEGATED =
  /(?:\bnot|\bexcept(?: for)?|\bexclud(?:e|ing)|\bother than|\bwithout|\bno|\bnon-?|\bbesides|\bapart from|\bignor(?:e|ing)|\bleave out|\bskip(?:ping)?|\bdrop|\bremove|\bomit)(?: (?:from|in|the|any|those|ones|all|rows|with|of|for))* ?$/;

/** Values of cells that stand alone: "in Berlin", "shipped orders", "not in Paris". */
function readValues(scan: Scan): void {
  const positive = new Map<string, string[]>();
  for (;;) {
    const match = /val\d+_/.exec(scan.text);
    if (match === null) break;
    const found = scan.value(match[0]);
    const before = scan.text.slice(0, match.index);
    scan.take(/val\d+_/);
    if (found === null || found.column === "") continue;
    if (NEGATED.test(before)) add(scan, found.column, "ne", found.value);
    else
      positive.set(found.column, [
        ...new Set([...(positive.get(found.column) ?? []), found.value]),
      ]);
  }
  for (const [column, values] of positive) {
    const only = values[0];
    if (values.length === 1 && only !== undefined) add(scan, column, "eq", only);
    else anyOf(scan, column, values);
  }
}

const TEXT_TESTS: [Filter["test"], string][] = [
  [
    "not_contains",
    "(?:does|do|did) not (?:contain|include|mention|have)|not containing|not including|without",
  ],
  ["starts_with", "starts?(?: with)?|starting(?: with)?|begins?(?: with)?|beginning(?: with)?"],
  ["ends_with", "ends? (?:with|in)|ending (?:with|in|on)"],
  [
    "contains",
    "contains?|containing|includes?|including|mentions?|mentioning|matching|matches|that (?:has|have)|(?:with|has|having) (?:the )?(?:word|text|term|phrase|string)",
  ],
];
const SOUGHT = String.raw`(?:the )?(?:letters? |words? |text |term |phrase |string |letter )?(?:of )?(str\d+_|val\d+_|[\w@./&+#-]+(?: (?!(?:in|on|and|or|sorted|as|from|with|to|by|only|please|then|their|its)\b)[\w@./&+#-]+)?)`;

function readTextTests(scan: Scan): void {
  for (const [test, words] of TEXT_TESTS) {
    const named = new RegExp(`(col\\d+_)(?: (?:that|which|column|field))? (?:${words}) ${SOUGHT}`);
    for (const match of scan.takeAll(named)) {
      const column = scan.column(match[1]);
      if (column !== null && !/^col\d/.test(match[2] ?? ""))
        add(scan, column, test, scan.words(match[2] ?? ""));
    }
    const within = new RegExp(
      `(?:\\b(?:that|which|who|whose|with|have|has) )*(?:${words}|with|have|has) ${SOUGHT} (?:in|within|as) (?:the |its |their |his )?(col\\d+_)`,
    );
    if (test === "not_contains" || test === "contains") {
      for (const match of scan.takeAll(within)) {
        const column = scan.column(match[2]);
        if (column !== null) add(scan, column, test, scan.words(match[1] ?? ""));
      }
    }
    if (test === "not_contains" && !/\bnot\b/.test(scan.text)) continue;
    const bare = new RegExp(
      `\\b(?:${test === "not_contains" ? words.replace("|without", "") : words}) ${SOUGHT}`,
    );
    for (const match of scan.takeAll(bare)) {
      const value = scan.words(match[1] ?? "");
      const idle = /^(?:col\d+_|the|a|an|all|both|(?:an? |any |some |the )?rows?)$/;
      if (idle.test(match[1] ?? "") || value === "") continue;
      const only = scan.columns.length === 1 ? scan.columns[0] : undefined;
      const label =
        test === "starts_with" || test === "ends_with" ? (only ?? scan.family("name")) : only;
      if (label) add(scan, label, test, value);
      else scan.query.filters.push({ op: "filter", test, value });
      scan.query.mentions++;
    }
  }
}

function readEmptiness(scan: Scan): void {
  const missing = scan.takeAll(
    /\b(?:without|missing|lacking|with no|have no|has no|(?:do|does) not have|with an? (?:empty|missing|blank)) (?:an? |any |the )?(col\d+_)|(col\d+_) (?:is|are) (?:empty|missing|blank|not given)/,
  );
  for (const match of missing) {
    const column = scan.column(match[1] ?? match[2]);
    if (column !== null) add(scan, column, "empty");
  }
  const present = scan.takeAll(
    /\b(?:that|which|who) (?:have|has) (?:an? |any )(col\d+_)(?! (?:of|over|under|above|below|higher|lower|greater|less|more|at|between|equal|better|that|which|is|from|[<>=\d$]))|(col\d+_) (?:is|are) (?:not (?:empty|missing|blank)|given|present)/,
  );
  for (const match of present) {
    const column = scan.column(match[1] ?? match[2]);
    if (column !== null) add(scan, column, "not_empty");
  }
}

/** States that a row can be in, and the families of the columns that tell. */
const STATES: [RegExp, RegExp, string[], RegExp, RegExp][] = [
  [
    /\b(?:(not|n't|no longer) )?(?:currently )?(?:in stock|available|on stock|obtainable)\b/,
    /\b(?:out of stock|sold out|unavailable|not available)\b/,
    ["stock", "in stock", "availability", "available", "status"],
    /^(?:yes|true|y|in stock|available|✓|✔|1|ja|oui)$/i,
    /^(?:no|false|n|out of stock|sold out|unavailable|✗|✘|x|0|-|none)$/i,
  ],
  [
    /\b(?:(not|no longer) )?(?:active|enabled|open|completed|complete|done|verified|paid|published|approved|finished)\b/,
    /\b(?:inactive|disabled|closed|incomplete|unfinished|unverified|unpaid|unpublished)\b/,
    [
      "active",
      "enabled",
      "open",
      "completed",
      "done",
      "verified",
      "paid",
      "published",
      "approved",
      "status",
    ],
    /^(?:yes|true|y|active|enabled|open|completed?|done|verified|paid|✓|✔|1)$/i,
    /^(?:no|false|n|inactive|disabled|closed|✗|✘|0|-)$/i,
  ],
];

function truthValue(cells: Json[], pattern: RegExp, truth: boolean): Filter["value"] | null {
  if (cells.some((cell) => typeof cell === "boolean")) return truth;
  const found = cells.find((cell) => pattern.test(cellText(cell)));
  return found === undefined ? null : cellText(found);
}

function readStates(scan: Scan): void {
  for (const [yes, no, families, truthy, falsy] of STATES) {
    const text = scan.mentions.text.replace(/(?:col|val)(\d+)_/g, (raw) => scan.words(raw));
    const negative = no.test(text) || /\b(?:not|no longer) /.test(yes.exec(text)?.[0] ?? "");
    if (!negative && !yes.test(text)) continue;
    const word = (negative ? no : yes).exec(text)?.[0] ?? "";
    const own = scan.family(word.replace(/^(?:not|un|in) ?/, ""));
    const columns = [own, ...families.map((family) => scan.family(family))].filter(
      (column) => column !== null,
    );
    for (const column of columns) {
      if (scan.query.filters.some((filter) => filter.column === column)) break;
      const cells = scan.cells(column);
      const numeric =
        cells.length > 0 && cells.every((cell) => parseNumber(cellText(cell)) !== null);
      const value = numeric ? null : truthValue(cells, negative ? falsy : truthy, !negative);
      if (!numeric && value === null) continue;
      if (numeric) add(scan, column, negative ? "lte" : "gt", 0);
      else add(scan, column, "eq", value ?? true);
      dropMentions(scan, column);
      scan.take(negative ? no : yes);
      break;
    }
  }
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

/** Reads which rows are meant. */
export function readFilters(scan: Scan): void {
  // "the Kitchen category": the column only says what the value is.
  scan.text = scan.text.replace(/(val\d+_) (col\d+_)/g, (raw, value: string, column: string) =>
    scan.value(value)?.column === scan.column(column) ? value : raw,
  );
  readBetween(scan);
  readComparatives(scan);
  readEmptiness(scan);
  readOrders(scan);
  readEquality(scan);
  readTextTests(scan);
  readValues(scan);
  readStates(scan);
}
