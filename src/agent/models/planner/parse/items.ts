import type { Column } from "./table.ts";

/** A reading of a run of tokens. `from` and `to` are token numbers, the end excluded. */
export type Item = { from: number; to: number; cost: number; text: string } & (
  | { type: "op"; op: string; arg: string }
  /** Columns that the words may name; more than one if the words do not tell them apart. */
  | { type: "column"; columns: Column[]; concept: string | null }
  /** A value of cells, in each of its columns. */
  | { type: "value"; at: { column: Column; value: string; partial: boolean }[] }
  /** A word that is the header of a yes/no column, read as what holds of a row. */
  | { type: "flag"; column: Column; positive: boolean }
  | {
      type: "state";
      tests: { column: Column; test: "eq" | "ne" | "gt" | "lte"; value: string | number }[];
    }
  /** A noun for a row. */
  | {
      type: "row" /** Whether it is the header of the column that names the rows. */;
      isKey: boolean;
    }
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

/** Returns whether an item is the operator. */
export function isOp(item: Item | undefined, ...names: string[]): boolean {
  return item?.type === "op" && names.includes(item.op);
}
