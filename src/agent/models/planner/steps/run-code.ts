import type { Json } from "../../../../contract/json.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import { failedPart, type Part } from "../answer/parts.ts";
import { valuePart } from "../answer/value-part.ts";
import { recordsOf } from "../answer/words.ts";
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
  const { value, console: lines } = content.data;
  const printed = lines.length === 0 ? "" : `\n\nIt printed:\n${lines.slice(0, 50).join("\n")}`;
  const part = valuePart("The code returned:", value, done.callId);
  return { ...part, summary: `${part.summary}${printed}`, nodeType: "CODE_RESULT" };
}
