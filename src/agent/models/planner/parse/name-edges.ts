import type { Comparable } from "../lexicon/compile.ts";
import type { Column, TableFacts } from "./table.ts";
import type { Edge } from "./value-edges.ts";

/** Returns the columns whose headers begin at a word. */
export function columnEdges(
  words: readonly (Comparable | null)[],
  at: number,
  headers: readonly { column: Column; stems: string[] }[],
): Edge[] {
  const found = new Map<string, { to: number; columns: Column[]; exact: boolean }>();
  const note = (length: number, column: Column, exact: boolean) => {
    const place = `${length}:${exact}`;
    const entry = found.get(place) ?? { to: at + length, columns: [], exact };
    if (!entry.columns.includes(column)) entry.columns.push(column);
    found.set(place, entry);
  };
  for (const { column, stems } of headers) {
    for (let first = 0; first < stems.length; first += 1) {
      for (let last = stems.length; last > first; last -= 1) {
        const part = stems.slice(first, last);
        if (!part.every((stem, offset) => words[at + offset]?.stem === stem)) continue;
        const isWhole = first === 0 && last === stems.length;
        // "price per" is no name of "Price per night".
        const frays = SMALL.has(part[0] ?? "") || SMALL.has(part.at(-1) ?? "");
        if (!isWhole && frays) continue;
        note(part.length, column, isWhole);
        break;
      }
    }
  }
  const exact = [...found.values()].filter((entry) => entry.exact);
  return [...found.values()]
    .filter((entry) => entry.exact || !exact.some(({ to }) => to === entry.to))
    .map(({ to, columns, exact: whole }) => ({
      to,
      item: { type: "column", columns, concept: null, cost: whole ? 1 : 1.5 },
    }));
}

/** Words of headers that name no column by themselves. */
const SMALL = new Set([
  "of",
  "in",
  "the",
  "a",
  "per",
  "by",
  "and",
  "or",
  "for",
  "to",
  "no",
  "not",
  "is",
  "at",
  "on",
  "with",
  "from",
  "than",
  "last",
  "first",
  "total",
  "average",
  "up",
  "number",
]);

/** Returns the nouns for rows, and the headers that are said of rows, at a word. */
export function rowEdges(
  words: readonly (Comparable | null)[],
  at: number,
  facts: TableFacts,
): Edge[] {
  const word = words[at];
  if (!word) return [];
  const edges: Edge[] = [];
  if (word.stem.length > 2 && facts.nouns.has(word.stem)) {
    // "email addresses" are one thing.
    const length = word.stem === "email" && words[at + 1]?.stem === "address" ? 2 : 1;
    const isKey = facts.key?.stems.length === 1 && facts.key.stems[0] === word.stem;
    edges.push({ to: at + length, item: { type: "row", isKey, cost: 1.2 } });
  } else if (sharesRoot(word.stem, facts.nouns)) {
    edges.push({ to: at + 1, item: { type: "row", isKey: false, cost: 2 } });
  }
  for (const column of facts.columns) {
    if (column.kind !== "boolean" || (column.yes === null && column.no === null)) continue;
    const stems = column.stems[0] === "is" ? column.stems.slice(1) : column.stems;
    if (stems.length === 0) continue;
    const matches = (prefix: string) =>
      stems.every(
        (stem, offset) => words[at + offset]?.stem === (offset === 0 ? prefix + stem : stem),
      );
    if (matches(""))
      edges.push({
        to: at + stems.length,
        item: { type: "flag", column, positive: true, cost: 1.1 },
      });
    const adverb = words[at];
    if (stems.length === 1 && adverb?.word === `${stems[0]}ly`) {
      edges.push({ to: at + 1, item: { type: "flag", column, positive: true, cost: 1.1 } });
    }
    for (const prefix of ["un", "in", "non-", "not-", "non"]) {
      if (matches(prefix))
        edges.push({
          to: at + stems.length,
          item: { type: "flag", column, positive: false, cost: 1.1 },
        });
    }
  }
  return edges;
}

/** "departing" and "departures", "adopted" and "adoptions" have one root. */
function sharesRoot(stem: string, nouns: ReadonlySet<string>): boolean {
  if (stem.length < 6) return false;
  const root = stem.slice(0, Math.max(5, stem.length - 4));
  return [...nouns].some((noun) => noun.length >= 6 && noun.startsWith(root));
}
