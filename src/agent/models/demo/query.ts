import type { Piece } from "./piece.ts";
import type { Verb } from "./program.ts";
import {
  type FigureName,
  PARTS,
  type Query,
  type Selection,
  type Source,
  type Test,
} from "./program.ts";

const FIGURES: Partial<Record<Verb, FigureName>> = {
  count: "count",
  sum: "sum",
  average: "average",
  highest: "max",
  lowest: "min",
};
const CLAUSE = /(?:^| )(from|where|per|sorted by|by)(?= )/i;
const PART_OF = new RegExp(`^(${PARTS.join("|")}) of\\s`, "i");

/** Reads what stands behind `list`, `count`, a figure, `top` or `bottom`: what is taken, then clauses. */
export function parseQuery(piece: Piece, verb: Verb, text: string, data: string | null): Query {
  const [head = "", ...rest] = text.replace(PART_OF, "$1 from ").split(CLAUSE);
  const clauses = clausesOf(piece, rest);
  const isRanking = verb === "top" || verb === "bottom";
  const figure = FIGURES[verb] ?? null;
  const [, distinct, taken = ""] = /^(distinct )?(.*)$/is.exec(head.trim()) ?? [];
  const [, count, ranked = ""] = /^([1-9]\d{0,5})(?: (.+))?$/s.exec(taken) ?? [];
  if (isRanking && count === undefined) piece.fail("a number is expected");
  const select = selectionOf(piece, isRanking ? ranked || "rows" : taken);
  if (figure !== null && select.kind === "columns" && select.columns.length > 1) {
    piece.fail("a figure has one column");
  }
  return {
    select,
    distinct: distinct !== undefined,
    figure,
    ...fromOf(piece, clauses.get("from"), data),
    where: testsOf(piece, clauses.get("where")),
    per: groupsOf(piece, clauses.get("per"), figure),
    sort: sortOf(piece, clauses, verb),
    limit: isRanking ? Number(count) : null,
  };
}

/** Returns the text of each clause, which may stand once. */
function clausesOf(piece: Piece, parts: readonly string[]): Map<string, string> {
  const clauses = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) {
    const name = (parts[at] ?? "").toLowerCase();
    if (clauses.has(name)) piece.fail(`"${name}" may stand once in a command`);
    clauses.set(name, (parts[at + 1] ?? "").trim());
  }
  return clauses;
}

function selectionOf(piece: Piece, text: string): Selection {
  const [, under] = /^items under (.+)$/is.exec(text) ?? [];
  if (under !== undefined) {
    return { kind: "part", part: "items", under: piece.phrase(under, "a heading") };
  }
  const part = PARTS.find((name) => name === text.toLowerCase());
  if (part !== undefined) return { kind: "part", part, under: null };
  return { kind: "columns", columns: piece.phrases(text, "a column") };
}

function fromOf(
  piece: Piece,
  text: string | undefined,
  data: string | null,
): Pick<Query, "source" | "table"> {
  if (text === undefined) return { source: null, table: null };
  const [, caption, rest] = /^table (.+?) of (.+)$/is.exec(text) ?? [];
  const table = caption === undefined ? null : piece.phrase(caption, "a caption");
  return { table, source: sourceOf(piece, rest ?? text, data) };
}

function sourceOf(piece: Piece, text: string, data: string | null): Source {
  const url = piece.literal(text, "url");
  if (url !== null) return { kind: "page", url };
  const reference = piece.literal(text, "reference");
  if (reference !== null) return { kind: "input", path: reference.replace(/[{}\s]/g, "") };
  const words = text.toLowerCase();
  if (words === "the data" && data === null) {
    piece.fail("there is no data below the commands, after a blank line or in a fenced block");
  }
  if (words === "the data") return { kind: "data", text: data ?? "" };
  if (words === "the result") return { kind: "result" };
  if (words === "the event") return { kind: "event" };
  if (words === "the input" || words === "the inputs") return { kind: "input", path: null };
  const [, name] = /^input (\S+)$/i.exec(text) ?? [];
  if (name === undefined) piece.fail(`"${piece.written(text)}" is not a source`);
  return { kind: "input", path: name };
}

function groupsOf(piece: Piece, text: string | undefined, figure: FigureName | null): string[] {
  if (text === undefined) return [];
  if (figure === null) piece.fail('"per" belongs to count, sum, average, highest and lowest');
  return piece.phrases(text, "a column");
}

function sortOf(piece: Piece, clauses: Map<string, string>, verb: Verb): Query["sort"] {
  const isRanking = verb === "top" || verb === "bottom";
  const text = clauses.get(isRanking ? "by" : "sorted by");
  if ((isRanking && text === undefined) || clauses.has(isRanking ? "sorted by" : "by")) {
    piece.fail('top and bottom have "by COLUMN", the others may have "sorted by COLUMN"');
  }
  if (text === undefined) return null;
  const [, name = text, order] = /^(.+?) (ascending|descending)$/is.exec(text) ?? [];
  const isDown = verb === "top" || order?.toLowerCase() === "descending";
  return { column: piece.phrase(name, "a column"), direction: isDown ? "desc" : "asc" };
}

/** A column, a test in words or as a sign, and a value. "is above 10" and "above 10" say the same. */
const TEST =
  /^(.+?)\s*(?:\sis (not )?(empty)$|(?:\sis)?\s(above|below|at least|at most|contains|starts with|ends with)\s|\s(is not|is)\s|(!=|>=|<=|=|>|<))\s*(.*)$/is;
const TEST_NAMES: Record<string, Test["test"] | undefined> = {
  is: "eq",
  "=": "eq",
  "is not": "ne",
  "!=": "ne",
  above: "gt",
  ">": "gt",
  "at least": "gte",
  ">=": "gte",
  below: "lt",
  "<": "lt",
  "at most": "lte",
  "<=": "lte",
  contains: "contains",
  "starts with": "starts_with",
  "ends with": "ends_with",
};

/** Reads tests with "and" between them, such as `price is above 10 and kind is green`. */
export function testsOf(piece: Piece, text: string | undefined): Test[] {
  if (text === undefined) return [];
  return text.split(/ and /i).map((part) => {
    const [, name = "", not, empty, words, is, sign, value = ""] = TEST.exec(part) ?? [];
    const column = piece.phrase(name, "a column");
    if (empty !== undefined) {
      return { column, test: not === undefined ? "empty" : "not_empty", value: null };
    }
    const test = TEST_NAMES[(words ?? is ?? sign ?? "").toLowerCase()];
    if (test === undefined) return piece.fail(`"${piece.written(part)}" is not a test`);
    return { column, test, value: piece.phrase(value, "a value") };
  });
}
