import { Unaffordable, type WorkBudget } from "../work-budget.ts";

/** Steps within steps, and elements of a list that an expression makes or goes through. */
export const LIMITS = { stack: 1_000, sequence: 20_000 };

/** The size of a value written out: its characters, and 8 for each value. */
const MAX_SIZE = 16_000_000;
const MAX_NESTING = 100;
const VALUE_SIZE = 8;
/** The cost of going through a list for the first time, for each element. */
const ELEMENT_COST = 4;
const FUNCTION_SIZE = 100;

/** The cost of a value: written out, or of the elements of its arrays only. */
interface Measure {
  size: number;
  elements: number;
  nesting: number;
}

const SCALAR: Measure = { size: VALUE_SIZE, elements: 0, nesting: 0 };

/** What the evaluations of one request have measured: they read the same payload. */
const measures = new WeakMap<WorkBudget, WeakMap<object, Measure>>();

/**
 * Counts the work of one evaluation, since the clock of a Worker stands still while code runs. Values
 * share parts, so that a few steps can build one that takes forever to write out: sizes are those of the
 * value written out, measured once for each part (values never change once made).
 */
export class Meter {
  /** The cost of each match of a pattern besides the text that is read. */
  matchCost = 0;
  readonly #budget: WorkBudget;
  readonly #measures: WeakMap<object, Measure>;
  readonly #functions = new WeakSet<object>();

  constructor(budget: WorkBudget) {
    this.#budget = budget;
    this.#measures = measures.get(budget) ?? new WeakMap();
    measures.set(budget, this.#measures);
  }

  /** Notes a function of the expression: an object that leads to its scope, which is never measured. */
  markFunction(value: unknown): void {
    if (typeof value === "object" && value !== null) this.#functions.add(value);
  }

  isFunction(value: object): boolean {
    return typeof value === "function" || this.#functions.has(value);
  }

  spend(units: number): void {
    this.#budget.spend(units);
  }

  /** Measures a value; one that is too large or too deeply nested ends the evaluation. */
  measure(value: unknown): Measure {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new Unaffordable("makes a number that is not finite");
    }
    if (typeof value === "string") return { ...SCALAR, size: bounded(VALUE_SIZE + value.length) };
    if (typeof value !== "object" || value === null) return SCALAR;
    const known = this.#measures.get(value);
    if (known) return known;
    const measure = this.isFunction(value) ? { ...SCALAR, size: FUNCTION_SIZE } : this.#sum(value);
    this.#measures.set(value, measure);
    return measure;
  }

  #sum(value: object): Measure {
    const list = Array.isArray(value);
    const members: unknown[] = list ? value : Object.values(value);
    this.spend(members.length * ELEMENT_COST);
    let size = VALUE_SIZE + (list ? 0 : Object.keys(value).join("").length);
    let elements = members.length;
    let nesting = 0;
    for (const member of members) {
      const of = this.measure(member);
      size = bounded(size + of.size);
      if (list) elements += of.elements;
      nesting = Math.max(nesting, of.nesting + 1);
    }
    if (nesting > MAX_NESTING) throw new Unaffordable(`nests values more than ${MAX_NESTING} deep`);
    return { size, elements, nesting };
  }
}

function bounded(size: number): number {
  if (size > MAX_SIZE) throw new Unaffordable("makes a value that is too large");
  return size;
}
