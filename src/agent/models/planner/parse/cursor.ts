import type { Frame } from "./frame.ts";
import { emptyFrame } from "./frame.ts";
import { type Item, isOp } from "./items.ts";
import type { TableFacts } from "./table.ts";

/** The state of one reading of a sequence of items. Choices come from a script, so that all can be tried. */
export class Cursor {
  readonly frame: Frame = emptyFrame();
  readonly items: readonly Item[];
  readonly facts: TableFacts;
  at = 0;
  /** Whether the next predicate is negated. */
  negated = false;
  /** Whether all predicates of the clause say which rows to leave out. */
  dropping = false;
  /** Whether the next predicate is an alternative to the one before. */
  alternative = false;
  /** Whether the next predicate is said of the rows. */
  saidNext = false;
  /** Whether an order is announced whose column follows after its noun: "sort the goods by price". */
  sorting: "asc" | "desc" | null = null;
  /** Whether an earlier part left rows that "it" may name. */
  hasEarlier = false;
  /** How many predicates were joined by "and". */
  conjunctions = 0;
  /** The number of choices at each point that was reached. */
  readonly widths: number[] = [];
  readonly #script: readonly number[];

  constructor(items: readonly Item[], facts: TableFacts, script: readonly number[]) {
    this.items = items;
    this.facts = facts;
    this.#script = script;
  }

  peek(offset = 0): Item | undefined {
    return this.items[this.at + offset];
  }

  isOp(...names: string[]): boolean {
    return isOp(this.peek(), ...names);
  }

  /** Returns one of `width` choices, by the script. */
  choose(width: number): number {
    if (width < 2) return 0;
    const place = this.widths.length;
    this.widths.push(width);
    return this.#script[place] ?? 0;
  }

  /** Returns one of the values, by the script. */
  pick<T>(values: readonly T[]): T | undefined {
    return values[this.choose(values.length)];
  }

  /** Whether anything of the question was read besides its question word. */
  get hasContent(): boolean {
    const { wants, filters, figures, group, extreme, rows, orders, limit } = this.frame;
    return (
      rows + wants.length + filters.length + figures.length + group.length + orders.length > 0 ||
      extreme !== null ||
      limit !== null
    );
  }
}

const MAX_SCRIPTS = 24;

/** Runs a reading for every sequence of choices, up to a limit. */
export function withAllChoices<T>(
  read: (script: readonly number[]) => { result: T; widths: readonly number[] },
): T[] {
  const results: T[] = [];
  let script: number[] | null = [];
  while (script !== null && results.length < MAX_SCRIPTS) {
    const { result, widths } = read(script);
    results.push(result);
    script = nextScript(script, widths);
  }
  return results;
}

function nextScript(script: readonly number[], widths: readonly number[]): number[] | null {
  for (let place = widths.length - 1; place >= 0; place -= 1) {
    const chosen = script[place] ?? 0;
    if (chosen + 1 < (widths[place] ?? 0)) {
      return [...widths.slice(0, place).map((_, index) => script[index] ?? 0), chosen + 1];
    }
  }
  return null;
}
