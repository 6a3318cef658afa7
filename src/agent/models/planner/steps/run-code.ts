import type { Json } from "../../../../contract/json.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import { isRecord } from "../../../tools/process-data/json/shape.ts";
import { failedPart, type Part } from "../answer/parts.ts";
import { recordsOf, tableText } from "../answer/words.ts";
import type { CodeOrder } from "../plan/code.ts";
import type { Ask } from "../plan/types.ts";
import type { Page } from "../view/pages.ts";
import type { Room } from "./process.ts";
import { readRecords } from "./records.ts";

const MAX_GIVEN = 200_000;
const NO_TOOL =
  "The code was not run: that needs the tool run_code, which is not among the tools of this run.";

/** What the code works on: the rows of the pages that the prompt names, or the data it brings. */
function given(
  asks: readonly { ask: Ask; pages: Page[] }[],
  room: Room,
): { kind: "waiting" } | { kind: "ready"; input: Json | undefined; from: string[] } {
  const values: Json[] = [];
  const from: string[] = [];
  for (const { ask, pages } of asks) {
    const [only] = pages;
    const json = pages.length === 1 ? only?.source.json() : undefined;
    if (only !== undefined && json !== undefined) {
      values.push(json);
      if (only.callId !== null) from.push(only.callId);
      continue;
    }
    const reading = readRecords(ask, pages, room);
    if (reading === null) {
      values.push(...pages.map((page) => page.source.text));
      from.push(...pages.flatMap(({ callId }) => callId ?? []));
      continue;
    }
    const { sources, extract, columns, rows } = reading.sheet;
    values.push(recordsOf(columns, rows));
    if (pages.every(({ callId }) => callId === null)) continue;
    const call = room.desk.get("process_data", JSON.parse(JSON.stringify({ sources, extract })));
    if (call === null) return { kind: "waiting" };
    if (call.answer.ok) from.push(call.callId);
  }
  const [first] = values;
  const input = values.length > 1 ? values : first;
  const small = input === undefined || JSON.stringify(input).length <= MAX_GIVEN;
  return { kind: "ready", input: small ? input : undefined, from };
}

/** Runs the code that the prompt brings; null while that is under way. */
export function codePart(
  order: Extract<CodeOrder, { kind: "run" }>,
  asks: readonly { ask: Ask; pages: Page[] }[],
  inputs: Json,
  room: Room,
): Part | null {
  if (!room.desk.has("run_code")) return failedPart("result", NO_TOOL);
  const data = given(asks, room);
  if (data.kind === "waiting") return null;
  const input = data.input ?? inputs;
  const done = room.desk.get("run_code", {
    code: order.code,
    ...(input === null ? {} : { input }),
    ...(data.from.length === 0 ? {} : { from: data.from }),
  });
  if (done === null) return null;
  if (!done.answer.ok) return failedPart("result", `The code failed: ${done.answer.error.message}`);
  const content = codeContent.safeParse(done.answer.content);
  if (!content.success) return failedPart("result", "The code's answer could not be read.");
  return partOf(done.callId, content.data.value, content.data.console);
}

function partOf(callId: string, value: Json, lines: readonly string[]): Part {
  const records = Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
  const rows = Array.isArray(value) && value.length > 0 && records.length === value.length;
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const shown = rows
    ? `\n\n${tableText(
        columns,
        records.map((record) => columns.map((name) => record[name] ?? null)),
      )}`
    : ` ${typeof value === "string" ? value : JSON.stringify(value)}`;
  const printed = lines.length === 0 ? "" : `\n\nIt printed:\n${lines.slice(0, 50).join("\n")}`;
  return {
    label: "result",
    summary: `The code returned:${shown.slice(0, 8_000)}${printed}`,
    data: value,
    status: "found",
    callId: null,
    records,
    output: rows ? "table" : "json",
    sources: [callId],
    leftover: null,
    nodeType: "CODE_RESULT",
  };
}
