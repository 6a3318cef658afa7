import type { JsonObject } from "../../../contract/json.ts";
import { rowsOfJson } from "./json.ts";
import { headingOf, plainText } from "./markdown.ts";
import { joinedLines, type Pair, PRICE, pairOf } from "./pairs.ts";
import type { Source } from "./source.ts";
import { type Extracted, isUnnamed, type Table } from "./table.ts";
import { cellText } from "./values/cells.ts";
import { parseNumber } from "./values/numbers.ts";

/**
 * Extracts one row of what a page says of itself: its title, its labelled values, and a price and a
 * telephone number if there is only one. A label with several values on the page belongs to several
 * things, so it is left out.
 */
export function extractFacts(source: Source): Extracted {
  const lines = joinedLines(source.text);
  const facts = factsOf(source, lines);
  const labels = Object.keys(facts);
  const unlabelled = (name: string, known: RegExp, values: readonly string[]): JsonObject => {
    const [value = "", ...others] = new Set(values);
    const isOwn = value !== "" && others.length === 0 && !labels.some((label) => known.test(label));
    return isOwn ? { [name]: value } : {};
  };
  const prices = source.text.match(new RegExp(PRICE.pattern, "g")) ?? [];
  const record = {
    ...unlabelled("title", /title/i, [titleOf(source)]),
    ...facts,
    ...unlabelled(PRICE.column, PRICE.unless, prices),
    ...unlabelled("phone", /phone|tel/i, lines.flatMap(phonesIn)),
  };
  return rowsOfJson(Object.keys(record).length === 0 ? [] : [record]);
}

/** Returns the first heading of the first level, else the title. */
function titleOf(source: Source): string {
  return source.headings().find(({ level }) => level === 1)?.text ?? source.title;
}

/** Returns the labelled values of a page: its tables of properties and its "Label: value" lines. */
function factsOf(source: Source, lines: readonly string[]): JsonObject {
  const facts = new Map<string, { label: string; values: Set<string> }>();
  for (const pair of [...propertiesOf(source), ...lines.flatMap(pairsAt)]) {
    const label = plainText(pair.label).replace(/[:\s]+$/, "");
    const value = withoutStop(plainText(pair.value));
    if (label === "" || value === "") continue;
    const known = facts.get(label.toLowerCase()) ?? { label, values: new Set() };
    facts.set(label.toLowerCase(), { ...known, values: known.values.add(value) });
  }
  return Object.fromEntries(
    [...facts.values()].flatMap(({ label, values: [value = "", ...others] }) =>
      others.length === 0 ? [[label, value]] : [],
    ),
  );
}

/** Removes the stop of a sentence from a short value, unless it belongs to an abbreviation. */
function withoutStop(value: string): string {
  return value.length <= 80 ? value.replace(/(?<=\d|\p{L}{4})[.;]$/u, "") : value;
}

function propertiesOf(source: Source): Pair[] {
  return source.tables().flatMap(({ table: { columns, rows } }) => {
    if (!isProperties({ columns, rows })) return [];
    const isHeaded = parseNumber(columns[1] ?? "") === null;
    return (isHeaded ? rows : [columns, ...rows]).map(([label = null, value = null]) => ({
      label: cellText(label),
      value: cellText(value),
    }));
  });
}

/** The space before a sentence that begins with a label of its own: "By Ann Lee. Phone: 12." */
const NEXT_LABEL =
  /(?<=[.!?;])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Max|Min|Tel|Incl|Excl)\.)\s+(?=\p{L}(?:[\p{L}\p{N} /&()'-]|\.(?!\s)){0,39}?\s?[:–—]\s+\S)/u;

function pairsAt(line: string, index: number, lines: string[]): Pair[] {
  if (line.startsWith("|")) return [];
  const heading = headingOf(line);
  if (heading === null) {
    return plainText(line)
      .split(NEXT_LABEL)
      .flatMap((statement) => pairOf(statement) ?? []);
  }
  const value = heading.level > 1 ? paragraphBelow(lines, index) : null;
  return value === null ? [] : [{ label: heading.text, value }];
}

/** Returns the text of a section of one short paragraph, such as an entry of a glossary. */
function paragraphBelow(lines: readonly string[], heading: number): string | null {
  const next = lines.slice(heading + 1, heading + 6);
  const end = next.findIndex((line) => headingOf(line) !== null);
  const [only = "", ...others] = (end < 0 ? next : next.slice(0, end)).filter(Boolean);
  const isText = only !== "" && only.length <= 300 && !/^\s*(?:[|*+>-]|\d+[.)])/.test(only);
  return isText && others.length === 0 ? only : null;
}

const PHONE = /(?<![\w/.-])(?:\+|00)?\(?\d[\d\s()./-]{6,20}\d(?![\w-])/g;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}|^\d+\.\d+$/;

/** Returns the telephone numbers of a line: 7 to 15 digits in groups, or after a word such as "Phone". */
function phonesIn(line: string): string[] {
  const isNamed = /\b(?:tel|phone|call|fax|mobile|telephone|cell)\b/i.test(line);
  return (line.match(PHONE) ?? [])
    .map((number) => number.trim())
    .filter((number) => {
      const digits = number.replace(/\D/g, "").length;
      const isGrouped = /[\s()./+-]/.test(number);
      return digits >= 7 && digits <= 15 && (isGrouped || isNamed) && !DATE_LIKE.test(number);
    });
}

/** Whether the first column of a table names what its second one says: the properties of one thing. */
function isProperties({ columns }: Table): boolean {
  const [left = "", right = ""] = columns;
  if (columns.length !== 2) return false;
  if (FIELD.test(left) && VALUE.test(right)) return true;
  return isUnnamed(right) || parseNumber(right) !== null;
}

/** The headings of a table of properties, if it has any. */
const FIELD = /^(?:field|property|attribute|key|detail|fact|label)$/i;
const VALUE = /^(?:values?|details?|content)$/i;
