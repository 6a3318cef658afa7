import type { Json } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { cellDate, cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";
import { singular } from "../language/normalize.ts";
import { RESERVED } from "./lexicon.ts";
import { isStateWord } from "./state-words.ts";

/** A cell's value that the prompt names. */
export interface ValueMention {
  /** Null where cells of several columns have it: "City" as home team and as guest. */
  column: number | null;
  value: string;
  /** Whether the value is one of a list that stands in the cell. */
  listed: boolean;
}

const MAX_VALUES = 2_000;
const MAX_LENGTH = 60;

/** A value as it is compared with the words of a prompt. */
export function foldValue(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[’']s?\b/g, "")
    .replace(/[^\p{L}\p{N}$.@-]+/gu, " ")
    .trim()
    .split(" ")
    .map(singular)
    .join(" ");
}

/** The texts in a cell that can be named: its own, or those of the list that it holds. */
function textsOf(cell: Json): string[] {
  if (typeof cell === "string") return [cell.trim()];
  if (!Array.isArray(cell)) return [];
  return cell
    .flatMap((one) => (isObject(one) ? Object.values(one) : [one]))
    .filter((one) => typeof one === "string");
}

function isNameable(value: string): boolean {
  const fits = value.length >= 2 && value.length <= MAX_LENGTH;
  return fits && parseNumber(value) === null && cellDate(value) === null;
}

/** The values that can be named: texts of a few words, by their folded form. */
export function valueIndex(
  columns: readonly string[],
  rows: readonly Json[][],
): Map<string, ValueMention> {
  const values = new Map<string, ValueMention>();
  const names = new Set(columns.map(foldValue));
  for (const row of rows) {
    row.forEach((cell, column) => {
      for (const value of textsOf(cell)) {
        const folded = foldValue(value);
        if (!isNameable(value) || folded === "") continue;
        if ((RESERVED.has(folded) && !isStateWord(folded)) || names.has(folded)) continue;
        const known = values.get(folded);
        if (known !== undefined && known.column !== column) known.column = null;
        if (known !== undefined || values.size >= MAX_VALUES) continue;
        values.set(folded, { column, value: cellText(value), listed: Array.isArray(cell) });
      }
    });
  }
  return values;
}
