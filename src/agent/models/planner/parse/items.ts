import type { Column, Place, StateTest } from "./facts.ts";

/** A reading of a run of tokens. */
export type Item = {
  cost: number;
  text: string /** The number of the first token. */;
  from: number;
} & (
  | { type: "op"; op: string; arg: string }
  /** Columns that the words may name; several if the words fit several. */
  | { type: "column"; columns: Column[]; concept: string | null }
  /** A value of cells, in each of its columns. */
  | { type: "value"; at: Place[] }
  /** A word that is the header of a yes/no column, read as a property of a row. */
  | { type: "flag"; column: Column; positive: boolean }
  | { type: "state"; tests: StateTest[] }
  /** A noun for a row; `isKey` if it is the header of the column that names the rows. */
  | { type: "row"; isKey: boolean }
  | { type: "number"; value: number; unit: string }
  | { type: "ordinal"; value: number }
  | { type: "date"; start: string; until: string }
  | { type: "quote"; value: string }
  /** A time of day, as "09:05". */
  | { type: "time"; value: string }
  | {
      type: "adjective";
      columns: Column[];
      concept: string;
      more: boolean;
      degree: "base" | "comparative" | "superlative";
    }
  | { type: "verb"; concepts: string[]; columns: Column[] }
  | { type: "unit"; unit: string; concepts: string[] }
  | { type: "unknown" }
) & {
    /** The free words just before, such as "in", "the" or "are". */
    lead: string[];
  };

type Bare<T> = T extends unknown ? Omit<T, "from" | "text" | "lead"> : never;

/** An item before its free words are known, or a run of free words. */
export type Edge = { to: number } & ({ item: Bare<Item> } | { item: null; cost: number });

/** Returns whether an item is one of the operators. */
export function isOp(item: Item | undefined, ...names: string[]): boolean {
  return item?.type === "op" && names.includes(item.op);
}
