import { cellText } from "../../../tools/process-data/values/cells.ts";
import { stemOf, type Token, tokenize } from "../text/tokens.ts";
import type { Item } from "./items.ts";
import type { Column, TableFacts } from "./table.ts";

type Bare<T> = T extends unknown ? Omit<T, "from" | "to" | "text" | "lead"> : never;

/** An item before its free words are known, or a run of free words. */
export type Edge = { to: number } & ({ item: Bare<Item> } | { item: null; cost: number });

const MAX_VALUE_WORDS = 12;

/** Returns what a quotation names: a value, a column, or nothing but its text. */
export function quoteEdges(value: string, to: number, { columns, rows }: TableFacts): Edge[] {
  const folded = value.trim().toLowerCase();
  const held = columns.filter((column) =>
    rows.some((row) => cellText(row[column.index] ?? null).toLowerCase() === folded),
  );
  const named = columns.filter(({ name }) => name.trim().toLowerCase() === folded);
  const edges: Edge[] = [{ to, item: { type: "quote", value, cost: 2 } }];
  if (held.length > 0) {
    const at = held.map((column) => ({ column, value, partial: false }));
    edges.push({ to, item: { type: "value", at, cost: 1 } });
  }
  if (named.length > 0)
    edges.push({ to, item: { type: "column", columns: named, concept: null, cost: 1 } });
  return edges;
}

/** A value of a text column as words. */
interface IndexedValue {
  words: string[];
  column: Column;
  value: string;
  partial: boolean;
}

/** Indexes the values of text columns by their first word. */
export function valueIndex({ columns, rows, key }: TableFacts): Map<string, IndexedValue[]> {
  const index = new Map<string, IndexedValue[]>();
  const add = (words: string[], column: Column, value: string, partial: boolean) => {
    const [first] = words;
    if (first === undefined || words.length > MAX_VALUE_WORDS) return;
    const list = index.get(first) ?? [];
    const known = list.some(
      (other) =>
        other.column === column &&
        other.partial === partial &&
        other.words.join(" ") === words.join(" "),
    );
    if (known) return;
    list.push({ words, column, value, partial });
    index.set(first, list);
  };
  for (const column of columns) {
    if (column.kind === "number" && column.units.size > 0) continue;
    const texts = new Set(rows.map((row) => cellText(row[column.index] ?? null)));
    for (const text of texts) {
      if (text === "" || text.length > 100) continue;
      const words = valueWords(text);
      add(words, column, text, false);
      if (column === key || column.kind === "text") {
        for (const [first, last] of parts(words.length))
          add(words.slice(first, last), column, words.slice(first, last).join(" "), true);
      }
    }
  }
  return index;
}

/** Returns proper runs of words of a name of up to four words. */
function parts(length: number): [number, number][] {
  if (length < 2 || length > 4) return [];
  const runs: [number, number][] = [];
  for (let first = 0; first < length; first += 1) {
    for (let last = first + 1; last <= length; last += 1) {
      if (last - first < length) runs.push([first, last]);
    }
  }
  return runs;
}

function valueWords(text: string): string[] {
  return tokenize(text).map((token) => token.text.toLowerCase());
}

/** Returns the values of cells that begin at a token. */
export function valueEdges(
  tokens: readonly Token[],
  at: number,
  index: ReadonlyMap<string, IndexedValue[]>,
): Edge[] {
  const first = tokens[at];
  if (first === undefined || first.kind === "quote") return [];
  const shown = first.text.toLowerCase();
  const singular = stemOf(shown);
  const listed = [
    ...(index.get(shown) ?? []),
    ...(singular === shown ? [] : (index.get(singular) ?? [])),
  ];
  const byLength = new Map<
    string,
    { to: number; at: { column: Column; value: string; partial: boolean }[] }
  >();
  const plurals = index.size === 0 ? [] : pluralMatches(shown, index);
  for (const { words, column, value, partial } of [...listed, ...plurals]) {
    const matched = words.every((word, offset) => {
      const token = tokens[at + offset];
      const text = token?.text.toLowerCase() ?? "";
      return text === word || stemOf(text) === stemOf(word);
    });
    if (!matched) continue;
    // A part of a name is only meant by its capital letter.
    if (partial && !/^\p{Lu}/u.test(first.text)) continue;
    if (partial && words.every((word) => word.length < 3)) continue;
    const to = at + words.length;
    const place = `${to}:${partial}`;
    const found = byLength.get(place) ?? { to, at: [] };
    found.at.push({ column, value, partial });
    byLength.set(place, found);
  }
  const whole = [...byLength.values()].filter((found) => !found.at[0]?.partial);
  return [...byLength.values()]
    .filter((found) => !found.at[0]?.partial || !whole.some(({ to }) => to === found.to))
    .map(({ to, at: places }) => ({
      to,
      item: { type: "value", at: places, cost: places[0]?.partial ? 3 : 1 },
    }));
}

function pluralMatches(shown: string, index: ReadonlyMap<string, IndexedValue[]>): IndexedValue[] {
  const singular = stemOf(shown);
  if (singular !== shown) return [];
  return index.get(`${shown}s`) ?? [];
}
