import { followPath } from "../json/path.ts";
import { rowsOfJson } from "../json/rows.ts";
import { found, type Outcome, refused } from "../outcome.ts";
import type { Source } from "../source/source.ts";
import type { Extracted } from "../table.ts";

/** Takes the values that a path leads to as rows. */
export function extractJson(source: Source, path: string): Outcome<Extracted> {
  const root = source.json();
  if (root === undefined) return refused("nothing_found", "The source is no JSON.");
  const reached = followPath(root, path);
  if (!reached.ok) return reached;
  const { values, missed } = reached.value;
  const rows = rowsOfJson(values);
  if (missed === 0) return found(rows);
  const note = `${missed} elements have nothing at "${path}" and were left out.`;
  return found({ ...rows, notes: [...rows.notes, note] });
}
