import type { AGGREGATES, RowTest } from "../../../../contract/tools/process-data.ts";
import type { Item } from "./items.ts";
import type { Column } from "./table.ts";

export type Aggregation = (typeof AGGREGATES)[number];

/** What a question wants: its question word. */
export type Ask =
  | "show"
  | "which"
  | "what"
  | "who"
  | "where"
  | "when"
  | "howmany"
  | "howmuch"
  | "how"
  | "count"
  | "exists"
  | "every"
  | "percent"
  | "difference"
  | "range"
  | "yesno";

/** Rows must pass one of the tests. */
export interface Filter {
  tests: (RowTest & { column: string })[] | RowTest[];
  columns: Column[];
  /** Whether it is said of the rows ("are open") rather than part of their name ("open orders"). */
  said: boolean;
  /** The number of the first item that it came from. */
  origin: number;
}

/** An order of the rows. */
interface Order {
  column: Column;
  descending: boolean;
}

/** A superlative. */
interface Extreme {
  /** Null if it is of the groups' figures, or of how many rows they have. */
  column: Column | null;
  descending: boolean;
  /** Whether the value itself may be asked for: "the highest price", not "the cheapest". */
  figure: boolean;
  /** Whether it orders what was named before, with nothing of its own: "top 5". */
  alone: boolean;
  word: "most" | "highest" | "adjective";
}

/** A question on one table, put together from items. */
export interface Frame {
  ask: Ask | null;
  /** Columns to show. */
  wants: Column[];
  /** Columns to leave out. */
  drops: Column[];
  filters: Filter[];
  figures: { fn: Aggregation; column: Column | null }[];
  group: Column[];
  orders: Order[];
  /** A superlative: the rows with the largest or smallest value. */
  extreme: Extreme | null;
  /** Rows to keep of the order, or of the table. */
  limit: { count: number; from: "start" | "end" } | null;
  /** The n-th of the order. */
  rank: number | null;
  distinct: boolean;
  /** "most common": groups by how many rows they have. */
  common: "up" | "down" | null;
  /** The question is about rows that an earlier part left. */
  inherits: boolean;
  /** How many nouns for the rows occur, and whether all come after "of". */
  rows: number;
  possessed: boolean;
  verbs: Extract<Item, { type: "verb" }>[];
  /** Columns whose rows may have no value: "with a rating". */
  orMixed: boolean;
  /** Free texts such as the name of a result. */
  dedupe: boolean;
  /** "together": the figures of all rows are added. */
  together: boolean;
  /** The extreme is of two rows that are named: "who is older, Ann or Ben". */
  ofTwo: boolean;
  /** "more than 3 employees": a condition on how many rows, or on the only figure. */
  having: { test: "eq" | "gt" | "gte" | "lt" | "lte"; value: number } | null;
  /** Whether a noun stands in the plural, so that several rows may answer. */
  plural: boolean;
  /** "just the names": no other column is shown. */
  only: boolean;
  /** "Group them": an arrangement, even without figures. */
  grouping: boolean;
  /** "Does the page list X": the page is asked, not a row. */
  asksPage: boolean;
}

export function emptyFrame(): Frame {
  return {
    ask: null,
    wants: [],
    drops: [],
    filters: [],
    figures: [],
    group: [],
    orders: [],
    extreme: null,
    limit: null,
    rank: null,
    distinct: false,
    common: null,
    inherits: false,
    rows: 0,
    possessed: true,
    verbs: [],
    orMixed: false,
    dedupe: false,
    together: false,
    ofTwo: false,
    having: null,
    only: false,
    plural: false,
    grouping: false,
    asksPage: false,
  };
}
