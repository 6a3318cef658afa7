import type { PayloadValue } from "../../contract/webhooks/payload.ts";

/** The work of mapping one request, in units of 10 to 25 ns: less than 100 ms. */
const MAX_WORK = 3_300_000;
/** The cost of reading a text or a name once, for each character. */
const CHARACTER_COST = 0.3;
/** The cost of each value in an object or an array, and of each name. */
const VALUE_COST = 30;

/** How often a value is passed on for the cost of reading it. */
const PASSING = 10;

/** An expression or a transform exceeds a limit; the message follows "it". */
export class Unaffordable extends Error {
  constructor(message = "takes too much work for one request") {
    super(message);
  }
}

/** The work that the mapping of one request may still take: all its fields share it. */
export class WorkBudget {
  #left = MAX_WORK;
  /** The cost of containers, which never change. */
  readonly #costs = new WeakMap<object, number>();

  /** Takes units; throws an `Unaffordable` when too few are left. */
  spend(units: number): void {
    this.#left -= units;
    // NaN must not pass.
    if (!(this.#left >= 0)) throw new Unaffordable();
  }

  /** Takes the units for reading a value once. */
  spendReading(value: PayloadValue): void {
    this.spend(this.#costOf(value));
  }

  /** Takes the units for passing a value on: it is only looked through. */
  spendPassing(value: PayloadValue): void {
    this.spend(this.#costOf(value) / PASSING);
  }

  #costOf(value: PayloadValue): number {
    if (typeof value === "string") return VALUE_COST + value.length * CHARACTER_COST;
    if (value === null || typeof value !== "object") return VALUE_COST;
    const known = this.#costs.get(value);
    if (known !== undefined) return known;
    const names = Array.isArray(value) ? [] : Object.keys(value);
    const length = names.reduce((sum, name) => sum + name.length, 0);
    const cost = Object.values(value).reduce<number>(
      (sum, member) => sum + this.#costOf(member),
      VALUE_COST + length * CHARACTER_COST,
    );
    this.#costs.set(value, cost);
    return cost;
  }
}
