import type { Json } from "../../../../contract/json.ts";
import { parseDate } from "./dates.ts";
import { decimalsOf, type Quantity, readQuantity } from "./numbers.ts";

/** Returns the cell as text: strings trimmed, null as the empty text, lists and objects as JSON. */
export function cellText(cell: Json): string {
  if (typeof cell === "string") return cell.trim();
  return cell === null ? "" : JSON.stringify(cell);
}

/** Whether the cell is null, blank text, or an empty list or object. */
export function isEmpty(cell: Json): boolean {
  if (cell === null) return true;
  if (typeof cell === "string") return cell.trim() === "";
  return typeof cell === "object" && Object.keys(cell).length === 0;
}

/** Returns the number that the cell is as a whole, or null. */
export function cellQuantity(cell: Json): Quantity | null {
  if (typeof cell === "string") return readQuantity(cell);
  if (typeof cell !== "number" || !Number.isFinite(cell)) return null;
  return { value: cell, decimals: decimalsOf(String(cell)), unit: "" };
}

/** Returns the date of the cell in milliseconds since the epoch, or null. */
export function cellDate(cell: Json): number | null {
  return typeof cell === "string" ? parseDate(cell) : null;
}

/** Returns the cell's text for comparison, without case and typographic variants. */
export function foldedText(cell: Json): string {
  return cellText(cell).normalize("NFKC").toLowerCase();
}

/** How a cell is read to be compared with others of its kind; null if it is none. */
export const READERS = {
  number: (cell: Json) => cellQuantity(cell)?.value ?? null,
  date: cellDate,
  text: foldedText,
};

/** Warns if numbers of different units were treated alike: dollars and euros, kg and lb. */
export function unitNotes(cells: readonly Json[], column: string): string[] {
  const units = new Set(cells.flatMap((cell) => cellQuantity(cell)?.unit || []));
  if (units.size < 2) return [];
  const names = [...units].map((unit) => `"${unit}"`).join(", ");
  return [`The values of ${column} have different units (${names}), which were ignored.`];
}
