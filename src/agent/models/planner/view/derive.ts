import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { findColumn } from "../bind/columns.ts";
import { findMentions, type Mentions } from "../bind/mentions.ts";
import { inlineSheet, type Sheet } from "./sheets.ts";

type Sign = "×" | "÷" | "−" | "+";

const THE = "(?:the |its |their )*";
/** Arithmetic between two columns; the last rule names them in the other order. */
const RULES: [Sign, RegExp, "asked" | "turned"][] = [
  ["×", new RegExp(`(col\\d+_) (?:times|multiplied (?:by|with)|x|×) ${THE}(col\\d+_)`), "asked"],
  [
    "×",
    new RegExp(`\\bmultipl(?:y|ies|ying) ${THE}(col\\d+_) (?:by|with|and|times) ${THE}(col\\d+_)`),
    "asked",
  ],
  ["×", new RegExp(`\\bproduct of ${THE}(col\\d+_) and ${THE}(col\\d+_)`), "asked"],
  ["÷", new RegExp(`(col\\d+_) (?:divided by|/|÷) ${THE}(col\\d+_)`), "asked"],
  ["÷", /(col\d+_) per (col\d+_)/, "asked"],
  ["÷", new RegExp(`\\bratio of ${THE}(col\\d+_) (?:to|and) ${THE}(col\\d+_)`), "asked"],
  ["−", new RegExp(`(col\\d+_) (?:minus|less|-|−) ${THE}(col\\d+_)`), "asked"],
  [
    "−",
    new RegExp(`\\bdifferences? (?:between|of) ${THE}(col\\d+_) and ${THE}(col\\d+_)`),
    "asked",
  ],
  ["+", new RegExp(`(col\\d+_) (?:plus|\\+) ${THE}(col\\d+_)`), "asked"],
  [
    "+",
    new RegExp(
      `\\bsum of ${THE}(col\\d+_) and ${THE}(col\\d+_)(?= (?:for|of|in|per) (?:each|every))`,
    ),
    "asked",
  ],
  ["−", new RegExp(`\\bsubtract(?:ing)? ${THE}(col\\d+_) from ${THE}(col\\d+_)`), "turned"],
];

/** An ask put in terms of a column that was worked out, with the sheet that has it. */
export interface Derived {
  text: string;
  sheet: Sheet;
  strings: readonly string[];
  /** The new column, or null when the ask wants no arithmetic between columns. */
  column: string | null;
}

function calculated(sign: Sign, left: number, right: number): number | null {
  const value = {
    "×": left * right,
    "÷": left / right,
    "−": left - right,
    "+": left + right,
  }[sign];
  return Number.isFinite(value) ? Number(value.toFixed(10)) : null;
}

function numbersOf(sheet: Sheet, at: number): (number | null)[] {
  return sheet.rows.map((row) => parseNumber(cellText(row[at] ?? null)));
}

function isNumeric(numbers: (number | null)[]): boolean {
  const known = numbers.filter((number) => number !== null);
  return known.length > 0 && known.length * 2 >= numbers.length;
}

/** The columns behind two tokens, where both hold numbers and were named for certain. */
function operands(
  sheet: Sheet,
  mentions: Mentions,
  tokens: [string, string],
): [number, number] | null {
  const places = tokens.map((token) => Number(/\d+/.exec(token)?.[0] ?? -1));
  const [left, right] = places.map((place) => mentions.columns[place] ?? -1);
  // "Revenue per unit" is not divided by the "unit_price".
  const vague = mentions.strengths[places[1] ?? -1] === "part";
  if (left === undefined || right === undefined || left === right || vague) return null;
  return isNumeric(numbersOf(sheet, left)) && isNumeric(numbersOf(sheet, right))
    ? [left, right]
    : null;
}

/** The words of a text of mentions again, for it to be read against other columns. */
function spelled(text: string, mentions: Mentions): string {
  return text
    .replace(/col(\d+)_/g, (_raw, at: string) => mentions.words[Number(at)] ?? "")
    .replace(/val(\d+)_/g, (_raw, at: string) =>
      (mentions.values[Number(at)]?.value ?? "").toLowerCase(),
    );
}

const STOCK = "(?:stock|inventory)";
const STOCK_VALUE = new RegExp(
  `\\b(?:${STOCK} (?:value|worth)|(?:value|worth) of (?:(?:the|all|our|its|their|whole|entire|current) )*${STOCK})\\b`,
);
const STOCK_WORTH = new RegExp(
  `\\b(?:how much|what) (?:is|are) (?:(?:the|all|our|its|their|whole|entire|current) )*${STOCK}\\b(.{0,60}?) worth\\b`,
);

/** What a stock is worth: its price times its number, unless a column tells it. */
function stockValue(text: string, columns: readonly string[]): string {
  if (columns.some((column) => /\b(?:values?|worth)\b/i.test(column))) return text;
  const [price, stock] = ["price", "stock"].map((name) => {
    const at = findColumn(name, columns)?.index;
    return at === undefined ? undefined : columns[at]?.toLowerCase();
  });
  if (price === undefined || stock === undefined) return text;
  const product = `${price} times ${stock}`;
  return text
    .replace(STOCK_WORTH, (_raw, beside: string) => `what is the total of ${product}${beside}`)
    .replace(STOCK_VALUE, () => product);
}

/** Works out "price times stock" as a column of its own, which the rest of the ask may then speak of. */
export function derive(text: string, sheet: Sheet, strings: readonly string[]): Derived {
  const none: Derived = { text, sheet, strings, column: null };
  if (sheet.columns.length < 2 || sheet.rows.length === 0) return none;
  const mentions = findMentions(
    stockValue(text, sheet.columns),
    sheet.columns,
    sheet.rows,
    strings,
  );
  for (const [sign, pattern, order] of RULES) {
    const match = pattern.exec(mentions.text);
    const [first, second] = [match?.[1], match?.[2]];
    if (match === null || first === undefined || second === undefined) continue;
    const places = operands(sheet, mentions, order === "asked" ? [first, second] : [second, first]);
    if (places === null) continue;
    const [left, right] = places;
    const column = `${sheet.columns[left]} ${sign} ${sheet.columns[right]}`;
    const rights = numbersOf(sheet, right);
    const cells = numbersOf(sheet, left).map((number, at): Json => {
      const other = rights[at] ?? null;
      return number === null || other === null ? null : calculated(sign, number, other);
    });
    const rows = sheet.rows.map((row, at) => [...row, cells[at] ?? null]);
    const made = inlineSheet(sheet.kind, [...sheet.columns, column], rows, sheet.pages);
    if (made === null) continue;
    // "The value of the stock (price × stock)" names the same thing twice.
    const before = mentions.text
      .slice(0, match.index)
      .replace(/(?:of )?(?:the )?col\d+_ ?,? ?$/, " ")
      .replace(/\b(?:how many|number of)\b/, "show");
    const rest = mentions.text.slice(match.index + match[0].length);
    // "Multiply them for each row and add it all up" wants one figure.
    const added = /\b(?:and|then|,) (?:then )?(?:add|sum|total)\b/.test(rest);
    const after = added ? rest.replace(/^ ?(?:for|of|in) (?:each|every) \S+/, " ") : rest;
    return {
      text: `${spelled(before, mentions)} str${strings.length}_ ${spelled(after, mentions)}`,
      sheet: { ...made, name: sheet.name },
      strings: [...strings, column],
      column,
    };
  }
  return none;
}
