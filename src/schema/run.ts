import type { Json } from "../contract/json.ts";

/** Something in a value that breaks a rule of a schema. */
export interface Finding {
  /** Member names, and places in arrays from 0. */
  path: (string | number)[];
  /** The keyword that is broken. */
  rule: string;
  /** The end of a sentence about the value. */
  message: string;
}

/** Where in the value a rule is applied; null for the whole. */
export type Place = { parent: Place; step: string | number } | null;

/** The members or items of one value that a rule has looked at; null where nobody asks. */
export type Seen = Set<string | number> | null;

/** Checks a value against one rule and reports what breaks it. */
export type Rule = (value: Json, at: Place, run: Run, seen: Seen) => boolean;

/** Schemas within schemas: more than any honest schema needs, and less than the stack holds. */
const MAX_DEPTH = 1_000;

/** Checking takes longer than it may. */
export class TooMuchWork extends Error {}

/** One check of a value: what was found so far, and how much work may still be done. */
export class Run {
  readonly findings: Finding[] = [];
  /** Findings beyond those that are kept. */
  more = 0;
  readonly #maxFindings: number;
  #steps: number;
  #depth = 0;
  #quiet = false;

  constructor(maxFindings: number, maxSteps: number) {
    this.#maxFindings = maxFindings;
    this.#steps = maxSteps;
  }

  /** Whether only the answer counts: what is found is not told, and the first finding is enough. */
  get quiet(): boolean {
    return this.#quiet;
  }

  /** Throws a `TooMuchWork` when too little is left. A step is about 100 ns. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new TooMuchWork();
  }

  /** For what cannot be found out in bounded time. */
  giveUp(): never {
    throw new TooMuchWork();
  }

  /** Notes what breaks a rule. It answers false, as the rule then does. */
  report(at: Place, rule: string, message: string): false {
    if (this.#quiet) return false;
    if (this.findings.length < this.#maxFindings) {
      this.findings.push({ path: pathOf(at), rule, message });
    } else {
      this.more += 1;
    }
    return false;
  }

  /** Applies a rule within a rule. */
  apply(rule: Rule, value: Json, at: Place, seen: Seen): boolean {
    this.spend(1);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooMuchWork();
    const holds = rule(value, at, this, seen);
    this.#depth -= 1;
    return holds;
  }

  /** Applies a rule whose findings are none of the whole's. */
  applyQuietly(rule: Rule, value: Json, at: Place, seen: Seen): boolean {
    const before = this.#quiet;
    this.#quiet = true;
    const holds = this.apply(rule, value, at, seen);
    this.#quiet = before;
    return holds;
  }
}

function pathOf(at: Place): Finding["path"] {
  const path: Finding["path"] = [];
  for (let place = at; place !== null; place = place.parent) path.unshift(place.step);
  return path;
}
