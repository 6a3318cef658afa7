import type { Json, JsonObject } from "../../../../../contract/json.ts";
import { headingOf, linesOf, plainText } from "../../../../tools/process-data/markdown.ts";
import { extractPrices } from "../../../../tools/process-data/prices.ts";
import type { Source } from "../../../../tools/process-data/source.ts";
import { cellText } from "../../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../../tools/process-data/values/numbers.ts";
import type { MaterialTable } from "../../program.ts";
import { inlineRows } from "./json-tables.ts";
import { isProperties } from "./tables.ts";

const MAX_LINES = 3_000;
const MAX_FACTS = 100;

/** A label and its value, such as "Price: $7.50". */
export interface Pair {
  label: string;
  value: string;
}

const PAIR = /^(?:[-*+•]\s+)?(\p{L}[\p{L}\p{N} /&().'-]{0,39}?)\s?(?::|–|—)\s+(\S.{0,299})$/u;
/** Abbreviations whose stop ends no sentence. */
const SHORT = /\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Max|Min|Tel|Incl|Excl)\.$/;

/** Parses a line such as "Price: $7.50"; null for prose and addresses. */
export function pairOf(line: string): Pair | null {
  const [, label, value] = PAIR.exec(line) ?? [];
  if (label === undefined || value === undefined || /https?$/i.test(label)) return null;
  return { label: label.trim(), value };
}

/** Cuts a line before each sentence that begins with a label of its own: "By Ann Lee. Phone: 12." */
function statementsOf(line: string): string[] {
  const statements: string[] = [];
  for (const sentence of line.split(/(?<=[.!?;])\s+/)) {
    const previous = statements.at(-1);
    const isOwn = previous === undefined || (pairOf(sentence) !== null && !SHORT.test(previous));
    if (isOwn) statements.push(sentence);
    else statements[statements.length - 1] = `${previous} ${sentence}`;
  }
  return statements;
}

/**
 * Returns one row of what a page says of itself: its title, its labelled values, and a price and a
 * telephone number if there is only one. A label with several values on
 * the page belongs to several things, so it is left out.
 */
export function recordTables(
  source: Source,
  { title, description }: { title: string; description: string },
): MaterialTable[] {
  const facts = factsOf(source);
  const has = (...names: string[]) =>
    Object.keys(facts).some((label) => names.some((name) => label.toLowerCase().includes(name)));
  const price = only(extractPrices(source).table.rows.map((row) => row[1] ?? null));
  const phone = only(phonesIn(source.text));
  const record: JsonObject = {
    ...(title === "" || has("title") ? {} : { title }),
    ...facts,
    ...(price === null || has("price", "cost") ? {} : { price: writtenPrice(source, price) }),
    ...(phone === null || has("phone", "tel") ? {} : { phone }),
    ...(description === "" || has("description") ? {} : { description }),
  };
  if (Object.keys(record).length === 0) return [];
  return [{ kind: "record", caption: title === "" ? null : title, ...inlineRows([record]) }];
}

function only(values: readonly Json[]): Json {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}

/** Returns the labelled values of a page: its tables of properties, definitions, and "Label: value" lines. */
function factsOf(source: Source): JsonObject {
  const facts = new Map<string, { label: string; values: Set<string> }>();
  for (const { label, value } of pairsIn(source)) {
    const name = plainText(label).replace(/[:\s]+$/, "");
    const text = withoutStop(plainText(value));
    if (name === "" || text === "") continue;
    const known = facts.get(name.toLowerCase());
    if (known !== undefined) known.values.add(text);
    else if (facts.size < MAX_FACTS)
      facts.set(name.toLowerCase(), { label: name, values: new Set([text]) });
  }
  const single = [...facts.values()].filter(({ values }) => values.size === 1);
  return Object.fromEntries(single.map(({ label, values }) => [label, [...values][0] ?? ""]));
}

/** Removes the stop of a sentence from a short value, unless it belongs to an abbreviation. */
function withoutStop(value: string): string {
  return value.length <= 80 ? value.replace(/(?<=\d|\p{L}{4})[.;]$/u, "") : value;
}

function* pairsIn(source: Source): Generator<Pair> {
  for (const { table } of source.tables()) {
    if (!isProperties(table)) continue;
    const [left = "", right = ""] = table.columns;
    if (parseNumber(right) !== null) yield { label: left, value: right };
    for (const row of table.rows) {
      yield { label: cellText(row[0] ?? null), value: cellText(row[1] ?? null) };
    }
  }
  const lines = source.text.split("\n").slice(0, MAX_LINES);
  for (const [index, line] of lines.entries()) {
    const term = /^- ([^\n#:[]{1,40})$/.exec(line)?.[1];
    const below = /^ {2}(\S.*)$/.exec(lines[index + 1] ?? "")?.[1];
    if (term !== undefined && below !== undefined) yield { label: term, value: below };
    if (line.startsWith("|")) continue;
    const heading = headingOf(line);
    if (heading !== null) {
      const text = paragraphBelow(lines, index);
      if (heading.level > 1 && text !== null) yield { label: heading.text, value: text };
      continue;
    }
    for (const statement of statementsOf(plainText(line))) {
      const pair = pairOf(statement);
      if (pair !== null) yield pair;
    }
  }
}

/** Returns the text of a section of one short paragraph, such as an entry of a glossary. */
function paragraphBelow(lines: readonly string[], heading: number): string | null {
  const end = lines.findIndex((line, index) => index > heading && headingOf(line) !== null);
  const below = lines.slice(heading + 1, end === -1 ? heading + 6 : end).filter(Boolean);
  const [only, ...others] = below;
  if (only === undefined || others.length > 0 || only.length > 300) return null;
  return /^\s*(?:[|*+>-]|\d+[.)])/.test(only) ? null : only;
}

const PHONE = /(?<![\w/.-])(?:\+|00)?\(?\d[\d\s()./-]{6,20}\d(?![\w-])/g;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}|^\d+\.\d+$/;

/** Returns the telephone numbers of a text: 7 to 15 digits in groups, or after a word such as "Phone". */
function phonesIn(text: string): string[] {
  const numbers = linesOf(text).flatMap((line) =>
    [...line.matchAll(PHONE)].flatMap(([match]) => {
      const number = match.trim();
      const digits = number.replace(/\D/g, "").length;
      const isGrouped = /[\s()./+-]/.test(number);
      const isNamed = /\b(?:tel|phone|call|fax|mobile|telephone|cell)\b/i.test(line);
      const isPhone = digits >= 7 && digits <= 15 && (isGrouped || isNamed);
      return isPhone && !DATE_LIKE.test(number) ? [number] : [];
    }),
  );
  return [...new Set(numbers)];
}

/** Returns the price as the page writes it ("$7.50"), or the bare number. */
function writtenPrice(source: Source, price: Json): string {
  const written = source.text.match(/[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€£$]|USD|EUR|GBP|CHF)/g);
  const same = written?.find((text) => Number(text.replace(/[^\d.]/g, "")) === price);
  return same?.replace(/[.,]$/, "") ?? cellText(price);
}
