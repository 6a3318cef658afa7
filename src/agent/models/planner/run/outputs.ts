import type { Json } from "../../../../contract/json.ts";
import type { Desk } from "./desk.ts";
import { slug } from "./file-names.ts";
import type { Result } from "./results.ts";
import { capital, tableText } from "./words.ts";

const MAX_LABEL = 200;

/**
 * Queues the calls that output results and were not made yet. A single figure without any other output
 * needs none: the service outputs the answer of an execution that has no other.
 */
export function queueOutputs(
  results: readonly Result[],
  { filed, hasOthers }: { filed: ReadonlySet<string>; hasOthers: boolean },
  desk: Desk,
): void {
  if (!desk.has("emit_output")) return;
  const [only, ...others] = results;
  const isPlain =
    only !== undefined && only.output !== "table" && only.part.form === "auto" && !only.nodeType;
  if (others.length === 0 && isPlain && !hasOthers) return;
  for (const result of results) {
    if (!filed.has(result.part.id) && !isBlank(result)) desk.get("emit_output", inputOf(result));
  }
}

/** Whether a result has no rows to output. */
function isBlank({ output, rows }: Result): boolean {
  return output === "table" && rows.length === 0;
}

function inputOf(result: Result): Json {
  const { part, columns, rows, callId, data } = result;
  const label = capital(part.label).slice(0, MAX_LABEL);
  const evidence = result.sources.slice(0, 50);
  const sources = {
    ...(evidence.length === 0 ? {} : { sources: evidence }),
    ...(result.nodeType === undefined ? {} : { nodeType: result.nodeType }),
  };
  const table: Json = callId === null ? { value: { columns, rows } } : { from: callId };
  const isTable = result.output === "table" || part.form === "table";
  switch (part.form) {
    case "csv":
      return {
        label,
        type: "file",
        mediaType: "text/csv",
        filename: `${slug(label)}.csv`,
        ...table,
        ...sources,
      };
    case "json":
      return { label, type: "json", value: data, ...sources };
    case "markdown":
      return {
        label,
        type: "text",
        mediaType: "text/markdown",
        value: tableText(columns, rows),
        ...sources,
      };
    case "text":
      return { label, type: "text", value: result.text, ...sources };
    default:
      if (isTable) return { label, type: "table", ...table, ...sources };
      if (result.output === "text") return { label, type: "text", value: textOf(data), ...sources };
      return { label, type: "json", value: data, ...sources };
  }
}

function textOf(data: Json): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}

/** Returns what an execution answers as data: one result as it is, several under their names. */
export function dataOf(results: readonly Result[]): Json | undefined {
  const [only, ...others] = results;
  if (only === undefined) return undefined;
  if (others.length === 0) return only.data;
  const data: Record<string, Json> = {};
  for (const { part, data: value } of results) {
    const wanted = part.name ?? part.label;
    let name = wanted;
    for (let copy = 2; Object.hasOwn(data, name); copy += 1) name = `${wanted} ${copy}`;
    data[name] = value;
  }
  return data;
}

/** Returns rows as `write_spreadsheet` takes them. */
export function rowsOf({ columns, rows, callId }: Result): Record<string, Json> {
  if (callId !== null) return { from: callId };
  return { columns: columns.map((name) => ({ name })), rows };
}
