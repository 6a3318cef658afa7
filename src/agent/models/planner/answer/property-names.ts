import type { Json } from "../../../../contract/json.ts";
import { cellDate, cellText } from "../../../tools/process-data/values/cells.ts";
import { findColumn } from "../bind/columns.ts";
import { wordsOf } from "../language/normalize.ts";

type Values = Record<string, Json>;

/** How a figure is called in properties, by what process_data calls it. */
const FIGURES: [RegExp, RegExp][] = [
  [/^sum\b/, /^(?:total|sum|subtotal|combined|altogether)$/],
  [/^average\b/, /^(?:average|avg|mean)$/],
  [/^median\b/, /^median$/],
  [/^max\b/, /^(?:max|maximum|highest|largest|top|most)$/],
  [/^min\b/, /^(?:min|minimum|lowest|smallest|least)$/],
  [/^count\b/, /^(?:count|number|quantity|many|how)$/],
];

/** "overdueTotal" is the sum that was worked out, where there is one: "sum of Amount". */
export function figureOf(name: string, values: Values): Json | undefined {
  const words = wordsOf(name);
  for (const [key, said] of FIGURES) {
    if (!words.some((word) => said.test(word))) continue;
    const keys = Object.keys(values).filter((one) => key.test(one) && isFigure(one));
    const [only, ...others] = keys;
    if (only !== undefined && others.length === 0) return values[only];
  }
  return undefined;
}

/** Whether a name is one that process_data gives: "sum of Price", "count". */
function isFigure(name: string): boolean {
  return name === "count" || / of /.test(name);
}

const CURRENCIES: [RegExp, RegExp][] = [
  [/^(?:eur|euro)$/, /€|\beur\b|\beuros?\b/i],
  [/^(?:usd|dollar)$/, /(?<![a-z])\$|\busd\b|\bdollars?\b/i],
  [/^(?:gbp|pound)$/, /£|\bgbp\b|\bpounds?\b/i],
  [
    /^(?:sek|nok|dkk|chf|jpy|yen|pln|czk|cad|aud|inr|kr)$/,
    /\b(?:sek|nok|dkk|chf|jpy|yen|pln|czk|cad|aud|inr|kr)\b|¥|₹/i,
  ],
];

/**
 * "priceEur" is the price, where it is told in euros. An amount in another currency is none: it would
 * pass for one that nobody wrote. A bare number is taken at its name's word only beside a currency.
 */
export function inCurrency(name: string, values: Values): Json | undefined {
  const words = wordsOf(name);
  const currency = CURRENCIES.find(([said]) => words.some((word) => said.test(word)));
  if (currency === undefined) return undefined;
  const [said, written] = currency;
  const bare = words.filter((word) => !said.test(word) && word !== "in").join(" ");
  const columns = Object.keys(values);
  const match = findColumn(bare, columns);
  const value = match === null ? undefined : values[columns[match.index] ?? ""];
  if (value === undefined) return undefined;
  const beside = columns.find((column) => /^currency$/i.test(column));
  const told = `${cellText(value)} ${beside === undefined ? "" : cellText(values[beside] ?? null)}`;
  return written.test(told) ? value : undefined;
}

/** "releasedOn" is the one date that a record has, however its column is called. */
export function dateOf(name: string, values: Values): Json | undefined {
  if (
    !wordsOf(name).some((word) =>
      /^(?:date|day|on|at|when|released?|published|issued|created|updated)$/.test(word),
    )
  )
    return undefined;
  const dates = Object.values(values).filter((value) => cellDate(value) !== null);
  const [only, ...others] = dates;
  return others.length === 0 ? only : undefined;
}

/** A date as schemas with the format "date" want it: yyyy-mm-dd; undefined where it is none. */
export function isoDate(value: Json | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value;
  const date = cellDate(value);
  return date === null ? undefined : new Date(date).toISOString().slice(0, 10);
}
