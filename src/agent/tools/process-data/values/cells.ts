import type { Json } from "../../../../contract/json.ts";
import { parseDate } from "./dates.ts";
import { type Quantity, readQuantity } from "./numbers.ts";

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
  return { value: cell, digits: String(cell), unit: "" };
}

/** Returns the date of the cell in milliseconds since the epoch, or null. */
export function cellDate(cell: Json): number | null {
  return typeof cell === "string" ? parseDate(cell) : null;
}

/** Returns the cell's text for comparison, without case and typographic variants. */
export function foldedText(cell: Json): string {
  return cellText(cell).normalize("NFKC").toLowerCase();
}
