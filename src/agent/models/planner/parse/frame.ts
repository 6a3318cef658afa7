import type { AGGREGATES, RowTest } from "../../../../contract/tools/process-data.ts";
import type { Column } from "./facts.ts";
import type { Item } from "./items.ts";

export type Aggregation = (typeof AGGREGATES)[number];

/** Question words, by the names that the lexicon gives them. */
export const ASKS = [
  ..."show which what who where when howmany howmuch how count exists every".split(" "),
  ..."percent yesno".split(" "),
];

/** Rows must pass one of the tests. */
export interface Filter {
  tests: RowTest[];
  columns: Column[];
  /** Whether it is a statement about the rows ("are open") rather than part of their name ("open orders"). */
  said: boolean;
}

/** A superlative. */
export interface Extreme {
  /** Null if it is of the groups' figures, or of how many rows they have. */
  column: Column | null;
  descending: boolean;
  /** Whether the value itself may be asked for: "the highest price", not "the cheapest". */
  figure: boolean;
  /** Whether it orders what was named before, with nothing of its own: "top 5". */
  alone: boolean;
  word: "most" | "highest" | "adjective";
}

/** The limit of an order that keeps all groups. */
export const WHOLE = { count: Number.MAX_SAFE_INTEGER, from: "start" } as const;

/** A question on one table, put together from phrases. */
export interface Frame {
  /** One of `ASKS`. */
  ask: string | null;
  /** Columns to show. */
  wants: Column[];
  filters: Filter[];
  figures: { fn: Aggregation; column: Column | null }[];
  group: Column[];
  orders: { column: Column; descending: boolean }[];
  extreme: Extreme | null;
  /** Rows to keep of the order, or of the table; infinitely many only order the groups. */
  limit: { count: number; from: "start" | "end" } | null;
  distinct: boolean;
  /** The question is about rows that an earlier part left. */
  inherits: boolean;
  /** How many nouns for the rows occur, and whether all come after "of". */
  rows: number;
  possessed: boolean;
  verbs: Extract<Item, { type: "verb" }>[];
  /** Duplicate rows are removed. */
  dedupe: boolean;
  /** "together": the figures of all rows are added. */
  together: boolean;
  /** Whether a noun stands in the plural, so that several rows may answer. */
  plural: boolean;
  /** "just the names": no other column is shown. */
  only: boolean;
  /** "Group them": an arrangement, even without figures. */
  grouping: boolean;
  /** "Does the page list X": the page is asked, not a row. */
  asksPage: boolean;
  /** Whether the next condition is a statement about the rows. */
  saysNext: boolean;
  /** Columns are said to be those of what was named: "agents with phone and e-mail". */
  tells: boolean;
  /** An order is announced whose column follows after its noun: "sort the goods by price". */
  sorting: "asc" | "desc" | null;
}

/** The frame of a question of which nothing is read. */
export const EMPTY: Frame = {
  ask: null,
  wants: [],
  filters: [],
  figures: [],
  group: [],
  orders: [],
  extreme: null,
  limit: null,
  distinct: false,
  inherits: false,
  rows: 0,
  possessed: true,
  verbs: [],
  dedupe: false,
  together: false,
  plural: false,
  only: false,
  grouping: false,
  asksPage: false,
  saysNext: false,
  tells: false,
  sorting: null,
};

/** Whether anything of the question was read besides its question word. */
export function hasContent(f: Frame): boolean {
  const lists = [f.wants, f.filters, f.figures, f.group, f.orders];
  return (
    f.rows > 0 || lists.some(({ length }) => length > 0) || f.extreme !== null || f.limit !== null
  );
}
