import type { Json } from "../../../../contract/json.ts";
import type { DataContent } from "../../../../contract/tools/process-data.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { applyOperations } from "../../../tools/process-data.ts";
import { labelColumn } from "../bind/columns.ts";
import { isOperative } from "../bind/query.ts";
import type { Filter, Query } from "../bind/scan.ts";
import type { Form } from "../plan/types.ts";
import { figureName, pickedRows } from "../steps/compile.ts";
import type { Sheet } from "../view/sheets.ts";
import { everyPart } from "./every.ts";
import type { Part } from "./parts.ts";
import {
  counted,
  dressed,
  dressOf,
  listed,
  placeOf,
  recordsOf,
  tableText,
  valuesText,
} from "./words.ts";

/** What a process_data call answered about a sheet. */
export interface Answered {
  sheet: Sheet;
  query: Query;
  content: DataContent;
  callId: string;
  label: string;
  /** What one row is: "e-mail address", "link", "row". */
  noun: string;
  form: Form;
}

const TESTS: Record<Filter["test"], string> = {
  eq: "is",
  ne: "is not",
  gt: "is over",
  gte: "is at least",
  lt: "is under",
  lte: "is at most",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  empty: "is empty",
  not_empty: "is given",
};

function conditionText({ column, test, value }: Filter): string {
  return `${column ?? "a value"} ${TESTS[test]}${value === undefined ? "" : ` ${value}`}`;
}

/** The conditions of a query in words: " where Country is France and Age is over 30". */
function conditions(query: Query): string {
  const single = query.filters.map(conditionText);
  const any = query.anyOf.map(
    ({ column, values, said }) => `${column} ${said ?? `is ${values.join(" or ")}`}`,
  );
  const either = query.either ? [single.join(" or ")] : single;
  const all = [...either, ...any];
  return all.length === 0 ? "" : ` where ${listed(all)}`;
}

function cellsOf(sheet: Sheet, column: string): Json[] {
  const at = sheet.columns.indexOf(column);
  return sheet.rows.map((row) => row[at] ?? null);
}

/** How many rows a query's figures are made of. */
function rowsBehind({ sheet, query }: Answered): number {
  const rows = pickedRows(sheet, query);
  const kept = applyOperations({ columns: sheet.columns, rows }, query.either ? [] : query.filters);
  return kept.ok ? kept.value.table.rows.length : -1;
}

/** A count as a percentage of all rows, with at most 2 decimals. */
function shareOf({ sheet }: Answered, count: Json): number {
  return sheet.rows.length === 0
    ? 0
    : Number(((100 * Number(count)) / sheet.rows.length).toFixed(2));
}

function shareText(answered: Answered, count: Json): string {
  const { sheet, query, noun } = answered;
  const share = shareOf(answered, count);
  return `${share}% (${cellText(count)} of ${counted(sheet.rows.length, noun)})${conditions(query)} on ${placeOf(sheet.pages)}.`;
}

function rounded(value: Json, decimals: number | null): Json {
  if (typeof value !== "number" || decimals === null) return value;
  return Number(value.toFixed(Math.min(decimals, 10)));
}

function figuresPart(answered: Answered): Piece {
  const { sheet, query, content } = answered;
  const row = content.rows[0] ?? [];
  const behind = rowsBehind(answered);
  const over = behind < 0 ? "" : ` over ${counted(behind, answered.noun)}`;
  const where = conditions(query);
  const named: Record<string, Json> = Object.fromEntries(
    content.columns.map((name, at) => [name, rounded(row[at] ?? null, query.decimals)]),
  );
  const sentences = content.columns.map((name) => {
    const value = named[name] ?? null;
    if (name === "count" && query.percent) return shareText(answered, value);
    if (name === "count")
      return `There ${value === 1 ? "is" : "are"} ${counted(Number(value), answered.noun)}${where} on ${placeOf(sheet.pages)}.`;
    if (value === null) return `There are no numbers for the ${name}${where}.`;
    const aggregate = query.aggregates.find((one) => figureName(one) === name);
    const dress =
      aggregate?.column && aggregate.fn !== "count"
        ? dressOf(cellsOf(sheet, aggregate.column))
        : null;
    return `The ${name}${over}${where} is ${dressed(value, dress)}.`;
  });
  const values = Object.values(named);
  if (query.percent) {
    const share = shareOf(answered, values[0] ?? null);
    return { summary: sentences.join(" "), data: share, records: [{ percentage: share }] };
  }
  const [low, high] = values;
  if (query.difference && typeof low === "number" && typeof high === "number") {
    const column = query.aggregates[0]?.column ?? "";
    const width = Number((high - low).toFixed(10));
    const said = `The difference is ${dressed(width, dressOf(cellsOf(sheet, column)))}.`;
    return {
      summary: `${sentences.join(" ")} ${said}`,
      data: width,
      records: [{ ...named, difference: width }],
    };
  }
  const data = values.length === 1 ? (values[0] ?? null) : named;
  return { summary: sentences.join(" "), data, records: [named] };
}

function extremePart(answered: Answered): Piece {
  const { query, content, sheet } = answered;
  const { extreme } = query;
  const name =
    query.groupBy.length > 0
      ? (content.columns.find((column) => / of |^count$/.test(column)) ?? "")
      : (extreme?.column ?? "");
  const at = content.columns.indexOf(name);
  const best = content.rows[0]?.[at] ?? null;
  const rows = content.rows
    .filter((row) => cellText(row[at] ?? null) === cellText(best))
    .slice(0, 20);
  const records = recordsOf(content.columns, rows);
  const label = query.groupBy.length > 0 ? 0 : labelColumn(content.columns, content.rows);
  const names = rows.map((row) => cellText(row[label] ?? null));
  const most = extreme?.direction === "desc" ? "highest" : "lowest";
  const dress =
    query.groupBy.length > 0 && extreme !== null ? dressOf(cellsOf(sheet, extreme.column)) : null;
  const value = dressed(best, dress);
  const whose =
    label === at
      ? `The ${most} ${name}${conditions(query)} is ${value}.`
      : `${listed(names)} ${names.length === 1 ? "has" : "have"} the ${most} ${name}${conditions(query)}: ${value}.`;
  const others =
    records.length === 1 ? describe(records[0] ?? {}, [name, content.columns[label] ?? ""]) : "";
  const data: Json = extreme?.value ? best : records.length === 1 ? (records[0] ?? null) : records;
  return { summary: `${whose}${others}`, data, records };
}

/** The rest of a record in brackets, where it is short. */
function describe(record: Record<string, Json>, said: string[]): string {
  const rest = Object.entries(record).filter(
    ([name, value]) => !said.includes(name) && cellText(value) !== "",
  );
  const text = rest.map(([name, value]) => `${name}: ${cellText(value)}`).join(", ");
  return text === "" || text.length > 300 ? "" : ` (${text})`;
}

type Piece = Pick<Part, "summary" | "data" | "records">;

const SYMBOLS: Record<string, string> = { USD: "$", EUR: "€", GBP: "£" };

/** A bare price with the currency that stood beside it. */
function priced(value: Json, { sheet, content }: Answered, column: string): string {
  if (sheet.kind !== "prices" || column !== "price" || typeof value !== "number")
    return cellText(value);
  const at = sheet.columns.indexOf("price");
  const row = sheet.rows.find((candidate) => candidate[at] === value);
  const currency = cellText(row?.[sheet.columns.indexOf("currency")] ?? null);
  if (currency === "" || content.columns.includes("currency")) return cellText(value);
  const symbol = SYMBOLS[currency];
  return symbol === undefined ? `${value} ${currency}` : `${symbol}${value.toFixed(2)}`;
}

/** Whether a column's value picks one row: then what is shown of it is one value, no list. */
function tellsApart(sheet: Sheet, column: string): boolean {
  const cells = cellsOf(sheet, column).map(cellText);
  return new Set(cells).size === cells.length;
}

function oneColumn(answered: Answered, column: string): Piece {
  const { content, query, sheet, noun, form } = answered;
  const values = content.rows.map((row) => row[0] ?? null);
  const records = recordsOf(content.columns, content.rows);
  const texts = values.map((value) => priced(value, answered, column));
  const place = placeOf(sheet.pages);
  const equals = query.filters
    .filter((filter) => filter.test === "eq" && tellsApart(sheet, filter.column ?? ""))
    .map((filter) => filter.value);
  const first = values[0] ?? null;
  if (values.length === 1 && sheet.kind !== "list") {
    const of = equals.length > 0 ? ` of ${equals.join(", ")}` : "";
    const alone = sheet.rows.length === 1;
    if (alone || of !== "") {
      const where = of === "" ? ` on ${place}` : of;
      return { summary: `The ${column}${where} is ${texts[0]}.`, data: first, records };
    }
  }
  const head =
    sheet.kind === "list"
      ? `Found ${counted(content.rowCount, noun)}${conditions(query)} on ${place}:`
      : `${column} (${content.rowCount})${conditions(query)}, from ${place}:`;
  return { summary: `${head}${valuesText(texts, form)}`, data: values, records };
}

function rowsPart(answered: Answered): Piece {
  const { content, query, sheet, noun, form } = answered;
  const { columns, rows, rowCount } = content;
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return oneColumn(answered, only);
  const records = recordsOf(columns, rows);
  const head = `Found ${counted(rowCount, noun)}${conditions(query)} on ${placeOf(sheet.pages)}:`;
  const [first] = records;
  if (query.groupBy.length > 0) {
    const by = `By ${listed(query.groupBy)}${conditions(query)}, from ${placeOf(sheet.pages)}:`;
    return { summary: `${by}\n\n${tableText(columns, rows, rowCount)}`, data: records, records };
  }
  if (records.length === 1 && first !== undefined && columns.length <= 12 && form !== "table") {
    const said = Object.entries(first).map(([name, value]) => `${name}: ${cellText(value)}`);
    const data = sheet.rows.length === 1 && sheet.kind !== "list" ? first : records;
    return { summary: `${head} ${said.join(", ")}.`, data, records };
  }
  if (form === "list") {
    const lines = rows
      .slice(0, 100)
      .map((row) => `- ${row.map(cellText).filter(Boolean).join(" – ")}`);
    return { summary: `${head}\n${lines.join("\n")}`, data: records, records };
  }
  return { summary: `${head}\n\n${tableText(columns, rows, rowCount)}`, data: records, records };
}

/** Says that a page has other tables, where nothing in the ask picked the one that was taken. */
function besideText({ sheet, query }: Answered): string {
  const { beside = [] } = sheet;
  if (beside.length === 0 || query.mentions > 0) return "";
  const others = listed(beside.slice(0, 5).map((name) => `"${name}"`));
  const total = counted(beside.length + 1, "table");
  return `\n\nThis is one of ${total} on the page; not used: ${others}.`;
}

/** The piece of the answer that rows come to: a figure, the one with the most, or the rows themselves. */
export function tablePart(answered: Answered): Part {
  const { query, content, sheet, callId, label, noun } = answered;
  const sources = sheet.pages.flatMap((page) => page.callId ?? []);
  const leftover = {
    text: query.left,
    name: sheet.name,
    kind: sheet.kind,
    operative: isOperative(query),
  };
  const base = { label, callId, sources, output: null, status: "found" as const, leftover };
  const notes = content.notes.length === 0 ? "" : ` Note: ${content.notes.slice(0, 3).join(" ")}`;
  const beside = besideText(answered);
  const ungrouped = query.groupBy.length === 0 && (query.aggregates.length > 0 || query.count);
  if (ungrouped) {
    const part = figuresPart(answered);
    return { ...base, ...part, summary: `${part.summary}${notes}${beside}` };
  }
  if (content.rows.length === 0) {
    const summary = `No ${counted(2, noun).slice(2)}${conditions(query)} were found on ${placeOf(sheet.pages)}.`;
    return { ...base, status: "nothing", summary, data: [], records: [] };
  }
  if (query.every !== null) {
    return { ...base, ...everyPart(answered, query.every, conditionText(query.every)) };
  }
  if (query.extreme !== null) return { ...base, ...extremePart(answered) };
  const rows = rowsPart(answered);
  const part = { ...rows, summary: `${rows.summary}${beside}` };
  if (!Array.isArray(part.data)) return { ...base, ...part };
  const plain = sheet.kind === "list" && content.columns.length === 1;
  return { ...base, ...part, output: plain ? "json" : "table" };
}
