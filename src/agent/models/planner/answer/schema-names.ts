import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { findColumn, labelColumn } from "../bind/columns.ts";
import { wordsOf } from "../language/normalize.ts";
import type { Material } from "./material.ts";
import { dateOf, figureOf, inCurrency } from "./property-names.ts";

/** The value of a record that a property's name means. */
export function lookUp(name: string, record: Record<string, Json>): Json | undefined {
  const columns = Object.keys(record);
  const match = findColumn(name, columns);
  const found = match === null ? undefined : record[columns[match.index] ?? ""];
  return found ?? figureOf(name, record) ?? inCurrency(name, record) ?? dateOf(name, record);
}

const COUNTING = /^(?:count|number|num|total|quantity|amount|many|how)$/;
const IDLE = /^(?:of|the|in|all|found|row|item|result|record|entry|and)$/;

/** How many rows there are, for a property that is called so: "count", "numberOfLinks". */
export function countOf(name: string, { rows, labels, summary }: Material): number | undefined {
  const words = wordsOf(name);
  if (rows === null || !words.some((word) => COUNTING.test(word))) return undefined;
  const things = words.filter((word) => !COUNTING.test(word) && !IDLE.test(word));
  const [head = ""] = summary.split("\n");
  const known = new Set(wordsOf(`${labels.join(" ")} ${head}`));
  return things.every((word) => known.has(word)) ? rows : undefined;
}

/** Properties of these names ask for something certain: nothing that is called otherwise answers them. */
const CERTAIN = new Set(
  (
    "price cost revenue salary amount stock author founder owner email mail phone telephone address date year day " +
    "title headline description summary url link heading version rating age city country sku"
  ).split(" "),
);
/** Pieces that are called by what they are. */
const CALLED = /^(?:title|description|emails?|phones?|links?|headings?|prices|words|status|count)$/;

const ANSWER = /^(?:answer|result|text|message|reply|output|response|value)$/i;

/** One word for all that is counted in money. */
function alike(word: string): string {
  return /^(?:price|cost|revenue|amount|salary|total|sale|spending|turnover)$/.test(word)
    ? "price"
    : word;
}

/** Whether a property asks for something else than what was found: for a price, where headings were. */
export function meansOther(name: string, { labels, records }: Material): boolean {
  const [record, ...others] = records;
  // A figure or one field of a row is called by its column: "sum of Stock".
  const fields = others.length === 0 && record !== undefined ? Object.keys(record) : [];
  const field = fields.length === 1 || fields.includes("count") ? fields : [];
  const own = new Set(
    [...labels.filter((label) => CALLED.test(label)), ...field.filter((one) => !ANSWER.test(one))]
      .flatMap(wordsOf)
      .map(alike),
  );
  const certain = wordsOf(name).filter((word) => CERTAIN.has(word));
  return own.size > 0 && certain.length > 0 && !certain.some((word) => own.has(alike(word)));
}

/** The one value that was found, for the one that is asked for; sentences for a property called so. */
export function onlyAnswer(
  name: string,
  type: string | null,
  material: Material,
  asked: number,
): Json | undefined {
  const { data, labels, records, summary } = material;
  const one = Array.isArray(data) && data.length === 1 ? data[0] : data;
  const single = one !== undefined && (typeof one !== "object" || one === null) ? one : undefined;
  if (ANSWER.test(name)) return type === "string" ? summary : single;
  if (asked !== 1 || labels.length > 1 || meansOther(name, material)) return undefined;
  if (single !== undefined) return single;
  const [record, ...others] = records;
  // "cheapest": what the one row is called that was picked.
  const picked =
    type === "string" && record !== undefined && others.length === 0 && isObject(data ?? null);
  if (!picked) return undefined;
  const columns = Object.keys(record);
  const label = columns[labelColumn(columns, [Object.values(record)])];
  const certain = wordsOf(name).some((word) => CERTAIN.has(word));
  return certain || label === undefined ? undefined : record[label];
}
