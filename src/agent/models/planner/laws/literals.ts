import type { Compiled } from "../parse/compiled.ts";
import type { Item } from "../parse/items.ts";

/**
 * Whether every number, date, quotation and cell value of a reading stands in its program. One that does
 * not was consumed without effect, and the answer would be to another question.
 */
export function keepsLiterals(items: readonly Item[], compiled: Compiled): boolean {
  const program = JSON.stringify(compiled).toLowerCase();
  return items.every((item) => literalsOf(item).some((text) => has(program, text)));
}

/** Returns the forms in which a literal may stand in a program; of words that are none, the empty text. */
function literalsOf(item: Item): string[] {
  switch (item.type) {
    case "number":
      // A year may stand as the days that it spans, a share as a part of one.
      return [String(item.value), ...(item.unit === "%" ? [String(item.value / 100)] : [])];
    case "date":
      return [item.start, item.until];
    case "quote":
    case "time":
      return [item.value];
    case "value":
      return item.at.map(({ value }) => value);
    default:
      return [""];
  }
}

/** Whether a program has a text, and a number as a whole number. */
function has(program: string, text: string): boolean {
  const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
  for (let at = program.indexOf(wanted); at >= 0; at = program.indexOf(wanted, at + 1)) {
    const around = `${program.at(at - 1) ?? ""} ${program.at(at + wanted.length) ?? ""}`;
    if (!/^[\d.]+$/.test(wanted) || !/[\d.]/.test(around)) return true;
  }
  return false;
}
