import type { Json } from "../../../../contract/json.ts";
import { dataContent } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import type { Part, Query } from "../program.ts";
import { CLEANING_PROGRAM } from "./cleaning.ts";
import type { Desk, Done } from "./desk.ts";
import { sentence } from "./words.ts";

/** Rows as `process_data` returned them. */
export interface Rows {
  callId: string;
  columns: string[];
  rows: Json[][];
  notes: string[];
  /** Whether rows are missing. */
  cut: boolean;
}

/** Fails for the sake of a part. */
export function failPart({ says }: Part, message: string, desk: Desk): null {
  return desk.fail(`${sentence(says)} ${sentence(message)}`);
}

/** Runs a query of a part with `process_data`, after `run_code` where its rows are to be cleaned. */
export function runQuery({ tables, operations }: Query, part: Part, desk: Desk): Rows | null {
  const [first, ...others] = tables;
  if (first === undefined) return failPart(part, "There are no rows to work on.", desk);
  const { extract } = first;
  const isAlike = others.every((each) => JSON.stringify(each.extract) === JSON.stringify(extract));
  if (isAlike && !part.clean) {
    return extracted({ sources: tables.map(({ from }) => from), extract, operations }, part, desk);
  }
  // Tables that are extracted alike are joined first, so that columns are one whatever their case.
  const joined: Rows[] = [];
  for (const group of isAlike ? [tables] : tables.map((table) => [table])) {
    const sources = group.map(({ from }) => from);
    const own = group[0]?.extract ?? extract;
    const rows = extracted({ sources, extract: own, operations: [] }, part, desk);
    if (rows === null) return null;
    joined.push(rows);
  }
  const calls = joined.map(({ callId }) => callId);
  const cleaned = part.clean ? clean(calls, part, desk) : { calls, notes: [] };
  if (cleaned === null) return null;
  const sources = cleaned.calls.map((callId) => ({ callId }));
  const rows = extracted({ sources, extract: { kind: "table", index: 0 }, operations }, part, desk);
  if (rows === null) return null;
  const notes = [...cleaned.notes, ...[...joined, rows].flatMap((each) => each.notes)];
  return { ...rows, notes: [...new Set(notes)], cut: [...joined, rows].some(({ cut }) => cut) };
}

function clean(
  from: string[],
  part: Part,
  desk: Desk,
): { calls: string[]; notes: string[] } | null {
  const done = desk.get("run_code", { code: CLEANING_PROGRAM, from });
  if (done === null) return null;
  const content = done.answer.ok ? codeContent.safeParse(done.answer.content) : null;
  if (content?.success) return { calls: [done.callId], notes: content.data.console };
  return failPart(part, `The rows could not be cleaned: ${failureOf(done)}`, desk);
}

function extracted(input: unknown, part: Part, desk: Desk): Rows | null {
  const plain: Json = JSON.parse(JSON.stringify(input));
  const done = desk.get("process_data", plain);
  if (done === null) return null;
  const content = done.answer.ok ? dataContent.safeParse(done.answer.content) : null;
  if (!content?.success) return failPart(part, failureOf(done), desk);
  return { callId: done.callId, ...content.data };
}

function failureOf({ answer }: Done): string {
  return answer.ok ? "The answer has an unknown shape." : answer.error.message;
}
