import type { Json, JsonObject } from "../../../../contract/json.ts";
import { currencyCode } from "../../../../lib/currencies.ts";
import { cellQuantity } from "../../../tools/process-data/values/cells.ts";

/** Words of names that mean the same. */
const SAME: Readonly<Record<string, string | undefined>> = {
  total: "sum",
  avg: "average",
  mean: "average",
  count: "number",
  maximum: "max",
  highest: "max",
  longest: "max",
  largest: "max",
  biggest: "max",
  minimum: "min",
  lowest: "min",
  shortest: "min",
  smallest: "min",
  euro: "eur",
  dollar: "usd",
  pound: "gbp",
};

const IDLE = /^(?:of|the|a|in|for|is)$/;
/** Words of a name that ask for a figure: a name without them means something else. */
const FIGURE = /^(?:sum|average|median|number|max|min)$/;

/** Splits a name into words in lower case without a plural's s: "unitPrices" → unit, price. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/\be-mail/gi, "email").replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2");
  return (spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !IDLE.test(word))
    .map((word) => word.replace(/(?<=..[^s])s$/, ""))
    .map((word) => SAME[word] ?? word);
}

/** Whether all words of a property's name, or all of the other name, are in the other. */
export function isCalled(property: string, name: string): boolean {
  return areAlike(wordsOf(property), wordsOf(name));
}

function areAlike(wanted: readonly string[], own: readonly string[]): boolean {
  if (wanted.length === 0 || own.length === 0) return false;
  if (wanted.some((word) => FIGURE.test(word) && !own.includes(word))) return false;
  return wanted.every((word) => own.includes(word)) || own.every((word) => wanted.includes(word));
}

/** Returns a name without the words that ask for a figure. */
export function withoutFigure(name: string): string {
  return wordsOf(name)
    .filter((word) => !FIGURE.test(word))
    .join(" ");
}

/** Returns the value of a record under a property's name; one with a currency must be in it. */
export function lookUp(name: string, record: JsonObject): Json | undefined {
  const words = wordsOf(name);
  const currency = words.map(currencyCode).find((code) => code !== null);
  const bare = words.filter((word) => currencyCode(word) === null);
  const entries = Object.entries(record).map(([key, value]) => ({ own: wordsOf(key), value }));
  const exact = entries.filter(({ own }) => own.join() === bare.join());
  const near = entries.filter(({ own }) => areAlike(bare, own));
  // What names a row stands first: "name" of "Product".
  const isLabel = /^(?:name|title|label)$/.test(bare.join());
  const naming = entries.slice(0, isLabel ? 1 : 0).filter(({ value }) => typeof value === "string");
  const [only, ...others] = [exact, near, naming].find(({ length }) => length > 0) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  const unit = cellQuantity(only.value)?.unit;
  return currency === undefined || unit === currency ? only.value : undefined;
}
