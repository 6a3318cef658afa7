import type { Json } from "../../../../contract/json.ts";
import {
  cellDate,
  cellQuantity,
  cellText,
  isEmpty,
} from "../../../tools/process-data/values/cells.ts";
import { lexicon, type Polarity, type State, statesOf } from "../lexicon/lexicon.ts";
import { stemsOf } from "../text/tokens.ts";

type ColumnKind = "number" | "date" | "boolean" | "text";

/** What is known of a column. */
export interface Column {
  index: number;
  name: string;
  /** Stems of the header, without a unit in parentheses. */
  stems: string[];
  /** Stems of a unit in the header: "Length (km)". */
  unit: string[];
  kind: ColumnKind;
  /** Whether all cells differ. */
  unique: boolean;
  /** Whether the cells are times of day. */
  isTime: boolean;
  empty: number;
  /** Units of the cells, such as USD or kg. */
  units: ReadonlySet<string>;
  /** How the column writes yes and no, if it does. */
  yes: string | null;
  no: string | null;
}

/** A table as questions see it. */
export interface TableFacts {
  columns: Column[];
  rows: readonly Json[][];
  /** The column that names the rows. */
  key: Column | null;
  /** Stems of words that may stand for a row: caption, title, address, key column. */
  nouns: ReadonlySet<string>;
  /** Whether rows are things that a common noun may name; a link or a heading is none. */
  hasThings: boolean;
}

const LABELS = new Set(["name", "title", "label", "id", "code", "number", "no"]);
const YES = new Set(["yes", "true", "y", "✓", "✔", "x", "1"]);
const NO = new Set(["no", "false", "n", "✗", "✘", "-", "0"]);

/** Reads the facts of a table; `around` are texts that name it, such as its caption. */
export function factsOf(
  columns: readonly string[],
  rows: readonly Json[][],
  around: readonly string[],
  hasThings: boolean,
): TableFacts {
  const facts = columns.map((name, index) => columnOf(name, index, rows));
  const key = keyOf(facts);
  // "Product" names the rows; "name" and "title" only name their names.
  const own = key === null ? [] : key.stems.filter((stem) => !LABELS.has(stem));
  const nouns = new Set([...around.flatMap(stemsOf), ...own]);
  return { columns: facts, rows, key, nouns, hasThings };
}

function columnOf(name: string, index: number, rows: readonly Json[][]): Column {
  const cells = rows.map((row) => row[index] ?? null);
  const filled = cells.filter((cell) => !isEmpty(cell));
  const texts = filled.map((cell) => cellText(cell).toLowerCase());
  const distinct = new Set(texts);
  const unit = /\(([^)]*)\)\s*$/.exec(name)?.[1] ?? "";
  const kind = kindOf(filled, distinct);
  const shown = new Set(filled.map((cell) => cellText(cell)));
  return {
    index,
    name,
    stems: stemsOf(unit === "" ? name : name.slice(0, name.lastIndexOf("("))),
    unit: stemsOf(unit),
    kind,
    unique: distinct.size === filled.length && filled.length > 0,
    isTime:
      filled.length > 0 && texts.every((text) => /^\d{1,2}[:.]\d{2}(?:\s?[ap]m)?$/.test(text)),
    empty: cells.length - filled.length,
    units: new Set(filled.flatMap((cell) => cellQuantity(cell)?.unit || [])),
    yes:
      kind === "boolean" ? ([...shown].find((text) => YES.has(text.toLowerCase())) ?? null) : null,
    no: kind === "boolean" ? ([...shown].find((text) => NO.has(text.toLowerCase())) ?? null) : null,
  };
}

function kindOf(filled: readonly Json[], distinct: ReadonlySet<string>): ColumnKind {
  if (filled.length === 0) return "text";
  const isFlag = [...distinct].every((text) => YES.has(text) || NO.has(text));
  const isNumeric = [...distinct].every((text) => text === "0" || text === "1");
  if (isFlag && !isNumeric) return "boolean";
  const most = filled.length * 0.7;
  if (filled.filter((cell) => cellQuantity(cell) !== null).length >= most) return "number";
  if (filled.filter((cell) => cellDate(cell) !== null).length >= most) return "date";
  return "text";
}

/** Returns the column that names the rows: the first of texts that all differ, else the first of texts. */
function keyOf(columns: readonly Column[]): Column | null {
  // A time or a place in a list names no row.
  const texts = columns.filter(({ kind, isTime }) => kind === "text" && !isTime);
  const named = texts.find(
    ({ unique, stems }) => unique && stems.some((stem) => stem === "name" || stem === "title"),
  );
  const ids = new Set(["id", "code", "no", "number", "sku", "ref", "reference", "email", "mail"]);
  const speaking = texts.find(
    ({ unique, stems }) => unique && !stems.some((stem) => ids.has(stem)),
  );
  return (
    named ??
    speaking ??
    texts.find(({ unique }) => unique) ??
    // A price or a date that happens to differ in each row names none.
    texts[0] ??
    columns.find(({ unique }) => unique) ??
    columns[0] ??
    null
  );
}

/** Returns the columns of a concept: those whose header is one of its words, else those that contain one. */
export function columnsOfConcept({ columns }: TableFacts, concept: string): Column[] {
  const words = lexicon().headers.get(concept) ?? [];
  const kind = lexicon().kinds.get(concept) ?? "text";
  const fits = columns.filter((column) => fitsKind(column, kind));
  const wanted = words.map((word) => stemsOf(word).join(" "));
  const exact = fits.filter(({ stems }) => wanted.includes(stems.join(" ")));
  if (exact.length > 0) return exact;
  return fits.filter(({ stems, unit }) => {
    const header = ` ${stems.join(" ")} `;
    return wanted.some((word) => header.includes(` ${word} `) || unit.join(" ") === word);
  });
}

function fitsKind(column: Column, kind: string): boolean {
  if (kind === "number") return column.kind === "number";
  if (kind === "year") return column.kind === "number" || column.kind === "date";
  if (kind === "date")
    return column.kind === "date" || (column.kind === "text" && column.empty === 0);
  return column.kind !== "boolean";
}

/** Returns the columns that hold a state, with the test for it; `positive` asks for the state itself. */
export function stateTests(
  { columns, rows }: TableFacts,
  { name, headers, cells }: State,
  polarity: Polarity,
): { column: Column; test: "eq" | "ne" | "gt" | "lte"; value: string | number }[] {
  const positive = polarity === "positive";
  const wanted = new Set(headers.map((header) => stemsOf(header).join(" ")));
  const texts = cells.map((cell) => cell.toLowerCase());
  return columns.flatMap(
    (column): { column: Column; test: "eq" | "ne" | "gt" | "lte"; value: string | number }[] => {
      if (!wanted.has(column.stems.join(" "))) return [];
      const header = column.stems.join(" ");
      if (column.kind === "boolean") {
        const own = stemsOf(name).join(" ");
        const inverse = header === "closed" || header === "resolved" || header === "sold out";
        const wantsYes = (header === own || !inverse) === positive;
        const value = wantsYes ? column.yes : column.no;
        return value === null ? [] : [{ column, test: "eq" as const, value }];
      }
      if (column.kind === "number" && (name === "in stock" || (name === "free" && positive))) {
        if (name === "free") return [{ column, test: "eq" as const, value: 0 }];
        return [{ column, test: positive ? ("gt" as const) : ("lte" as const), value: 0 }];
      }
      if (polarity === "negation") {
        const opposite = cellIn(rows, column, oppositesOf(name));
        if (opposite !== undefined) return [{ column, test: "ne" as const, value: opposite }];
      }
      const held = rows
        .map((row) => cellText(row[column.index] ?? null))
        .find((cell) => texts.includes(cell.toLowerCase()));
      return held === undefined ? [] : [{ column, test: "eq" as const, value: held }];
    },
  );
}

/** Returns the first cell of a column that is one of the texts. */
function cellIn(
  rows: readonly Json[][],
  column: Column,
  texts: readonly string[],
): string | undefined {
  return rows
    .map((row) => cellText(row[column.index] ?? null))
    .find((cell) => texts.includes(cell.toLowerCase()));
}

/** Returns the cells that hold a state itself: what is not paid has another cell than "paid". */
function oppositesOf(name: string): string[] {
  return statesOf(name).map((cell) => cell.toLowerCase());
}
