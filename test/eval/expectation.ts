import type { NewOutput } from "../../src/agent/tools/tool.ts";
import type { Json } from "../../src/contract/json.ts";

/** A text or a number that must be found. */
export type Fact = string | number;

interface Value {
  is: "value";
  value: Fact;
}

interface RowsOptions {
  /** Whether the rows must be in this order. */
  ordered?: boolean;
  /** Whether the rows must have no other cells. */
  only?: boolean;
}

/** Rows by the cells that each must have. */
export interface Rows extends RowsOptions {
  is: "rows";
  rows: readonly (readonly Fact[])[];
}

/** One part of an answer. */
export type Answer = Value | Rows;

/** A file that must have been made. */
export interface FileExpectation {
  name?: string;
  format: "xlsx" | "csv" | "text";
  /** The cells of the first row of a workbook or a CSV file. */
  header?: readonly string[];
  /** The rows below it. */
  rows?: Rows;
  facts?: readonly Fact[];
}

/** An e-mail that must have been sent. */
export interface MailExpectation {
  to: readonly string[];
  subject?: string;
  /** What the text, or a file that is attached, must say. */
  facts?: readonly Fact[];
  /** What neither may say. */
  lacks?: readonly string[];
  attached?: readonly FileExpectation[];
}

/** A request that must have been sent, with exactly this body. */
export interface RequestExpectation {
  method: "POST";
  url: string;
  body: Json;
}

/** What a prompt that can be done must come to; nothing else may be sent. */
export interface Done {
  is: "done";
  answers?: readonly Answer[];
  /** The kind of output that must hold the answers. */
  output?: NewOutput["type"];
  /** Exactly this data, for prompts with a schema. */
  data?: Json;
  files?: readonly FileExpectation[];
  mails?: readonly MailExpectation[];
  requests?: readonly RequestExpectation[];
}

/** What a prompt must come to; one that cannot be done must not end `completed`. */
export type Want = Done | { is: "impossible"; because: string };

/** Returns an answer that is one value. */
export function aValue(fact: Fact): Value {
  return { is: "value", value: fact };
}

/** Returns an answer of rows with at least these cells. */
export function someRows(cells: Rows["rows"], options: RowsOptions = {}): Rows {
  return { is: "rows", rows: cells, ...options };
}

/** Returns an answer that is a list whose items have at least these facts. */
export function aList(facts: readonly Fact[]): Rows {
  return someRows(facts.map((fact) => [fact]));
}

/** Expects answers, files and effects. */
export function done(expected: Omit<Done, "is">): Done {
  return { is: "done", ...expected };
}

/** Expects several answers. */
export function parts(...answers: Answer[]): Done {
  return done({ answers });
}

/** Expects one value. */
export function value(fact: Fact): Done {
  return parts(aValue(fact));
}

/** Expects data of exactly this shape. */
export function data(json: Json): Done {
  return done({ data: json });
}

/** Expects that the prompt is not completed. */
export function impossible(because: string): Want {
  return { is: "impossible", because };
}
