import type { Json } from "../../../../contract/json.ts";
import {
  cellDate,
  cellQuantity,
  cellText,
  isEmpty,
} from "../../../tools/process-data/values/cells.ts";
import { lexicon, type Polarity, type State, statesOf } from "../lexicon/lexicon.ts";
import { normalWords, rootOf, stemsOf } from "../text/words.ts";

/** What is known of a column. */
export interface Column {
  index: number;
  name: string;
  /** Stems of the header, without a unit in parentheses. */
  stems: string[];
  /** Stems of a unit in the header: "Length (km)". */
  unit: string[];
  kind: "number" | "date" | "boolean" | "text";
  /** Whether all cells differ. */
  unique: boolean;
  /** Whether the cells are times of day. */
  isTime: boolean;
  /** Whether the cells are years or dates. */
  isYear: boolean;
  empty: number;
  /** Units of the cells, such as USD or kg. */
  units: ReadonlySet<string>;
  /** How the column writes yes and no, if it does. */
  yes: string | null;
  no: string | null;
}

/** A value of cells, and the column that holds it; `partial` values are words of a longer name. */
export interface Place {
  column: Column;
  value: string;
  partial: boolean;
}

/** A table as questions see it. */
export interface TableFacts {
  columns: Column[];
  rows: readonly Json[][];
  /** The column that names the rows. */
  key: Column | null;
  /** Stems of words that may stand for a row: caption, title, address, key column. */
  nouns: ReadonlySet<string>;
  /** Roots of the words around the table, which name its topic and say nothing of its rows. */
  topics: ReadonlySet<string>;
  /** Whether rows are things that a common noun may name; a link or a heading is none. */
  hasThings: boolean;
  /** Whether each row is what one page or object says of itself. */
  isRecord: boolean;
  /** Cells of text by their normal words. */
  values: ReadonlyMap<string, readonly Place[]>;
  /** Names of two to four words, of which one word may be meant. */
  names: readonly (Place & { words: string })[];
}

const words = (list: string) => new Set(list.split(" "));
const LABELS = words("name title label id code number no");
const IDS = words("id code no number sku ref reference email mail");
const YES = words("yes true y ✓ ✔ x 1");
const NO = words("no false n ✗ ✘ - 0");

/** Reads the facts of a table; `around` are texts that name it, `topics` those that it is about. */
export function factsOf(
  columns: readonly string[],
  rows: readonly Json[][],
  around: readonly string[],
  topics: readonly string[],
  hasThings: boolean,
): TableFacts {
  const facts = columns.map((name, index) => columnOf(name, index, rows));
  const key = keyOf(facts);
  // "Product" names the rows; "name" and "title" only name their names.
  const own = key === null ? [] : key.stems.filter((stem) => !LABELS.has(stem));
  const nouns = new Set([...around.flatMap(stemsOf), ...own]);
  const roots = new Set(topics.flatMap(stemsOf).filter((stem) => stem.length > 2));
  return {
    columns: facts,
    rows,
    key,
    nouns,
    topics: roots,
    hasThings,
    isRecord: false,
    ...valuesOf(facts, rows, key),
  };
}

function columnOf(name: string, index: number, rows: readonly Json[][]): Column {
  const cells = rows.map((row) => row[index] ?? null).filter((cell) => !isEmpty(cell));
  const shown = new Map(cells.map((cell) => [cellText(cell), cell]));
  const texts = new Set([...shown.keys()].map((text) => text.toLowerCase()));
  // A sample tells the kind of a long column.
  const sample = [...shown.values()].slice(0, 500);
  const unit = /\(([^)]*)\)\s*$/.exec(name)?.[1] ?? "";
  const kind = kindOf(sample, texts);
  const units = new Set(sample.flatMap((cell) => cellQuantity(cell)?.unit || []));
  const isYearCell = (cell: Json) => /^(?:1\d|2[01])\d\d$/.test(String(cell));
  const isYears = kind === "number" && units.size === 0 && mostly(sample, isYearCell);
  const flag = (known: ReadonlySet<string>) =>
    [...shown.keys()].find((text) => kind === "boolean" && known.has(text.toLowerCase())) ?? null;
  return {
    index,
    name,
    stems: stemsOf(unit === "" ? name : name.slice(0, name.lastIndexOf("("))),
    unit: stemsOf(unit),
    kind,
    unique: cells.length > 0 && texts.size === cells.length,
    isTime: cells.length > 0 && [...texts].every((text) => TIME.test(text)),
    isYear: kind === "date" || isYears,
    empty: rows.length - cells.length,
    units,
    yes: flag(YES),
    no: flag(NO),
  };
}

const TIME = /^\d{1,2}(?::\d{2}|[:.]\d{2}\s?[ap]m)$/;

function mostly(cells: readonly Json[], test: (cell: Json) => boolean): boolean {
  return cells.length > 0 && cells.filter(test).length >= cells.length * 0.7;
}

function kindOf(cells: readonly Json[], texts: ReadonlySet<string>): Column["kind"] {
  const isFlag = [...texts].every((text) => YES.has(text) || NO.has(text));
  const isNumeric = [...texts].every((text) => text === "0" || text === "1");
  if (cells.length > 0 && isFlag && !isNumeric) return "boolean";
  if (mostly(cells, (cell) => cellQuantity(cell) !== null)) return "number";
  return mostly(cells, (cell) => cellDate(cell) !== null) ? "date" : "text";
}

/** Returns the column that names the rows: the first of texts that all differ, else the first of texts. */
function keyOf(columns: readonly Column[]): Column | null {
  // A time or a place in a list names no row.
  const texts = columns.filter(({ kind, isTime }) => kind === "text" && !isTime);
  const unique = texts.filter((column) => column.unique);
  return (
    unique.find(({ stems }) => stems.some((stem) => stem === "name" || stem === "title")) ??
    unique.find(({ stems }) => !stems.some((stem) => IDS.has(stem))) ??
    unique[0] ??
    // A price or a date that happens to differ in each row names none.
    texts[0] ??
    columns.find((column) => column.unique) ??
    columns[0] ??
    null
  );
}

function valuesOf(
  columns: readonly Column[],
  rows: readonly Json[][],
  key: Column | null,
): Pick<TableFacts, "values" | "names"> {
  const values = new Map<string, Place[]>();
  const names: (Place & { words: string })[] = [];
  for (const column of columns) {
    // A number in a question counts or measures; a column of numbers is meant by its name.
    if (column.kind === "number") continue;
    for (const value of new Set(rows.map((row) => cellText(row[column.index] ?? null)))) {
      if (value === "" || value.length > 100) continue;
      const normal = normalWords(value);
      const place = { column, value, partial: false };
      const known = values.get(normal);
      if (known === undefined) values.set(normal, [place]);
      else if (!known.some((other) => other.column === column)) known.push(place);
      const length = normal.split(" ").length;
      const isName = length > 1 && length < 5 && (column === key || column.kind === "text");
      if (isName) names.push({ ...place, words: ` ${normal} ` });
    }
  }
  return { values, names };
}

const MONEY = words("price rent pay amount revenue value");

/** Returns the columns of a concept: those whose header is one of its words, else those that contain one. */
export function columnsOfConcept(
  { columns }: Pick<TableFacts, "columns">,
  concept: string,
): Column[] {
  const { headers, kinds } = lexicon();
  const kind = kinds.get(concept) ?? "text";
  const fits = columns.filter((column) => fitsKind(column, kind));
  const wanted = (headers.get(concept) ?? []).map((word) => stemsOf(word).join(" "));
  const exact = fits.filter(({ stems }) => wanted.includes(stems.join(" ")));
  if (exact.length > 0) return exact;
  const near = fits.filter(({ stems, unit }) => {
    const header = ` ${stems.join(" ")} `;
    return wanted.some((word) => header.includes(` ${word} `) || unit.join(" ") === word);
  });
  if (near.length > 0) return near;
  if (concept === "time") return columns.filter(({ isTime }) => isTime);
  if (concept === "date") return columns.filter((column) => column.kind === "date");
  if (!MONEY.has(concept)) return [];
  return fits.filter(({ units }) => [...units].some((unit) => /^[A-Z]{3}$/.test(unit)));
}

function fitsKind({ kind, empty }: Column, wanted: string): boolean {
  if (wanted === "number") return kind === "number";
  if (wanted === "year") return kind === "number" || kind === "date";
  if (wanted === "date") return kind === "date" || (kind === "text" && empty === 0);
  return kind !== "boolean";
}

/** Returns the columns of whose header a word is another form: "borrowed" of "Borrower". */
export function relatedColumns({ columns }: TableFacts, stem: string): Column[] {
  const root = rootOf(stem);
  return root.length < 4
    ? []
    : columns.filter(({ stems }) => stems.some((own) => rootOf(own) === root));
}

/** A test that holds a state. */
export interface StateTest {
  column: Column;
  test: "eq" | "ne" | "gt" | "lte";
  value: string | number;
}

/** Returns the columns that hold a state, with the test for it. */
export function stateTests(
  { columns, rows }: TableFacts,
  { name, headers, cells }: State,
  polarity: Polarity,
): StateTest[] {
  const isPositive = polarity === "positive";
  const wanted = new Set(headers.map((header) => stemsOf(header).join(" ")));
  return columns.flatMap((column): StateTest[] => {
    const header = column.stems.join(" ");
    if (!wanted.has(header)) return [];
    if (column.kind === "boolean") {
      const isInverse = /^(?:closed|resolved|sold out)$/.test(header) && header !== name;
      const value = isPositive !== isInverse ? column.yes : column.no;
      return value === null ? [] : [{ column, test: "eq", value }];
    }
    if (column.kind === "number" && name === "in stock")
      return [{ column, test: isPositive ? "gt" : "lte", value: 0 }];
    const held = (texts: readonly string[]) =>
      rows
        .map((row) => cellText(row[column.index] ?? null))
        .find((cell) => texts.includes(cell.toLowerCase()));
    const opposite = polarity === "negation" ? held(statesOf(name)) : undefined;
    if (opposite !== undefined) return [{ column, test: "ne", value: opposite }];
    const value = held(cells.map((cell) => cell.toLowerCase()));
    return value === undefined ? [] : [{ column, test: "eq", value }];
  });
}
