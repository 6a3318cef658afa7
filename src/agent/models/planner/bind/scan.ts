import type { Json } from "../../../../contract/json.ts";
import type { DataOperation, ProcessDataInput } from "../../../../contract/tools/process-data.ts";
import { familyColumn } from "./columns.ts";
import type { Mentions } from "./mentions.ts";

export type Filter = Extract<DataOperation, { op: "filter" }>;
export type AggregateFn = Extract<
  ProcessDataInput["operations"][number],
  { op: "aggregate" }
>["aggregates"][number]["fn"];

export type Direction = "asc" | "desc";

/** A value of a cell that the prompt names, with its column; null where several columns have it. */
export interface NamedValue {
  column: string | null;
  value: string;
  listed: boolean;
}

/** Stands for the column of figures in an order: "sum the revenue by product and sort by it". */
export const FIGURE = "";

/** What an ask means for one table: columns by name, in the order in which it is worked out. */
export interface Query {
  filters: Filter[];
  /** Values of one column of which any will do; `said` tells what they have in common. */
  anyOf: { column: string; values: string[]; said?: string }[];
  distinct: string[] | null;
  groupBy: string[];
  aggregates: { fn: AggregateFn; column: string | null }[];
  sort: { column: string; direction: "asc" | "desc" } | null;
  limit: { count: number; from: "start" | "end" } | null;
  /** Whether only the last of the limited rows is meant: "the third row". */
  nth: boolean;
  /** The rows that have most or least of something, ties included. */
  extreme: { column: string; direction: "asc" | "desc"; value: boolean } | null;
  /** Whether the number of rows is the answer. */
  count: boolean;
  /** Whether the figures are the ends of a range whose width is wanted. */
  difference: boolean;
  /** The condition that is asked of all rows: "are all of them active". */
  every: Filter | null;
  /** What was not understood and leaves no answer: what is asked of all rows, which rows are to go. */
  unclear: "every" | "removed" | null;
  /** To how many decimals figures are to be rounded. */
  decimals: number | null;
  /** Whether that number is wanted as a share of all rows. */
  percent: boolean;
  /** Whether one of the filters is enough. */
  either: boolean;
  select: string[];
  /** The column that names the rows, where the ask calls the rows by it ("the countries"). */
  called: string | null;
  /** Names that the ask uses as columns and that the table has not. */
  missing: string[];
  /** Columns and values of the table that the ask names. */
  mentions: number;
  /** The words that no rule has read. */
  left: string;
}

/** A text whose parts are taken out as rules read them. */
export class Scan {
  text: string;
  readonly query: Query;
  readonly columns: readonly string[];
  readonly rows: readonly Json[][];
  readonly mentions: Mentions;
  readonly strings: readonly string[];

  constructor(
    mentions: Mentions,
    columns: readonly string[],
    rows: readonly Json[][],
    strings: readonly string[],
  ) {
    this.text = mentions.text;
    this.mentions = mentions;
    this.columns = columns;
    this.rows = rows;
    this.strings = strings;
    this.query = {
      filters: [],
      anyOf: [],
      distinct: null,
      groupBy: [],
      aggregates: [],
      sort: null,
      limit: null,
      nth: false,
      extreme: null,
      count: false,
      difference: false,
      every: null,
      unclear: null,
      decimals: null,
      percent: false,
      either: false,
      select: [],
      called: null,
      missing: [],
      mentions: 0,
      left: "",
    };
  }

  /** The first match, taken out of the text; null when there is none. */
  take(pattern: RegExp, keep = " "): RegExpExecArray | null {
    const match = pattern.exec(this.text);
    if (match === null) return null;
    const end = match.index + match[0].length;
    this.text = `${this.text.slice(0, match.index)} ${keep} ${this.text.slice(end)}`
      .replace(/ {2,}/g, " ")
      .trim();
    return match;
  }

  /** Takes every match, at most as many as a prompt can mean. */
  takeAll(pattern: RegExp): RegExpExecArray[] {
    const found: RegExpExecArray[] = [];
    while (found.length < 20) {
      const match = this.take(pattern);
      if (match === null) break;
      found.push(match);
    }
    return found;
  }

  /** The column's name behind `col3_`, or null for any other word. */
  column(token: string | undefined): string | null {
    const at = /^col(\d+)_$/.exec(token ?? "")?.[1];
    const index = at === undefined ? undefined : this.mentions.columns[Number(at)];
    return index === undefined ? null : (this.columns[index] ?? null);
  }

  /** The cell value behind `val3_`. */
  value(token: string | undefined): NamedValue | null {
    const at = /^val(\d+)_$/.exec(token ?? "")?.[1];
    const found = at === undefined ? undefined : this.mentions.values[Number(at)];
    if (found === undefined) return null;
    const column = found.column === null ? null : (this.columns[found.column] ?? null);
    return { ...found, column };
  }

  /** The words behind a placeholder, or the words themselves. */
  words(text: string): string {
    return text
      .replace(/str(\d+)_/g, (_raw, at: string) => this.strings[Number(at)] ?? "")
      .replace(/val(\d+)_/g, (_raw, at: string) => this.mentions.values[Number(at)]?.value ?? "")
      .replace(/col(\d+)_/g, (_raw, at: string) => this.mentions.words[Number(at)] ?? "")
      .trim();
  }

  family(name: string): string | null {
    const index = familyColumn(name, this.columns);
    return index === null ? null : (this.columns[index] ?? null);
  }

  cells(column: string): Json[] {
    const at = this.columns.indexOf(column);
    return this.rows.map((row) => row[at] ?? null);
  }
}
