import { cellText } from "../../../tools/process-data/values/cells.ts";
import { applyOperations } from "../../../tools/process-data.ts";
import { labelColumn } from "../bind/columns.ts";
import type { Filter } from "../bind/scan.ts";
import type { Part } from "./parts.ts";
import type { Answered } from "./table-part.ts";
import { counted, listed, placeOf, recordsOf } from "./words.ts";

const MAX_NAMES = 20;

/** Whether a condition holds of all rows that are left, and which rows it does not hold of. */
export function everyPart(
  { content, sheet, noun }: Answered,
  every: Filter,
  said: string,
): Pick<Part, "summary" | "data" | "records"> {
  const { columns, rows } = content;
  const kept = applyOperations({ columns, rows }, [every]);
  const holding = new Set(kept.ok ? kept.value.table.rows : []);
  const others = rows.filter((row) => !holding.has(row));
  const label = labelColumn(columns, rows);
  const names = others.slice(0, MAX_NAMES).map((row) => cellText(row[label] ?? null));
  const all = counted(rows.length, noun);
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : "";
  const summary =
    others.length === 0
      ? `Yes, for all ${all} on ${placeOf(sheet.pages)} ${said}.`
      : `No, for ${others.length} of ${all} on ${placeOf(sheet.pages)} it does not hold that ${said}: ${listed(names)}${more}.`;
  return { summary, data: others.length === 0, records: recordsOf(columns, others) };
}
