import type { Answer, CaseInput, Done, Fact } from "./expectation.ts";

type Want = CaseInput["want"];
type DoneInput = Omit<Extract<Want, { is: "done" }>, "is">;
type Value = Extract<Answer, { is: "value" }>;
type Rows = Extract<Answer, { is: "rows" }>;

interface RowsOptions {
  /** Whether the rows must be in this order. */
  ordered?: boolean;
  /** Whether the rows must have no other cells. */
  only?: boolean;
}

/** Returns an answer that is one value. */
export function aValue(fact: Fact, tolerance?: number): Value {
  return { is: "value", value: fact, ...(tolerance === undefined ? {} : { tolerance }) };
}

/** Returns an answer of rows with at least these cells. */
export function someRows(cells: readonly (readonly Fact[])[], options: RowsOptions = {}): Rows {
  const { ordered = false, only = false } = options;
  return { is: "rows", rows: cells.map((row) => [...row]), ordered, only };
}

/** Returns an answer that is a list whose items have at least these facts. */
export function aList(facts: readonly Fact[], options: RowsOptions = {}): Rows {
  return someRows(
    facts.map((fact) => [fact]),
    options,
  );
}

/** Expects one of several answers, such as names or numbers of the same things. */
export function either(...of: Exclude<Answer, { is: "either" }>[]): Want {
  return parts({ is: "either", of });
}

/** Expects one value. */
export function value(fact: Fact, tolerance?: number): Want {
  return parts(aValue(fact, tolerance));
}

/** Expects rows with at least these cells. */
export function rows(cells: readonly (readonly Fact[])[], options: RowsOptions = {}): Want {
  return parts(someRows(cells, options));
}

/** Expects a list whose items have at least these facts. */
export function list(facts: readonly Fact[], options: RowsOptions = {}): Want {
  return parts(aList(facts, options));
}

/** Expects several answers. */
export function parts(...answers: Answer[]): Want {
  return done({ answers });
}

/** Expects answers, files and effects. */
export function done(expected: DoneInput): Want {
  return { is: "done", ...expected };
}

/** Expects data of exactly this shape. */
export function data(json: Exclude<Done["data"], undefined>): Want {
  return done({ data: json });
}

/** Expects that the prompt is not completed. */
export function impossible(because: string): Want {
  return { is: "impossible", because };
}

/** Expects a question or a refusal. */
export function ambiguous(because: string): Want {
  return { is: "ambiguous", because };
}
