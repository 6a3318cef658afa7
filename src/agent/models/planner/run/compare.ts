import type { Json } from "../../../../contract/json.ts";
import { findColumn, normalizeName, type Table } from "../../../tools/process-data/table.ts";
import { cellQuantity, foldedText } from "../../../tools/process-data/values/cells.ts";
import type { Answer } from "../program.ts";

type Comparison = Pick<Extract<Answer, { kind: "compare" }>, "key" | "show"> & {
  /** The names of the two sides, as columns show them. */
  sides: [string, string];
};

/** A row with its partner on the other side, if there is one. */
interface Pairing {
  key: Json;
  left: Json[] | null;
  right: Json[] | null;
}

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
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  const pairings = keys.map((name): Pairing => {
    const [one = null, other = null] = [left.get(name), right.get(name)];
    return { key: (one ?? other)?.key ?? null, left: one?.row ?? null, right: other?.row ?? null };
  });
  switch (show) {
    case "added":
      return {
        columns: after.columns,
        rows: pairings.flatMap((p) => (!p.left && p.right ? [p.right] : [])),
      };
    case "removed":
      return {
        columns: before.columns,
        rows: pairings.flatMap((p) => (p.left && !p.right ? [p.left] : [])),
      };
    case "common":
      return {
        columns: after.columns,
        rows: pairings.flatMap((p) => (p.left && p.right ? [p.right] : [])),
      };
    case "changed":
      return sideBySide([before, after], pairings, { key, sides, isChanged: true });
    case "all":
      return sideBySide([before, after], pairings, { key, sides, isChanged: false });
  }
}

function rowsByKey(table: Table, key: string): Map<string, { key: Json; row: Json[] }> | null {
  const column = findColumn(table.columns, key);
  if (!column.ok) return null;
  const rows = table.rows.map((row) => ({ key: row[column.index] ?? null, row }));
  const byKey = new Map(rows.map((each) => [foldedText(each.key), each]));
  return byKey.size === table.rows.length ? byKey : null;
}

/** Puts the values of partners next to each other; `isChanged` keeps what differs alone. */
function sideBySide(
  [before, after]: readonly [Table, Table],
  pairings: readonly Pairing[],
  { key, sides, isChanged }: { key: string; sides: [string, string]; isChanged: boolean },
): Table {
  const own = normalizeName(key);
  const shared = before.columns.flatMap((name, left) => {
    const right = after.columns.findIndex((each) => normalizeName(each) === normalizeName(name));
    return right < 0 || normalizeName(name) === own ? [] : [{ name, left, right }];
  });
  const kept = isChanged
    ? pairings.filter(({ left, right }) => left !== null && right !== null)
    : pairings;
  const differing = isChanged
    ? shared.filter((column) => kept.some((pairing) => isDifferent(pairing, column)))
    : shared;
  const rows = kept
    .filter((pairing) => !isChanged || differing.some((column) => isDifferent(pairing, column)))
    .map(({ key: name, left, right }) => [
      name,
      ...differing.flatMap((column) => [
        left?.[column.left] ?? null,
        right?.[column.right] ?? null,
      ]),
    ]);
  const columns = differing.flatMap(({ name }) => sides.map((side) => `${name} (${side})`));
  return { columns: [key, ...columns], rows };
}

function isDifferent({ left, right }: Pairing, column: { left: number; right: number }): boolean {
  const [one, other] = [left?.[column.left] ?? null, right?.[column.right] ?? null];
  const [number, another] = [cellQuantity(one), cellQuantity(other)];
  if (number !== null && another !== null) {
    return number.value !== another.value || number.unit !== another.unit;
  }
  return foldedText(one) !== foldedText(other);
}
