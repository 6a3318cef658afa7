import { stemAt, type Token, wordOf } from "../text/tokens.ts";
import { normalWords } from "../text/words.ts";
import type { Column, Place, TableFacts } from "./facts.ts";
import type { Edge } from "./items.ts";

/** Words of headers that name no column by themselves. */
const SMALL = new Set(
  "of in the a per by and or for to no not is at on with from than last first total average up number".split(
    " ",
  ),
);

/** Returns the columns whose headers, or parts of them, begin at a word. */
export function columnEdges(tokens: readonly Token[], at: number, { columns }: TableFacts): Edge[] {
  const found = new Map<string, { to: number; columns: Column[]; whole: boolean }>();
  for (const column of columns) {
    const { stems } = column;
    for (let first = 0; first < stems.length; first += 1) {
      let length = stems.length - first;
      const matches = () =>
        stems
          .slice(first, first + length)
          .every((stem, place) => stemAt(tokens, at + place) === stem);
      while (length > 0 && !matches()) length -= 1;
      const whole = length === stems.length;
      // "price per" does not name "Price per night".
      const frays = SMALL.has(stems[first] ?? "") || SMALL.has(stems[first + length - 1] ?? "");
      if (length === 0 || (frays && !whole)) continue;
      const entry = found.get(`${length}:${whole}`) ?? { to: at + length, columns: [], whole };
      if (!entry.columns.includes(column)) entry.columns.push(column);
      found.set(`${length}:${whole}`, entry);
    }
  }
  const all = [...found.values()];
  return all
    .filter(({ to, whole }) => whole || !all.some((other) => other.whole && other.to === to))
    .map(({ to, columns: named, whole }) => ({
      to,
      item: { type: "column", columns: named, concept: null, cost: whole ? 1 : 1.5 },
    }));
}

/** Returns the nouns for rows, and the headers of yes/no columns as properties, at a word. */
export function rowEdges(
  tokens: readonly Token[],
  at: number,
  { nouns, key, columns }: TableFacts,
): Edge[] {
  const stem = stemAt(tokens, at);
  const edges: Edge[] = [];
  if (stem.length > 2 && nouns.has(stem)) {
    // "email addresses" are one thing.
    const isMail = stem === "email" || stem === "mail";
    const length = isMail && stemAt(tokens, at + 1) === "address" ? 2 : 1;
    const isKey = key?.stems.length === 1 && key.stems[0] === stem;
    edges.push({ to: at + length, item: { type: "row", isKey, cost: 1.2 } });
  } else if (sharesRoot(stem, nouns)) {
    edges.push({ to: at + 1, item: { type: "row", isKey: false, cost: 2 } });
  }
  for (const column of columns) {
    const stems = column.stems[0] === "is" ? column.stems.slice(1) : column.stems;
    const isFlag = column.kind === "boolean" && (column.yes !== null || column.no !== null);
    if (!isFlag || stems.length === 0) continue;
    const note = (to: number, positive: boolean) =>
      edges.push({ to, item: { type: "flag", column, positive, cost: 1.1 } });
    for (const prefix of ["", "un", "in", "non-", "not-", "non"]) {
      const [first = "", ...rest] = stems;
      const matches = [prefix + first, ...rest].every((own, i) => stemAt(tokens, at + i) === own);
      if (matches) note(at + stems.length, prefix === "");
    }
    if (stems.length === 1 && wordOf(tokens[at]) === `${stems[0]}ly`) note(at + 1, true);
  }
  return edges;
}

/** "departing" and "departures", "adopted" and "adoptions" have one root. */
function sharesRoot(stem: string, nouns: ReadonlySet<string>): boolean {
  if (stem.length < 6) return false;
  const root = stem.slice(0, Math.max(5, stem.length - 4));
  return [...nouns].some((noun) => noun.length >= 6 && noun.startsWith(root));
}

const MAX_VALUE_TOKENS = 12;

/** Returns the values of cells that begin at a token, and what a quotation names. */
export function valueEdges(tokens: readonly Token[], at: number, facts: TableFacts): Edge[] {
  const token = tokens[at];
  if (token === undefined || token.kind === "data") return [];
  if (token.kind === "quote") return quoteEdges(token.value, at + 1, facts);
  const edges: Edge[] = [];
  for (let to = at + 1; to <= Math.min(at + MAX_VALUE_TOKENS, tokens.length); to += 1) {
    const normal = normalWords(
      tokens
        .slice(at, to)
        .map(({ text }) => text)
        .join(" "),
    );
    const whole = normal === "" ? undefined : facts.values.get(normal);
    if (whole !== undefined) edges.push({ to, item: { type: "value", at: [...whole], cost: 1 } });
    // A part of a name is only meant by its capital letter.
    else if (to - at < 4 && normal.length > 2 && /^\p{Lu}/u.test(token.text)) {
      const places = partsOf(normal, facts);
      if (places.length > 0) edges.push({ to, item: { type: "value", at: places, cost: 3 } });
    }
  }
  return edges;
}

/** Returns the columns in which a word is part of a name. */
function partsOf(normal: string, { names }: TableFacts): Place[] {
  const held = names.filter(({ words }) => words.includes(` ${normal} `));
  return [...new Set(held.map(({ column }) => column))].map((column) => ({
    column,
    value: normal,
    partial: true,
  }));
}

function quoteEdges(value: string, to: number, { columns, values }: TableFacts): Edge[] {
  const folded = value.trim().toLowerCase();
  const held = (values.get(normalWords(value)) ?? []).filter(
    (place) => place.value.toLowerCase() === folded,
  );
  const named = columns.filter(({ name }) => name.trim().toLowerCase() === folded);
  const edges: Edge[] = [{ to, item: { type: "quote", value, cost: 2 } }];
  if (held.length > 0) {
    const at = held.map(({ column }) => ({ column, value, partial: false }));
    edges.push({ to, item: { type: "value", at, cost: 1 } });
  }
  if (named.length > 0) {
    edges.push({ to, item: { type: "column", columns: named, concept: null, cost: 1 } });
  }
  return edges;
}
