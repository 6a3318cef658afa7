import type { Extraction } from "../../../../contract/tools/process-data.ts";
import { found, type Outcome, refused } from "../outcome.ts";
import type { NamedTable, Source } from "../source/source.ts";
import type { Extracted, Table } from "../table.ts";
import { isEmpty } from "../values/cells.ts";
import { findColumn, listed } from "../values/names.ts";

type Choice = Extract<Extraction, { kind: "table" }>;

/** Chooses a table by its place, by words of its caption, by its columns, else the fullest one. */
export function extractTable(source: Source, choice: Choice): Outcome<Extracted> {
  const tables = source.tables();
  if (tables.length === 0) return refused("nothing_found", "There is no table.");
  if (choice.index !== undefined) return tableAt(tables, choice.index);

  const captioned = withCaption(tables, choice.caption ?? "");
  if (captioned.length === 0) {
    const captions = listed(tables.flatMap((table) => table.caption ?? [])) || "none";
    return refused(
      "nothing_found",
      `No table is captioned "${choice.caption}". Captions: ${captions}.`,
    );
  }
  return found(bestOf(captioned, choice.columns ?? []));
}

function tableAt(tables: readonly NamedTable[], index: number): Outcome<Extracted> {
  const table = tables[index];
  if (table) return found(table);
  return refused(
    "nothing_found",
    `There is no table ${index}: there are ${tables.length}, from 0 on.`,
  );
}

function withCaption(tables: readonly NamedTable[], caption: string): NamedTable[] {
  const wanted = wordsOf(caption);
  return tables.filter((table) => {
    const words = wordsOf(table.caption ?? "");
    return [...wanted].every((word) => words.has(word));
  });
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}

/** The table with most of the wanted columns; among equals the fullest, then the first. */
function bestOf(tables: readonly NamedTable[], wanted: readonly string[]): Extracted {
  const ranked = tables
    .map((table) => ({
      table,
      absent: absentFrom(table.table, wanted),
      cells: filled(table.table),
    }))
    .toSorted((a, b) => a.absent.length - b.absent.length || b.cells - a.cells);
  const best = ranked[0];
  if (!best) throw new Error("A table is chosen among at least one");
  if (best.absent.length === 0) return best.table;
  const note = `The table that was chosen has no column ${listed(best.absent)}.`;
  return { ...best.table, notes: [...best.table.notes, note] };
}

function absentFrom(table: Table, wanted: readonly string[]): string[] {
  return wanted.filter((name) => !findColumn(table.columns, name).ok);
}

function filled(table: Table): number {
  return table.rows.reduce((sum, row) => sum + row.filter((cell) => !isEmpty(cell)).length, 0);
}
