import type { Json } from "../../../../contract/json.ts";
import { cellQuantity } from "../values/cells.ts";
import { listed } from "../values/names.ts";

/** Warns where numbers of different units were treated alike: dollars and euros, kg and lb. */
export function unitNotes(cells: readonly Json[], column: string): string[] {
  const units = new Set(cells.flatMap((cell) => cellQuantity(cell)?.unit || []));
  if (units.size < 2) return [];
  return [
    `The values of ${column} have different units (${listed([...units])}); only the numbers count.`,
  ];
}
