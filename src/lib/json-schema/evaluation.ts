import type { Json } from "../json-values.ts";

/** A keyword of a schema that a value violates. */
export interface SchemaViolation {
  /** Member names, and indexes of arrays. */
  path: (string | number)[];
  rule: string;
  /** The predicate of a sentence about the value, such as "must be an object". */
  message: string;
}

/** The place of a value within the validated one; null for the whole. */
export type Location = { parent: Location; step: string | number } | null;

/** The members or items of a value that a rule has evaluated; null where no rule asks for them. */
export type Evaluated = Set<string | number> | null;

/** Checks a value and reports what violates the rule. */
export type Rule<Value extends Json = Json> = (
  value: Value,
  at: Location,
  evaluation: Evaluation,
  evaluated: Evaluated,
) => boolean;

/** Schemas within schemas: more than useful schemas have, and less than the stack holds. */
const MAX_DEPTH = 500;

/** The evaluation takes more steps than it may. */
export class TooMuchWork extends Error {}

/** One evaluation of a value against a schema: its violations, and the steps that it may still take. */
export class Evaluation {
  readonly violations: SchemaViolation[] = [];
  /** Violations beyond `maxViolations`. */
  omitted = 0;
  readonly #maxViolations: number;
  #steps: number;
  #depth = 0;
  #quiet = false;

  constructor(maxViolations: number, maxSteps: number) {
    this.#maxViolations = maxViolations;
    this.#steps = maxSteps;
  }

  /** Whether only the answer counts: violations are not kept, and the first one is enough. */
  get quiet(): boolean {
    return this.#quiet;
  }

  /** Takes steps of about 100 ns; throws a `TooMuchWork` when too few are left. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new TooMuchWork();
  }

  /** Keeps a violation. Returns false, the result of the violated rule. */
  report(at: Location, rule: string, message: string): false {
    if (this.#quiet) return false;
    if (this.violations.length < this.#maxViolations) {
      this.violations.push({ path: pathOf(at), rule, message });
    } else {
      this.omitted += 1;
    }
    return false;
  }

  /** Checks every part, to report all violations; a quiet evaluation stops at the first. */
  every<Part>(parts: Iterable<Part>, check: (part: Part) => boolean): boolean {
    let valid = true;
    for (const part of parts) {
      if (check(part)) continue;
      if (this.#quiet) return false;
      valid = false;
    }
    return valid;
  }

  /** Applies a rule within another one. */
  apply(rule: Rule, value: Json, at: Location, evaluated: Evaluated = null): boolean {
    this.spend(1);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooMuchWork();
    const valid = rule(value, at, this, evaluated);
    this.#depth -= 1;
    return valid;
  }

  /** Applies a rule to a member or an item, which is evaluated then. */
  applyTo(
    [step, part]: readonly [string | number, Json],
    rule: Rule,
    parent: Location,
    evaluated: Evaluated,
  ): boolean {
    evaluated?.add(step);
    return this.apply(rule, part, { parent, step });
  }

  /** Applies a rule to the value itself: what it evaluated counts only if the value is valid. */
  applyInPlace(rule: Rule, value: Json, at: Location, evaluated: Evaluated): boolean {
    const own: Evaluated = evaluated === null ? null : new Set();
    const valid = this.apply(rule, value, at, own);
    this.spend(own?.size ?? 0);
    if (valid) for (const step of own ?? []) evaluated?.add(step);
    return valid;
  }

  /** Tests what does not make the whole value invalid if it is not the case. */
  quietly(test: () => boolean): boolean {
    const before = this.#quiet;
    this.#quiet = true;
    const valid = test();
    this.#quiet = before;
    return valid;
  }
}

function pathOf(at: Location): SchemaViolation["path"] {
  const path: SchemaViolation["path"] = [];
  for (let place = at; place !== null; place = place.parent) path.unshift(place.step);
  return path;
}
