import type { Json } from "../../../../contract/json.ts";
import { dataContent } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import type { Part, Query } from "../program.ts";
import { CLEANING_PROGRAM } from "./cleaning.ts";
import type { Desk } from "./desk.ts";
import { failPart } from "./result.ts";

/** Rows as `process_data` returned them. */
export interface Rows {
  callId: string;
  columns: string[];
  rows: Json[][];
  notes: string[];
  /** Whether rows are missing. */
  cut: boolean;
}

/** Runs a query of a part with `process_data`, after `run_code` where its rows are to be cleaned. */
export function runQuery({ tables, operations }: Query, part: Part, desk: Desk): Rows | null {
  // Tables that are extracted alike are read by one call, so that columns are one whatever their case.
  const groups = Map.groupBy(tables, ({ extract }) => JSON.stringify(extract));
  const inputs = [...groups.values()].map((group) => ({
    sources: group.map(({ from }) => from),
    extract: group[0]?.extract ?? null,
  }));
  if (inputs.length < 2 && !part.clean) {
    return extracted({ ...inputs[0], operations }, part, desk);
  }
  const read: Rows[] = [];
  for (const input of inputs) {
    const rows = extracted({ ...input, operations: [] }, part, desk);
    if (rows === null) return null;
    read.push(rows);
  }
  const calls = read.map(({ callId }) => callId);
  const cleaned = part.clean ? clean(calls, part, desk) : { calls, notes: [] };
  if (cleaned === null) return null;
  const sources = cleaned.calls.map((callId) => ({ callId }));
  const rows = extracted({ sources, extract: { kind: "table", index: 0 }, operations }, part, desk);
  if (rows === null) return null;
  const notes = [...cleaned.notes, ...[...read, rows].flatMap((each) => each.notes)];
  return { ...rows, notes: [...new Set(notes)], cut: [...read, rows].some(({ cut }) => cut) };
}

function clean(
  from: string[],
  part: Part,
  desk: Desk,
): { calls: string[]; notes: string[] } | null {
  const done = desk.get("run_code", { code: CLEANING_PROGRAM, from });
  if (done === null) return null;
  if (!done.answer.ok) {
    return failPart(part, `The rows could not be cleaned: ${done.answer.error.message}`, desk);
  }
  return { calls: [done.callId], notes: codeContent.parse(done.answer.content).console };
}

function extracted(input: unknown, part: Part, desk: Desk): Rows | null {
  const plain: Json = JSON.parse(JSON.stringify(input));
  const done = desk.get("process_data", plain);
  if (done === null) return null;
  if (!done.answer.ok) return failPart(part, done.answer.error.message, desk);
  return { callId: done.callId, ...dataContent.parse(done.answer.content) };
}
