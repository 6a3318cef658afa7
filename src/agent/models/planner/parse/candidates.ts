import type { Json } from "../../../../contract/json.ts";
import type {
  DataOperation,
  DataSource,
  Extraction,
} from "../../../../contract/tools/process-data.ts";
import { linesOf } from "../../../tools/process-data/markdown.ts";
import { concatTables, type Table } from "../../../tools/process-data/table.ts";
import { applyOperations } from "../../../tools/process-data.ts";
import type { Material, MaterialPage, MaterialTable, Query } from "../program.ts";
import { factsOf, type TableFacts } from "./facts.ts";

/** Rows that a question may be about: one table, or tables of several pages with the same columns. */
export interface Candidate {
  facts: TableFacts;
  tables: Query["tables"];
  /** Whether pages after the first were left out or added, where the prompt does not say. */
  scope: "whole" | "first";
  /** Sources that it covers. */
  sourceIds: ReadonlySet<string>;
  /** Kinds other than tables are only meant if they are named. */
  kind: "table" | "headings" | "links" | "emails" | "items" | "lines";
  caption: string | null;
  /** Whether each row is what one page or object says of itself. */
  isRecord: boolean;
  /** How likely a question is about it: tables before lists, both before what a page says of itself. */
  tier: number;
  run(operations: readonly DataOperation[]): { columns: string[]; rows: Json[][] } | null;
}

/** What one page offers. */
interface Piece extends Pick<Candidate, "kind" | "caption" | "isRecord" | "tier"> {
  page: MaterialPage;
  sourceId: string;
  columns: string[];
  rows: Json[][];
  from: DataSource;
  extract: Extraction;
  /** The number of its page. */
  place: number;
}

/** Returns the tables that what was read offers, those of all pages together. */
export function candidatesOf(
  materials: readonly Material[],
  isOpen: (sourceId: string) => boolean,
): Candidate[] {
  const pieces = materials.flatMap(({ pages, sourceId }) =>
    pages.flatMap((page, place) => piecesOf(page, sourceId, place)),
  );
  return [...Map.groupBy(pieces, keyOf).values()].flatMap((group) => {
    // Where the prompt does not say whether further pages count, both readings are candidates.
    const first = group.filter(({ place, sourceId }) => place === 0 || !isOpen(sourceId));
    const differs = first.length > 0 && first.length < group.length;
    const whole = candidateOf(group, "whole");
    return differs ? [whole, candidateOf(first, "first")] : [whole];
  });
}

/** Returns a key that pieces of one table on several pages share. */
function keyOf({ page, kind, isRecord, columns, extract }: Piece): string {
  // What several pages say of themselves is one table, whatever else each of them says.
  const shape = isRecord ? [extract] : columns.map((name) => name.toLowerCase());
  const same = page.tables.filter((table) =>
    isRecord ? table.kind === "record" : table.columns.join() === columns.join(),
  );
  const index = same.findIndex((table) => table.extract === extract);
  return JSON.stringify([kind, isRecord, shape, same.length < 2 ? 0 : index]);
}

function candidateOf(pieces: readonly Piece[], scope: Candidate["scope"]): Candidate {
  const [first] = pieces;
  const { table } = concatTables(pieces);
  const { kind = "table", isRecord = false, tier = 0, caption = null } = first ?? {};
  const around = pieces.flatMap(({ page: { title, url, headings }, caption: own }) => [
    own ?? "",
    title,
    slugOf(url),
    headings.find(({ level }) => level === 1)?.text ?? "",
  ]);
  const topics = pieces.flatMap(({ page: { url, title, headings } }) => [
    ...(URL.parse(url ?? "")
      ?.host.split(".")
      .slice(0, -1) ?? []),
    slugOf(url),
    title,
    ...headings.map(({ text }) => text),
  ]);
  const nouns = kind === "table" ? around : [NOUNS[kind]];
  const facts = factsOf(table.columns, table.rows, nouns, topics, kind === "table");
  return {
    facts: isRecord ? withoutSelf(facts) : facts,
    tables: pieces.map(({ from, extract, page }) => ({ from, extract, url: page.url })),
    scope,
    sourceIds: new Set(pieces.map(({ sourceId }) => sourceId)),
    kind,
    caption: pieces.every((piece) => piece.caption === caption) ? caption : null,
    isRecord,
    tier,
    run: memoizedRun(table),
  };
}

/** Runs operations on a table; readings share many of them. */
function memoizedRun(table: Table): Candidate["run"] {
  const known = new Map<string, Table | null>();
  return (operations) => {
    const key = JSON.stringify(operations);
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = applyOperations(table, operations);
    const rows = result.ok ? result.value.table : null;
    known.set(key, rows);
    return rows;
  };
}

/** Removes a record's own address and, if it is the only record, its title. */
function withoutSelf(facts: TableFacts): TableFacts {
  const isOnly = facts.rows.length === 1;
  const columns = facts.columns.filter(
    ({ name }) => name !== "url" && !(isOnly && name === "title"),
  );
  return { ...facts, columns, isRecord: true };
}

/** Columns of a record that only say which page it is. */
const SELF = new Set(["title", "url", "description"]);

const TIERS: Record<MaterialTable["kind"], number> = { table: 0, cards: 1, list: 2, record: 2 };

const NOUNS: Record<Candidate["kind"], string> = {
  table: "",
  headings: "headings headline",
  links: "links hyperlinks urls",
  emails: "emails mail addresses",
  items: "bullets",
  lines: "lines",
};

/** Returns the words of an address's path. */
function slugOf(url: string | null): string {
  const path = url === null ? "" : (URL.parse(url)?.pathname ?? "");
  return path.replaceAll(/[/_.-]+/g, " ");
}

function piecesOf(page: MaterialPage, sourceId: string, place: number): Piece[] {
  const { headings, links, items, text, tables, from } = page;
  const shared = { page, sourceId, place, caption: null, isRecord: false, from, tier: 3 };
  const listed = (
    kind: Candidate["kind"],
    column: string,
    texts: string[],
    extract: Extraction,
  ) => ({
    ...shared,
    kind,
    columns: [column],
    rows: texts.map((cell): Json[] => [cell]),
    extract,
  });
  const own = tables.map(({ kind, columns, rows, extract, caption, from: source }): Piece => {
    const tier = columns.every((name) => SELF.has(name)) ? 4 : TIERS[kind];
    const table = { columns, rows, extract, caption, from: source ?? from, tier };
    return { ...shared, ...table, kind: "table", isRecord: kind === "record" };
  });
  const others: Piece[] = [
    {
      ...shared,
      kind: "headings",
      columns: ["level", "text"],
      rows: headings.map((heading) => [heading.level, heading.text]),
      extract: { kind: "headings" },
    },
    {
      ...shared,
      kind: "links",
      columns: ["text", "url"],
      rows: links.map((link) => [link.text, link.url]),
      extract: { kind: "links" },
    },
    listed("items", "item", items, { kind: "lists" }),
    listed("lines", "line", linesOf(text), { kind: "lines" }),
    listed("emails", "email", emailsOf(page), { kind: "emails" }),
  ];
  return [...own, ...others.filter(({ rows }) => rows.length > 0)];
}

function emailsOf({ text, links }: MaterialPage): string[] {
  const mailto = links.flatMap(({ url }) => /^mailto:([^?]*)/.exec(url)?.[1] ?? []);
  const found = text.match(/[\w.+'-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
  return [...new Set([...found, ...mailto].map((address) => address.toLowerCase()))];
}
