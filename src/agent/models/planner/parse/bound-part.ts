import type { DataOperation } from "../../../../contract/tools/process-data.ts";
import type { Answer, DraftPart, Part, Query } from "../program.ts";
import type { Candidate } from "./candidates.ts";
import type { Reading } from "./readings.ts";

/** Says a reading in canonical English. */
export function sayOf({ compiled, candidate }: Reading): string {
  const pages =
    candidate.scope === "first"
      ? " of the first page"
      : candidate.tables.length > 1
        ? " of all pages"
        : "";
  const caption = candidate.caption === null ? "" : ` in "${candidate.caption}"`;
  return `${compiled.says}${caption}${pages}`;
}

/** Returns the part of a program that a reading comes to. */
export function partOf(draft: DraftPart, reading: Reading, clean: boolean): Part {
  const { compiled } = reading;
  const urls = [...new Set(reading.candidate.tables.flatMap(({ url }) => url ?? []))];
  const where = urls.length === 0 ? "" : ` (${urls.join(", ")})`;
  return {
    id: draft.id,
    says: `${clean ? "clean the rows, and " : ""}${sayOf(reading)}${where}`,
    label: labelOf(compiled.says),

    answer: answerOf(reading),
    form: draft.form,
    clean,
  };
}

/** Returns a title from what is done: "count the rows where X" gives "Number of rows where X". */
function labelOf(says: string): string {
  const noun = says
    .replace(/^count the /, "number of ")
    .replace(/^(?:list|find|look up|compute|check whether there are) (?:the )?/, "")
    .replace(/^add up the /, "total ")
    .replace(/ of the rows$/, "");
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`.slice(0, 120);
}

/** Adds the titles of several pages to their values; null if there is nothing to add. */
function withTitles(
  operations: readonly DataOperation[],
  { isRecord, facts }: Candidate,
): DataOperation[] | null {
  const title = facts.columns.find(({ name }) => name === "title");
  const select = operations.at(-1);
  if (!isRecord || facts.rows.length < 2 || title === undefined) return null;
  if (select?.op !== "select" || select.columns.includes(title.name)) return null;
  return [...operations.slice(0, -1), { op: "select", columns: [title.name, ...select.columns] }];
}

function answerOf({ compiled, candidate }: Reading): Answer {
  const query = (operations: DataOperation[]): Query => ({ tables: candidate.tables, operations });
  const { shape, operations } = compiled;
  const titled = withTitles(operations, candidate);
  if (titled !== null && shape.kind === "list") return { kind: "table", query: query(titled) };
  const own = query(titled ?? operations);
  switch (shape.kind) {
    case "table":
    case "list":
    case "value":
      return { kind: shape.kind, query: own };
    case "count":
    case "exists":
      return { kind: shape.kind, query: own };
    case "every":
      return { kind: "every", query: own, all: query(shape.all) };
    case "share":
      return { kind: "share", queries: [own, query(shape.second)], labels: shape.labels };
  }
}
