import type { Json } from "../../../../contract/json.ts";
import { parseDate } from "./dates.ts";
import { type Quantity, readQuantity } from "./numbers.ts";

/** The cell as one text: strings trimmed, null as the empty text, lists and objects as JSON. */
export function cellText(cell: Json): string {
  if (typeof cell === "string") return cell.trim();
  return cell === null ? "" : JSON.stringify(cell);
}

/** Whether there is nothing in the cell: null, blank text, an empty list or object. */
export function isEmpty(cell: Json): boolean {
  if (cell === null) return true;
  if (typeof cell === "string") return cell.trim() === "";
  return typeof cell === "object" && Object.keys(cell).length === 0;
}

/** The number in the cell, or null when it holds none as a whole. */
export function cellQuantity(cell: Json): Quantity | null {
  if (typeof cell === "string") return readQuantity(cell);
  if (typeof cell !== "number" || !Number.isFinite(cell)) return null;
  return { value: cell, digits: String(cell), unit: "" };
}

/** The date in the cell as milliseconds since the epoch, or null. */
export function cellDate(cell: Json): number | null {
  return typeof cell === "string" ? parseDate(cell) : null;
}

/** The cell as it is compared with text: without case and typographic variants, in no locale. */
export function foldedText(cell: Json): string {
  return cellText(cell).normalize("NFKC").toLowerCase();
}
