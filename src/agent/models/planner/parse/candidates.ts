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

interface Piece {
  page: MaterialPage;
  sourceId: string;
  columns: string[];
  rows: Json[][];
  from: DataSource;
  extract: Extraction;
  caption: string | null;
  kind: Candidate["kind"];
  isRecord: boolean;
  place: number;
  tier: number;
}

/** Returns the tables that what was read offers, those of all pages together. */
export function candidatesOf(
  materials: readonly Material[],
  isOpen: (sourceId: string) => boolean,
): Candidate[] {
  const pieces = materials.flatMap((material) =>
    material.pages.flatMap((page, place) => piecesOf(page, material.sourceId, place)),
  );
  const groups = new Map<string, Piece[]>();
  for (const piece of pieces) {
    // What several pages say of themselves is one table, whatever else each of them says.
    const columns = piece.isRecord
      ? [JSON.stringify(piece.extract)]
      : piece.columns.map((name) => name.toLowerCase());
    const key = JSON.stringify([piece.kind, piece.isRecord, columns, tableIndex(piece)]);
    const list = groups.get(key);
    if (list) list.push(piece);
    else groups.set(key, [piece]);
  }
  return [...groups.values()].flatMap((group) => scopesOf(group, isOpen));
}

/** Returns the place of a table among those of its page that have the same columns. */
function tableIndex({ page, columns, extract, isRecord }: Piece): number {
  const same = page.tables.filter((table) =>
    isRecord ? table.kind === "record" : table.columns.join() === columns.join(),
  );
  if (same.length < 2) return 0;
  return same.findIndex((table) => table.extract === extract);
}

/** Where the prompt does not say whether further pages count, both readings are candidates. */
function scopesOf(group: readonly Piece[], isOpen: (sourceId: string) => boolean): Candidate[] {
  const first = group.filter(({ place, sourceId }) => place === 0 || !isOpen(sourceId));
  const whole = candidateOf(group, "whole");
  const differs = first.length > 0 && first.length < group.length;
  return differs ? [whole, candidateOf(first, "first")] : [whole];
}

function candidateOf(pieces: readonly Piece[], scope: Candidate["scope"]): Candidate {
  const [first] = pieces;
  const { table } = concatTables(pieces);
  const { columns, rows } = table;
  const kind = first?.kind ?? "table";
  const around =
    kind !== "table"
      ? []
      : pieces.flatMap(({ page, caption }) => [
          caption ?? "",
          page.title,
          slugOf(page.url),
          page.headings.find(({ level }) => level === 1)?.text ?? "",
        ]);
  const nouns = [...around, NOUNS[kind]];
  const topics = pieces.flatMap(({ page: { url, title, headings } }) => [
    ...(URL.parse(url ?? "")
      ?.host.split(".")
      .slice(0, -1) ?? []),
    slugOf(url),
    title,
    ...headings.map(({ text }) => text),
  ]);
  const facts = factsOf(columns, rows, nouns, topics, kind === "table");
  return {
    facts: withoutSelf(facts, first?.isRecord ?? false),
    tables: pieces.map(({ from, extract, page }) => ({ from, extract, url: page.url })),
    scope,
    sourceIds: new Set(pieces.map(({ sourceId }) => sourceId)),
    kind,
    caption: pieces.every(({ caption }) => caption === first?.caption)
      ? (first?.caption ?? null)
      : null,
    isRecord: first?.isRecord ?? false,
    tier: first?.tier ?? 0,
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
function withoutSelf(facts: TableFacts, isRecord: boolean): TableFacts {
  if (!isRecord) return facts;
  const isOnly = facts.rows.length === 1;
  const columns = facts.columns.filter(
    ({ name }) => name !== "url" && !(isOnly && name === "title"),
  );
  return { ...facts, columns, isRecord };
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
  const shared = {
    page,
    sourceId,
    place,
    caption: null,
    isRecord: false,
    from: page.from,
    tier: 3,
  };
  const { headings, links, items, text, tables } = page;
  const others: Omit<Piece, keyof typeof shared>[] = [
    {
      kind: "headings",
      columns: ["level", "text"],
      rows: headings.map((heading) => [heading.level, heading.text]),
      extract: { kind: "headings" },
    },
    {
      kind: "links",
      columns: ["text", "url"],
      rows: links.map((link) => [link.text, link.url]),
      extract: { kind: "links" },
    },
    { kind: "items", columns: ["item"], rows: cellsOf(items), extract: { kind: "lists" } },
    { kind: "lines", columns: ["line"], rows: cellsOf(linesOf(text)), extract: { kind: "lines" } },
    {
      kind: "emails",
      columns: ["email"],
      rows: cellsOf(emailsOf(page)),
      extract: { kind: "emails" },
    },
  ];
  const own = tables.map(({ kind, columns, rows, extract, caption, from }): Piece => {
    const tier = columns.every((name) => SELF.has(name)) ? 4 : TIERS[kind];
    const table = { columns, rows, extract, caption, from: from ?? page.from, tier };
    return { ...shared, ...table, kind: "table", isRecord: kind === "record" };
  });
  const filled = others.filter(({ rows }) => rows.length > 0);
  return [...own, ...filled.map((other) => ({ ...shared, ...other }))];
}

const cellsOf = (texts: readonly string[]): Json[][] => texts.map((text) => [text]);

function emailsOf({ text, links }: MaterialPage): string[] {
  const mailto = links.flatMap(({ url }) =>
    url.startsWith("mailto:") ? [url.slice(7).split("?")[0] ?? ""] : [],
  );
  const found = [...text.matchAll(/[\w.+'-]+@[\w-]+(?:\.[\w-]+)+/g)].map(([address]) => address);
  return [...new Set([...found, ...mailto].map((address) => address.toLowerCase()))];
}
