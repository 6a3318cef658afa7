import type { Json } from "../../../../contract/json.ts";
import { findColumn, normalizeName, type Table } from "../../../tools/process-data/table.ts";
import { cellQuantity, foldedText } from "../../../tools/process-data/values/cells.ts";
import type { Answer } from "../program.ts";

type Comparison = Pick<Extract<Answer, { kind: "compare" }>, "key" | "show"> & {
  /** The names of the two sides, as columns show them. */
  sides: [string, string];
};

/**
 * Compares two tables by a key: rows without a partner, rows with one, or the values in which partners
 * differ. Returns null if the key is not a column of both, or names several rows of one side.
 */
export function compareRows(
  [before, after]: readonly [Table, Table],
  { key, show, sides }: Comparison,
): Table | null {
  const left = rowsByKey(before, key);
  const right = rowsByKey(after, key);
  if (left === null || right === null) return null;
  const rowsOf = (own: ByKey, other: ByKey, hasPartner: boolean) =>
    [...own].flatMap(([name, { row }]) => (other.has(name) === hasPartner ? [row] : []));
  switch (show) {
    case "added":
      return { columns: after.columns, rows: rowsOf(right, left, false) };
    case "removed":
      return { columns: before.columns, rows: rowsOf(left, right, false) };
    case "common":
      return { columns: after.columns, rows: rowsOf(right, left, true) };
  }
  const shared = before.columns.flatMap((name, from) => {
    const to = after.columns.findIndex((other) => normalizeName(other) === normalizeName(name));
    return to < 0 || normalizeName(name) === normalizeName(key) ? [] : [{ name, from, to }];
  });
  const pairs = [...new Set([...left.keys(), ...right.keys()])].map((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    const cells = shared.map(({ from, to }): [Json, Json] => [
      one?.row[from] ?? null,
      other?.row[to] ?? null,
    ]);
    return { key: (one ?? other)?.key ?? null, isBoth: one && other, cells };
  });
  const kept =
    show === "all" ? pairs : pairs.filter((pair) => pair.isBoth && pair.cells.some(areDifferent));
  // Of changes, the columns that differ alone are shown.
  const places = [...shared.keys()].filter(
    (at) => show === "all" || kept.some(({ cells }) => cells.slice(at, at + 1).some(areDifferent)),
  );
  const columns = places.flatMap((at) => sides.map((side) => `${shared[at]?.name} (${side})`));
  return {
    columns: [key, ...columns],
    rows: kept.map(({ key: name, cells }) => [name, ...places.flatMap((at) => cells[at] ?? [])]),
  };
}

type ByKey = Map<string, { key: Json; row: Json[] }>;

function rowsByKey({ columns, rows }: Table, name: string): ByKey | null {
  const column = findColumn(columns, name);
  if (!column.ok) return null;
  const keyed = rows.map((row) => ({ key: row[column.index] ?? null, row }));
  const byKey = new Map(keyed.map((each) => [foldedText(each.key), each]));
  return byKey.size === rows.length ? byKey : null;
}

function areDifferent([one, other]: readonly [Json, Json]): boolean {
  const [number, another] = [cellQuantity(one), cellQuantity(other)];
  if (number !== null && another !== null) {
    return number.value !== another.value || number.unit !== another.unit;
  }
  return foldedText(one) !== foldedText(other);
}
