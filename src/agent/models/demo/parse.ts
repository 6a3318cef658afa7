import type { AGGREGATES, DataOperation } from "../../../contract/tools/data.ts";
import { Masked, Piece } from "./piece.ts";
import {
  type Action,
  type Command,
  FILE_FORMATS,
  isVerb,
  METHODS,
  PARTS,
  type Query,
  type Selection,
  type Source,
  type Test,
  type Verb,
} from "./program.ts";
import { columnIn } from "./tables.ts";

/**
 * The ends of commands: the end of a line (unless the next one goes on with a clause) or of a sentence,
 * ";" and "then". `save as`, `mail to` and `send` may follow a comma or "and" as well.
 */
const SEPARATOR =
  /(\s*(?:\n(?!\s*(?:(?:from|where|per|sorted by|subject|with)\s|[\ue000-\uf8ff](?:\n|$)))|;|\.(?=\s|$)|,?\s*(?:\band )?\bthen\b,?|(?:,\s*and|,|\band)(?= (?:save as|mail to|send (?:get|post|put|patch|delete))\s))\s*)/i;

/**
 * Reads a prompt or a message as commands. `data` is what "the data" stands for where the text has no
 * block of its own. Every word is read: one that a command has no room for throws `Misread`.
 */
export function parse(text: string, data: string | null): Command[] {
  const { commands: written, block } = splitData(text);
  const masked = new Masked(written);
  const commands: Command[] = [];
  let start = 0;
  for (const [index, part] of masked.text.split(SEPARATOR).entries()) {
    const place = start + part.length - part.trimStart().length;
    start += part.length;
    // Every second part is a separator.
    if (index % 2 === 1 || part.trim() === "") continue;
    commands.push(commandOf(masked, part.trim(), place, block ?? data));
  }
  return commands;
}

/**
 * Splits a text into its commands and the data below them: a fenced block that is not the code of `run`,
 * or, where the commands speak of "the data", what follows a blank line or a line that ends with a colon.
 */
export function splitData(text: string): { commands: string; block: string | null } {
  const fenced = [...text.matchAll(/```[a-z]*[^\S\n]*\n([\s\S]*?)```/g)].find(
    ({ index }) => !/\brun\s*$/i.test(text.slice(0, index)),
  );
  if (fenced !== undefined) {
    const before = text.slice(0, fenced.index).trimEnd().replace(/:$/, "");
    const after = text.slice(fenced.index + fenced[0].length);
    return { commands: `${before}\n${after}`, block: fenced[1] ?? "" };
  }
  const gap = /:[^\S\n]*\n|\n[^\S\n]*\n/.exec(text);
  if (gap === null || !/\bthe data\b/i.test(text.slice(0, gap.index))) {
    return { commands: text, block: null };
  }
  const block = text.slice(gap.index + gap[0].length).trim();
  return { commands: text.slice(0, gap.index), block };
}

function commandOf(masked: Masked, text: string, start: number, data: string | null): Command {
  const [, first = "", rest = ""] = /^([a-z]+)(?:\s+(.*))?$/is.exec(text) ?? [];
  const word = first.toLowerCase();
  const verb = isVerb(word) ? word : null;
  const piece = new Piece(masked, start, verb);
  const says = piece.written(text);
  if (verb === null) return piece.fail(`"${says.split(/\s/, 1)[0]}" is not a command`);
  return { says, action: actionOf(piece, verb, rest, data) };
}

function actionOf(piece: Piece, verb: Verb, text: string, data: string | null): Action {
  switch (verb) {
    case "open":
      return { kind: "open", url: urlOf(piece, text) };
    case "say":
      return { kind: "say", text: piece.literal(text, "quote") ?? piece.written(text) };
    case "ask":
      return { kind: "ask", question: literalOf(piece, text, "quote", "a question in quotes") };
    case "run":
      return { kind: "run", code: literalOf(piece, text, "block", "code in a fenced block") };
    case "send":
      return sendOf(piece, text);
    case "save":
      return saveOf(piece, text);
    case "mail":
      return mailOf(piece, text);
    case "wait":
      return waitOf(piece, text);
    default:
      return { kind: "query", query: parseQuery(piece, verb, text, data) };
  }
}

const literalOf = (piece: Piece, text: string, kind: "quote" | "block" | "json", what: string) =>
  piece.literal(text, kind) ?? piece.fail(`${what} is expected`);

function urlOf(piece: Piece, text: string): string {
  return (
    piece.literal(text, "url", "reference") ??
    piece.fail(`"${piece.written(text)}" is not an address`)
  );
}

function sendOf(piece: Piece, text: string): Action {
  const [, word, url = "", body] = /^(\w+) (\S)(?: with (.+))?$/is.exec(text) ?? [];
  const method = METHODS.find((name) => name === word?.toUpperCase());
  if (method === undefined) return piece.fail("a method and an address are expected");
  const sent = { kind: "send" as const, method, url: urlOf(piece, url) };
  if (body === undefined) return { ...sent, body: { kind: "none" } };
  if (/^the result$/i.test(body)) return { ...sent, body: { kind: "result" } };
  const json = literalOf(piece, body, "json", "valid JSON, or the result,");
  return { ...sent, body: { kind: "json", text: json } };
}

function saveOf(piece: Piece, text: string): Action {
  const [, name = ""] = /^as (\S+|.)$/is.exec(text) ?? [];
  const filename = piece.literal(name, "quote") ?? name;
  const extension = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase();
  const format = FILE_FORMATS.find((known) => known === extension);
  if (format === undefined)
    return piece.fail("a file's name with .xlsx, .csv or .json is expected");
  return { kind: "save", filename, format };
}

function mailOf(piece: Piece, text: string): Action {
  const [, recipients = "", title] = /^to (.+?)(?: subject (.+))?$/is.exec(text) ?? [];
  const to = piece.phrases(recipients, "an address");
  const wrong = to.find((address) => !/^(?:[^\s@]+@[^\s@]+\.[^\s@]+|\{\{.*\}\})$/.test(address));
  if (wrong !== undefined) return piece.fail(`"${wrong}" is not an e-mail address`);
  return {
    kind: "mail",
    to,
    subject: title === undefined ? null : piece.phrase(title, "a subject"),
  };
}

const SECONDS: Record<string, number | undefined> = { minute: 60, hour: 3_600, day: 86_400 };
const MAX_WAIT_SECONDS = 90 * 86_400;
const WAIT =
  /^until (ep_\w+|\S) receives an event whose (.+?)(?:,? for at most (\d+) (minute|hour|day)s?)?$/is;

function waitOf(piece: Piece, text: string): Action {
  const [, endpoint = "", tests, count = "1", unit = "day"] = WAIT.exec(text) ?? [];
  const endpointId = piece.literal(endpoint, "reference", "quote") ?? endpoint;
  if (endpoint === "") return piece.fail("an endpoint and a test of its events are expected");
  const timeoutSeconds = Number(count) * (SECONDS[unit.toLowerCase()] ?? 0);
  if (timeoutSeconds < 1 || timeoutSeconds > MAX_WAIT_SECONDS) {
    return piece.fail("at most 90 days can be waited");
  }
  const where = testsOf(piece, tests);
  const wrong = where.find(({ test }) => /with|contains|empty/.test(test))?.test;
  if (wrong !== undefined) return piece.fail(`events cannot be tested by "${wrong}"`);
  return { kind: "wait", endpointId, where, timeoutSeconds };
}

type Sort = Extract<DataOperation, { op: "sort" }>;
type FigureName = (typeof AGGREGATES)[number];

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
function parseQuery(piece: Piece, verb: Verb, text: string, data: string | null): Query {
  const [head = "", ...rest] = text.replace(PART_OF, "$1 from ").split(CLAUSE);
  const clauses = clausesOf(piece, rest);
  const isRanking = verb === "top" || verb === "bottom";
  const figure = FIGURES[verb] ?? null;
  const [, distinct, taken = ""] = /^(distinct )?(.*)$/is.exec(head.trim()) ?? [];
  const [, count, ranked = ""] = /^([1-9]\d{0,5})(?: (.+))?$/s.exec(taken) ?? [];
  if (isRanking && count === undefined) piece.fail("a number is expected");
  const select = selectionOf(piece, isRanking ? ranked || "rows" : taken);
  const columns = select.part === "rows" ? select.columns : [];
  if (figure !== null && columns.length > 1) piece.fail("a figure has one column");
  const { source, caption } = fromOf(piece, clauses.get("from"), data);
  const tests = testsOf(piece, clauses.get("where"));
  const by = groupsOf(piece, clauses.get("per"), figure);
  const sort = sortOf(piece, clauses, verb);
  const filters = tests.map((test) => ({ op: "filter" as const, ...test }));
  // The order of figures is by a column of the result.
  const sorted = sort !== null && figure === null ? [sort.by] : [];
  const named = [...columns, ...tests.map(({ column }) => column), ...by, ...sorted];
  const shown = /^(?:headings|text)$/.test(select.part) ? ["text"] : columns;
  const unique: DataOperation[] = [
    ...(shown.length > 0 ? [{ op: "select" as const, columns: [...by, ...shown] }] : []),
    ...(distinct === undefined ? [] : [{ op: "distinct" as const }]),
  ];
  const limit = isRanking
    ? [{ op: "limit" as const, count: Number(count), from: "start" as const }]
    : [];
  const rows = [...filters, ...(sort === null ? [] : [sort]), ...limit, ...unique];
  const counted = [...filters, ...(distinct === undefined ? [] : unique)];
  return {
    source,
    select: select.part === "rows" ? { part: "rows", caption, columns: named } : select,
    operations: figure === null ? rows : [...counted, ...figureOf(figure, columns[0], by, sort)],
    isFigure: figure !== null && by.length === 0,
  };
}

/** Returns the operations of a figure. It is sorted by the name of its column as well. */
function figureOf(
  fn: FigureName,
  column: string | undefined,
  by: string[],
  sort: Sort | null,
): DataOperation[] {
  const aggregate = column === undefined ? { fn } : { fn, column };
  const name =
    column !== undefined && sort && columnIn([column], sort.by) ? `${fn} of ${column}` : null;
  return [
    { op: "aggregate", by, aggregates: [aggregate] },
    ...(sort === null ? [] : [{ ...sort, by: name ?? sort.by }]),
  ];
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
  if (under !== undefined) return { part: "items", under: piece.phrase(under, "a heading") };
  const part = PARTS.find((name) => name === text.toLowerCase()) ?? null;
  if (part === "items") return { part, under: null };
  if (part !== null && part !== "rows") return { part };
  const columns = part === "rows" ? [] : piece.phrases(text, "a column");
  return { part: "rows", caption: null, columns };
}

function fromOf(
  piece: Piece,
  text: string | undefined,
  data: string | null,
): { source: Source | null; caption: string | null } {
  if (text === undefined) return { source: null, caption: null };
  const [, written, rest] = /^table (.+?) of (.+)$/is.exec(text) ?? [];
  const caption = written === undefined ? null : piece.phrase(written, "a caption");
  return { caption, source: sourceOf(piece, rest ?? text, data) };
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

function sortOf(piece: Piece, clauses: Map<string, string>, verb: Verb): Sort | null {
  const isRanking = verb === "top" || verb === "bottom";
  const text = clauses.get(isRanking ? "by" : "sorted by");
  if ((isRanking && text === undefined) || clauses.has(isRanking ? "sorted by" : "by")) {
    piece.fail('top and bottom have "by COLUMN", the others may have "sorted by COLUMN"');
  }
  if (text === undefined) return null;
  const [, name = text, order] = /^(.+?) (ascending|descending)$/is.exec(text) ?? [];
  const isDown = verb === "top" || order?.toLowerCase() === "descending";
  return { op: "sort", by: piece.phrase(name, "a column"), direction: isDown ? "desc" : "asc" };
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

/** What an unquoted value has no room for: "is more than 5" and "is rye or spelt" compare with no text. */
const COMPARING =
  /^(?:not|above|below|over|under|between|before|after|at least|at most|equal to|contains|starts with|ends with|one of|any|either)\b|\b(?:or|than)\b|, /i;

/** Reads tests with "and" between them, such as `price is above 10 and kind is green`. */
function testsOf(piece: Piece, text: string | undefined): Test[] {
  if (text === undefined) return [];
  return text.split(/ and /i).map((part) => {
    const [, name = "", not, empty, words, is, sign, value = ""] = TEST.exec(part) ?? [];
    const column = piece.phrase(name, "a column");
    if (empty !== undefined) {
      return { column, test: not === undefined ? "empty" : "not_empty" };
    }
    const test = TEST_NAMES[(words ?? is ?? sign ?? "").toLowerCase()];
    if (test === undefined) return piece.fail(`"${piece.written(part)}" is not a test`);
    const given = piece.phrase(value, "a value");
    const isNumber = /^[gl]t/.test(test);
    const isUnread = isNumber ? !/\d/.test(value) : COMPARING.test(value);
    if (isUnread && piece.literal(value, "quote", "reference") === null)
      piece.fail(`"${given}" is not a ${isNumber ? "number" : "value, unless it is quoted"}`);
    return { column, test, value: given };
  });
}
