import type { Json } from "../../../../contract/json.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";

const LIST = new Intl.ListFormat("en-GB");

/** Joins words: "a, b and c". */
export function listed(words: readonly string[]): string {
  return LIST.format(words);
}

/** Ends a text as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?:…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Returns a text with a capital in front. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a cell as people read it; figures have at most four decimals. */
export function shown(cell: Json): string {
  if (typeof cell === "number") return String(Number(cell.toFixed(4)));
  if (cell === null || cell === "") return "(empty)";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return cellText(cell);
}
