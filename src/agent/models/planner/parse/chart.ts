import { lexicon, type Meaning } from "../lexicon/lexicon.ts";
import { matchesAt } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { columnEdges, rowEdges, valueEdges } from "./edges.ts";
import { columnsOfConcept, relatedColumns, stateTests, type TableFacts } from "./facts.ts";
import type { Edge, Item } from "./items.ts";

const BEAM = 40;
const READINGS = 32;
const UNKNOWN_COST = 20;
/** What a word costs that is only about the whole page. */
export const TOPIC_COST = 4;
const FRAGMENT_COST = 1;

/** Returns the cheapest sequences of items that cover the tokens, the cheapest first. */
export function itemsOf(
  tokens: readonly Token[],
  facts: TableFacts,
): { items: Item[]; cost: number }[] {
  const chart = withoutFragments(chartOf(tokens, facts));
  type Path = { cost: number; items: Item[]; lead: string[] };
  const best: Path[][] = [[{ cost: 0, items: [], lead: [] }], ...tokens.map(() => [])];
  for (let at = 0; at < tokens.length; at += 1) {
    const paths = (best[at] ?? []).toSorted((a, b) => a.cost - b.cost).slice(0, BEAM);
    for (const edge of chart[at] ?? []) {
      const shown = tokens.slice(at, edge.to).map(({ text }) => text);
      const free = edge.item === null ? shown.flatMap((text) => text.toLowerCase().split(" ")) : [];
      for (const { cost, items, lead } of paths) {
        const next =
          edge.item === null
            ? { cost: cost + edge.cost, items, lead: [...lead, ...free] }
            : {
                cost: cost + edge.item.cost,
                items: [...items, { ...edge.item, from: at, text: shown.join(" "), lead }],
                lead: [],
              };
        best[edge.to]?.push(next);
      }
    }
  }
  return (best[tokens.length] ?? []).toSorted((a, b) => a.cost - b.cost).slice(0, READINGS);
}

/** "least" inside "at least" is part of an operator: an item that begins inside a longer one costs more. */
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
      const { item, to } = edge;
      const isKept = item === null || item.type === "value" || item.type === "unknown";
      if (isKept || !inside.has(at)) return edge;
      return { to, item: { ...item, cost: item.cost + FRAGMENT_COST } };
    }),
  );
}

const NOUN_SIGNS = /^(?:the|a|an|with|of|by|its|their|per|for)$/i;
const YES_OR_NO = /^(?:yesno|exists|every)$/;
const FREE_MARKS = new Set(
  "' ’ -> → , . ? ! : ; \n ( ) - – — * • … # [ ] { }".split(" ").concat("\n"),
);

function chartOf(tokens: readonly Token[], facts: TableFacts): Edge[][] {
  const first = tokens.findIndex(({ kind }) => kind !== "mark");
  const columnEnds = new Set<number>();
  return tokens.map((token, at) => {
    const edges = distinctEdges([
      ...literalEdges(token, at, facts),
      ...valueEdges(tokens, at, facts),
      ...columnEdges(tokens, at, facts),
      ...wordEdges(tokens, at, facts),
      ...rowEdges(tokens, at, facts),
    ]);
    for (const { to, item } of edges) if (item?.type === "column") columnEnds.add(to);
    const isAllowed = filterOf(tokens, at, edges, facts);
    // "Is" and "do" at the beginning ask for yes or no.
    const asks = edges.some(({ item }) => item?.type === "op" && YES_OR_NO.test(item.op));
    const allowed = edges.filter(
      ({ to, item }) =>
        isAllowed({ to, item }) &&
        !(at === first && asks && (item === null || item.type === "verb")) &&
        // "flight number": the noun only says what kind of thing the column before it holds.
        !(item?.type === "op" && item.op === "colnoun" && !columnEnds.has(at)),
    );
    const to = at + 1;
    const isYear = token.kind === "number" && facts.topics.has(token.text);
    if (isYear) allowed.push({ to, item: null, cost: TOPIC_COST });
    if (allowed.length > 0) return allowed;
    if (token.kind === "mark" && FREE_MARKS.has(token.mark)) return [{ to, item: null, cost: 0 }];
    // "Is the museum open", "in 2025" of a page about 2025: words for the whole page say nothing of its rows.
    const isTopic = token.kind === "word" && facts.topics.has(token.stem);
    if (isTopic) return [{ to, item: null, cost: TOPIC_COST }];
    const columns = token.kind === "word" ? relatedColumns(facts, token.stem) : [];
    if (columns.length === 0) return [{ to, item: { type: "unknown", cost: UNKNOWN_COST } }];
    return [
      { to, item: { type: "verb", concepts: [], columns, cost: 2 } },
      { to, item: { type: "column", columns, concept: "", cost: 2.2 } },
    ];
  });
}

/** Returns which edges of a token are misleading beside the others. */
function filterOf(
  tokens: readonly Token[],
  at: number,
  edges: readonly Edge[],
  { key }: TableFacts,
): (edge: Pick<Edge, "to" | "item">) => boolean {
  const token = tokens[at];
  const single = edges.flatMap(({ to, item }) => (to === at + 1 && item !== null ? [item] : []));
  const values = single.flatMap((item) => (item.type === "value" ? item.at : []));
  // A word that equals a value of a cell, capital letters included, is never free; nor is it a mere noun.
  const isHeld = values.some(({ value }) => value === token?.text);
  const isValue = values.some(({ partial }) => !partial);
  const namesRows = single.some(({ type, cost }) => type === "row" && cost === 1.2);
  const computes = edges.some(({ item }) => item?.type === "op" && item.op === "agg");
  const states = edges.flatMap(({ item, to }) => (item?.type === "state" ? [to] : []));
  // "The orders" are the rows, though a column "Order" has their numbers.
  const isPlural = token?.kind === "word" && token.word !== token.stem;
  const namesColumn = single.some(
    (item) =>
      item.type === "column" &&
      item.concept === null &&
      item.cost === 1 &&
      !(isPlural && namesRows) &&
      !item.columns.some((own) => own === key),
  );
  return ({ to, item }) => {
    const isSingle = to === at + 1;
    if (item === null) return !(isHeld && isSingle);
    // "paid" is how a bill stands where a column holds that.
    if (item.type === "verb")
      return !states.includes(to) && !(isHeld && isSingle && item.columns.length === 0);
    // "with name and price": a verb stands where a clause begins.
    if (item.type === "op" && item.op === "show")
      return !(isSingle && edges.length > 1 && NOUN_SIGNS.test(tokens[at - 1]?.text ?? ""));
    // "members" are the rows of "Members", not the column "Member since".
    const isPart = item.type === "column" && item.concept === null && item.cost > 1;
    if (isPart && isSingle && (namesRows || computes)) return false;
    return item.type !== "row" || !isSingle || (!isValue && !namesColumn);
  };
}

/** A surface may be listed twice, as itself and as a singular. */
function distinctEdges(edges: readonly Edge[]): Edge[] {
  const keyOf = ({ to, item }: Edge) =>
    JSON.stringify([to, item], (name, value) =>
      name === "columns" || name === "column" ? [value].flat().map(({ index }) => index) : value,
    );
  return [...new Map(edges.map((edge) => [keyOf(edge), edge])).values()];
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

function wordEdges(tokens: readonly Token[], at: number, facts: TableFacts): Edge[] {
  const found = matchesAt(lexicon().meanings, tokens, at);
  // "sum" computes; it names no column of amounts.
  const computes = found.some(({ meaning }) => meaning.type === "op" && meaning.op === "agg");
  // "Old" is said of an age where a column has one, else of a date.
  const isAge = ({ meaning }: (typeof found)[number]) =>
    meaning.type === "adjective" && meaning.concept === "age";
  const hasAge = found.some(isAge) && columnsOfConcept(facts, "age").length > 0;
  const meant = found.filter((one) => !hasAge || isAge(one) || one.meaning.type !== "adjective");
  return meant.flatMap(({ meaning, to, exact }) =>
    (exact || mayBePlural(meaning)) && !(computes && meaning.type === "concept")
      ? edgesOf(meaning, to, to - at, facts)
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
  const of = (concept: string) => columnsOfConcept(facts, concept);
  switch (meaning.type) {
    case "free":
      return [{ to, item: null, cost: 0.4 + (length - 1) * 0.05 }];
    case "op":
      if (meaning.op === "row") return [{ to, item: { type: "row", isKey: false, cost: one } }];
      return [{ to, item: { ...meaning, cost: meaning.op === "colnoun" ? one - 0.6 : one } }];
    case "adjective": {
      const columns = of(meaning.concept);
      const isUsed = columns.length > 0 || meaning.degree === "superlative";
      return isUsed ? [{ to, item: { ...meaning, columns, cost: one } }] : [];
    }
    case "verb": {
      const { concepts } = meaning;
      const isLight = concepts[0] === "any" || concepts[0] === "link";
      const columns = isLight ? [] : [...new Set(concepts.flatMap(of))];
      if (columns.length === 0 && !isLight) return [];
      return [{ to, item: { type: "verb", concepts, columns, cost: one + 0.1 } }];
    }
    case "state": {
      const tests = stateTests(facts, meaning.state, meaning.polarity);
      return tests.length === 0 ? [] : [{ to, item: { type: "state", tests, cost: one } }];
    }
    case "unit":
      return [{ to, item: { ...meaning, cost: one } }];
    case "number":
      return [{ to, item: { ...meaning, unit: "", cost: one } }];
    case "ordinal":
      return [{ to, item: { ...meaning, cost: one } }];
    case "concept": {
      const { concept } = meaning;
      const named = of(concept);
      // Rows without a column of names are named by their key.
      const isName = named.length === 0 && concept === "name" && facts.key !== null;
      const columns = isName && facts.key ? [facts.key] : named;
      if (columns.length === 0) return [];
      return [{ to, item: { type: "column", columns, concept, cost: one + 0.8 } }];
    }
    case "noun": {
      const isEvident = facts.hasThings && meaning.evidence.some((name) => of(name).length > 0);
      return isEvident ? [{ to, item: { type: "row", isKey: false, cost: one + 0.3 } }] : [];
    }
  }
}
