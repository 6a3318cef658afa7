import type { Json } from "../../../../contract/json.ts";
import { dataContent } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import type { Query } from "../program.ts";
import { CLEANING_PROGRAM } from "./cleaning.ts";
import type { Desk, Done } from "./desk.ts";

/** Rows as `process_data` returned them. */
export interface Rows {
  callId: string;
  columns: string[];
  rows: Json[][];
  notes: string[];
  /** Whether rows are missing. */
  cut: boolean;
}

/** A value, or why there is none yet or at all. */
export type Step<T> =
  | { kind: "done"; value: T }
  | { kind: "waiting" }
  | { kind: "failed"; message: string };

const WAITING = { kind: "waiting" } as const;

/** Runs a query with `process_data`; with `clean`, its rows are cleaned by `run_code` first. */
export function runQuery(query: Query, clean: boolean, desk: Desk): Step<Rows> {
  const [first, ...others] = query.tables;
  if (first === undefined) return { kind: "failed", message: "There are no rows to work on." };
  const isAlike = others.every(
    ({ extract }) => JSON.stringify(extract) === JSON.stringify(first.extract),
  );
  const { operations } = query;
  if (isAlike && !clean) {
    const sources = query.tables.map(({ from }) => from);
    return extracted(desk, { sources, extract: first.extract, operations });
  }
  const parts: Rows[] = [];
  // Tables that are extracted alike are joined first, so that columns are one whatever their case.
  const groups = isAlike ? [query.tables] : query.tables.map((table) => [table]);
  for (const tables of groups) {
    const sources = tables.map(({ from }) => from);
    const extract = tables[0]?.extract ?? first.extract;
    const part = extracted(desk, { sources, extract, operations: [] });
    if (part.kind !== "done") return part;
    parts.push(part.value);
  }
  const calls = !clean ? callsOf(parts) : cleaned(parts, desk);
  if (calls.kind !== "done") return calls;
  const sources = calls.value.callIds.map((callId) => ({ callId }));
  const joined = extracted(desk, { sources, extract: { kind: "table", index: 0 }, operations });
  if (joined.kind !== "done") return joined;
  const { value } = joined;
  const notes = [
    ...new Set([...calls.value.notes, ...parts.flatMap((part) => part.notes), ...value.notes]),
  ];
  const cut = value.cut || parts.some((part) => part.cut);
  return { kind: "done", value: { ...value, notes, cut } };
}

/** The calls whose answers are queried, and what was done to their rows. */
interface Prepared {
  callIds: string[];
  notes: string[];
}

function callsOf(parts: readonly Rows[]): Step<Prepared> {
  return { kind: "done", value: { callIds: parts.map(({ callId }) => callId), notes: [] } };
}

function cleaned(parts: readonly Rows[], desk: Desk): Step<Prepared> {
  const from = parts.map(({ callId }) => callId);
  const done = desk.get("run_code", { code: CLEANING_PROGRAM, from });
  if (done === null) return WAITING;
  const content = done.answer.ok ? codeContent.safeParse(done.answer.content) : null;
  if (content?.success) {
    const value = { callIds: [done.callId], notes: content.data.console };
    return { kind: "done", value };
  }
  return { kind: "failed", message: `The rows could not be cleaned: ${failureOf(done)}` };
}

function extracted(desk: Desk, input: unknown): Step<Rows> {
  const plain: Json = JSON.parse(JSON.stringify(input));
  const done = desk.get("process_data", plain);
  if (done === null) return WAITING;
  const content = done.answer.ok ? dataContent.safeParse(done.answer.content) : null;
  if (!content?.success) return { kind: "failed", message: failureOf(done) };
  const { columns, rows, notes, cut } = content.data;
  return { kind: "done", value: { callId: done.callId, columns, rows, notes, cut } };
}

function failureOf({ answer }: Done): string {
  return answer.ok ? "The answer has an unknown shape." : answer.error.message;
}
