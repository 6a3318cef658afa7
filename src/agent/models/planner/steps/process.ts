import { type DataContent, dataContent } from "../../../../contract/tools/process-data.ts";
import { failedPart, type Part } from "../answer/parts.ts";
import { tablePart } from "../answer/table-part.ts";
import type { Query } from "../bind/scan.ts";
import type { Desk } from "../desk.ts";
import type { Cleaning } from "../plan/cleaning.ts";
import type { Form } from "../plan/types.ts";
import type { Sheet } from "../view/sheets.ts";
import { processInput } from "./compile.ts";

/** What an ask is resolved with. */
export interface Room {
  desk: Desk;
  form: Form;
  strings: readonly string[];
  failures: string[];
  cleaning: Cleaning | null;
  /** Whether each page is answered by itself, as each gets a sheet of its own. */
  perPage: boolean;
}

/** Asks process_data; null while its answer is under way. */
export function run(
  sheet: Sheet,
  query: Query,
  label: string,
  noun: string,
  room: Room,
): Part | null {
  const done = room.desk.get(
    "process_data",
    JSON.parse(JSON.stringify(processInput(sheet, query))),
  );
  if (done === null) return null;
  if (!done.answer.ok) return failedPart(label, done.answer.error.message);
  const content = dataContent.safeParse(done.answer.content);
  if (!content.success) return failedPart(label, "The data that came back could not be read.");
  return tablePart({
    sheet,
    query,
    content: tidy(content.data),
    callId: done.callId,
    label,
    noun,
    form: room.form,
  });
}

/** A currency column that says nothing is left out of the answer. */
function tidy(content: DataContent): DataContent {
  const at = content.columns.indexOf("currency");
  if (at < 0 || content.rows.some((row) => row[at] !== null)) return content;
  const without = <T>(cells: T[]): T[] => cells.filter((_cell, index) => index !== at);
  return { ...content, columns: without(content.columns), rows: content.rows.map(without) };
}
