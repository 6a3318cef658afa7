import { type Comparable, matchesAt } from "../lexicon/compile.ts";
import { lexicon, type Meaning } from "../lexicon/lexicon.ts";
import type { Token } from "../text/tokens.ts";
import type { Item } from "./items.ts";
import { columnEdges, rowEdges } from "./name-edges.ts";
import { type Column, columnsOfConcept, stateTests, type TableFacts } from "./table.ts";
import { type Edge, quoteEdges, valueEdges, valueIndex } from "./value-edges.ts";

const BEAM = 40;

const READINGS = 16;

const UNKNOWN_COST = 20;

/** Returns the cheapest sequences of items that cover the tokens, the cheapest first. */
export function itemsOf(
  tokens: readonly Token[],
  facts: TableFacts,
): { items: Item[]; cost: number }[] {
  const chart = withoutFragments(chartOf(tokens, facts));
  type Path = { cost: number; items: Item[]; lead: string[] };
  const best: Path[][] = tokens.map(() => []);
  best.push([]);
  best[0] = [{ cost: 0, items: [], lead: [] }];
  for (let at = 0; at < tokens.length; at += 1) {
    const paths = (best[at] ?? []).toSorted((a, b) => a.cost - b.cost).slice(0, BEAM);
    for (const path of paths) {
      for (const edge of chart[at] ?? []) {
        const text = tokens
          .slice(at, edge.to)
          .map((token) => token.text)
          .join(" ");
        const next: Path =
          edge.item === null
            ? {
                cost: path.cost + edge.cost,
                items: path.items,
                lead: [...path.lead, ...text.toLowerCase().split(" ")],
              }
            : {
                cost: path.cost + edge.item.cost,
                items: [
                  ...path.items,
                  { ...edge.item, from: at, to: edge.to, text, lead: path.lead },
                ],
                lead: [],
              };
        best[edge.to]?.push(next);
      }
    }
  }
  return (best[tokens.length] ?? [])
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, READINGS)
    .map(({ items, cost }) => ({ items, cost }));
}

const FRAGMENT_COST = 1;

/** "least" inside "at least" is no word of its own: what begins inside a longer operator costs more. */
function withoutFragments(chart: readonly Edge[][]): Edge[][] {
  const inside = new Set<number>();
  chart.forEach((edges, at) => {
    for (const { to, item } of edges) {
      const isWhole = item?.type === "op" || item?.type === "state" || item?.type === "flag";
      if (isWhole) for (let place = at + 1; place < to; place += 1) inside.add(place);
    }
  });
  return chart.map((edges, at) =>
    edges.map((edge): Edge => {
      const { item } = edge;
      if (!inside.has(at) || item === null || item.type === "value" || item.type === "unknown")
        return edge;
      return { to: edge.to, item: { ...item, cost: item.cost + FRAGMENT_COST } };
    }),
  );
}

function chartOf(tokens: readonly Token[], facts: TableFacts): Edge[][] {
  const words = tokens.map(comparable);
  const values = valueIndex(facts);
  const headers = facts.columns.map((column) => ({ column, stems: column.stems }));
  const first = tokens.findIndex(({ kind }) => kind !== "mark");
  return tokens.map((token, at) => {
    const edges = distinctEdges([
      ...literalEdges(token, at, facts),
      ...valueEdges(tokens, at, values),
      ...columnEdges(words, at, headers),
      ...wordEdges(words, at, facts),
      ...rowEdges(words, at, facts),
    ]);
    const single = edges.filter((edge) => edge.to === at + 1);
    // A word that equals a value of a cell, capital letters included, is never free; nor is it a mere noun.
    const held = single.some(
      ({ item }) => item?.type === "value" && item.at.some(({ value }) => value === token.text),
    );
    const isValue = single.some(({ item }) => item?.type === "value" && !item.at[0]?.partial);
    const namesColumn = single.some(
      ({ item }) =>
        item?.type === "column" &&
        item.concept === null &&
        item.cost === 1 &&
        !(facts.key && item.columns.includes(facts.key)),
    );
    const namesRows = single.some(({ item }) => item?.type === "row" && item.cost <= 1.2);
    // "Is" and "do" at the beginning ask for yes or no.
    const asks =
      at === first && edges.some(({ item }) => item?.type === "op" && YES_OR_NO.has(item.op));
    const allowed = edges.filter(({ item, to }) => {
      if (item === null) return !asks && !(held && to === at + 1);
      if (asks && item.type === "verb") return false;
      // "members" are the rows of "Members", not the column "Member since".
      if (
        item.type === "column" &&
        item.concept === null &&
        item.cost > 1 &&
        to === at + 1 &&
        namesRows
      )
        return false;
      if (item.type !== "row" || to !== at + 1) return true;
      return !isValue && !namesColumn;
    });
    if (allowed.length > 0) return allowed;
    if (token.kind === "mark" && FREE_MARKS.has(token.mark))
      return [{ to: at + 1, item: null, cost: 0 }];
    return [{ to: at + 1, item: { type: "unknown", cost: UNKNOWN_COST } }];
  });
}

const YES_OR_NO = new Set(["yesno", "exists", "every"]);

const FREE_MARKS = new Set([
  "->",
  "→",
  ",",
  ".",
  "?",
  "!",
  ":",
  ";",
  "\n",
  "(",
  ")",
  "-",
  "–",
  "—",
  "*",
  "•",
  "…",
  "#",
  "[",
  "]",
  "{",
  "}",
]);

/** Returns a token as the lexicon compares it; null for literals. */
export function comparable(token: Token): Comparable | null {
  if (token.kind === "word") return { word: token.word, stem: token.stem };
  if (token.kind === "mark") return { word: token.mark, stem: token.mark };
  return null;
}

/** A surface may be listed twice, as itself and as a singular. */
function distinctEdges(edges: readonly Edge[]): Edge[] {
  const seen = new Set<string>();
  return edges.filter(({ to, item }) => {
    const key = JSON.stringify([to, item?.type, item, item?.cost ?? 0], (name, value) =>
      name === "columns" || name === "column" ? idsOf(value) : value,
    );
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function idsOf(value: Column | Column[]): number[] {
  return (Array.isArray(value) ? value : [value]).map(({ index }) => index);
}

function literalEdges(token: Token, at: number, facts: TableFacts): Edge[] {
  const to = at + 1;
  switch (token.kind) {
    case "number":
      return [{ to, item: { type: "number", value: token.value, unit: token.unit, cost: 1 } }];
    case "ordinal":
      return [{ to, item: { type: "ordinal", value: token.value, cost: 1 } }];
    case "date":
      return [{ to, item: { type: "date", start: token.from, until: token.until, cost: 1 } }];
    case "time":
      return [{ to, item: { type: "time", value: token.value, cost: 1 } }];
    case "quote":
      return quoteEdges(token.value, to, facts);
    case "path":
      return facts.columns
        .filter(({ name }) => name.toLowerCase() === token.path.toLowerCase())
        .map((column) => ({
          to,
          item: { type: "column", columns: [column], concept: null, cost: 1 },
        }));
    default:
      return [];
  }
}

function wordEdges(words: readonly (Comparable | null)[], at: number, facts: TableFacts): Edge[] {
  const found = matchesAt(lexicon().meanings, words, at);
  // "sum" computes; it is no word for a column of amounts.
  const computes = found.some(({ meaning }) => meaning.type === "op" && meaning.op === "agg");
  return found.flatMap(({ meaning, length, exact }) =>
    (exact || mayBePlural(meaning)) && !(computes && meaning.type === "concept")
      ? edgesOf(meaning, at + length, length, facts)
      : [],
  );
}

/** Verbs and operators are only meant as they are written; nouns also in the plural. */
function mayBePlural(meaning: Meaning): boolean {
  if (meaning.type === "op") return meaning.op === "row";
  return meaning.type === "noun" || meaning.type === "concept" || meaning.type === "unit";
}

function edgesOf(meaning: Meaning, to: number, length: number, facts: TableFacts): Edge[] {
  // One long surface is a better reading than several short ones.
  const one = 1 + (length - 1) * 0.05;
  switch (meaning.type) {
    case "free":
      return [{ to, item: null, cost: 0.4 + (length - 1) * 0.05 }];
    case "op":
      if (meaning.op === "row") return [{ to, item: { type: "row", isKey: false, cost: one } }];
      return [{ to, item: { type: "op", op: meaning.op, arg: meaning.arg, cost: one } }];
    case "adjective": {
      const columns = columnsOfConcept(facts, meaning.concept);
      if (columns.length === 0) return [];
      const { concept, more, degree } = meaning;
      return [{ to, item: { type: "adjective", columns, concept, more, degree, cost: one } }];
    }
    case "verb": {
      const [concept] = meaning.concepts;
      const isLight = concept === "any" || concept === "link";
      const columns = isLight
        ? []
        : [...new Set(meaning.concepts.flatMap((name) => columnsOfConcept(facts, name)))];
      if (columns.length === 0 && !isLight) return [];
      return [{ to, item: { type: "verb", concepts: meaning.concepts, columns, cost: one + 0.1 } }];
    }
    case "state": {
      const tests = stateTests(facts, meaning.state, meaning.polarity);
      return tests.length === 0 ? [] : [{ to, item: { type: "state", tests, cost: one } }];
    }
    case "unit":
      return [
        { to, item: { type: "unit", unit: meaning.unit, concepts: meaning.concepts, cost: one } },
      ];
    case "number":
      return [{ to, item: { type: "number", value: meaning.value, unit: "", cost: one } }];
    case "ordinal":
      return [{ to, item: { type: "ordinal", value: meaning.value, cost: one } }];
    case "concept": {
      const named = columnsOfConcept(facts, meaning.concept);
      // Rows without a column of names are named by their key.
      const columns =
        named.length === 0 && meaning.concept === "name" && facts.key !== null
          ? [facts.key]
          : named;
      return columns.length === 0
        ? []
        : [{ to, item: { type: "column", columns, concept: meaning.concept, cost: one + 0.8 } }];
    }
    case "noun": {
      if (!facts.hasThings) return [];
      const evident = meaning.evidence.some(
        (concept) => columnsOfConcept(facts, concept).length > 0,
      );
      return evident ? [{ to, item: { type: "row", isKey: false, cost: one + 0.3 } }] : [];
    }
  }
}
