import type { Json, JsonObject } from "../../../../contract/json.ts";
import { uniqueNames } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { toText } from "../../../tools/source-content.ts";
import { cutAt } from "../../../tools/text.ts";
import type { Delivery } from "../program.ts";
import type { Desk } from "./desk.ts";
import type { Result } from "./result.ts";
import { capital } from "./words.ts";

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
  const [only, ...others] = results;
  const isPlain = only?.output !== "table" && only?.part.form === "auto" && !only.nodeType;
  if (!desk.has("emit_output") || (others.length === 0 && isPlain && !hasOthers)) return;
  for (const result of results) {
    const isBlank = result.output === "table" && result.rows.length === 0;
    if (filed.has(result.part.id) || isBlank) continue;
    const { part, nodeType } = result;
    const label = capital(part.label).slice(0, MAX_LABEL);
    const base = { label, ...evidenceOf([result]), ...(nodeType && { nodeType }) };
    desk.get("emit_output", { ...contentOf(result), ...base });
  }
}

function contentOf({ part, columns, rows, data, text, output, callId }: Result): JsonObject {
  const table = callId === null ? { value: { columns, rows } } : { from: callId };
  const plain = typeof data === "string" ? data : JSON.stringify(data);
  switch (part.form) {
    case "csv":
      return { type: "file", mediaType: "text/csv", filename: `${slug(part.label)}.csv`, ...table };
    case "json":
      return { type: "json", value: data };
    case "markdown": {
      const value = toText({ from: "data", table: { columns, rows } }).text;
      return { type: "text", mediaType: "text/markdown", value };
    }
    case "text":
      return { type: "text", value: text };
    case "table":
      return { type: "table", ...table };
    default:
      if (output === "table") return { type: "table", ...table };
      return { type: output, value: output === "text" ? plain : data };
  }
}

/** Names the calls that results are based on. */
export function evidenceOf(results: readonly Result[]): { sources?: string[] } {
  const sources = [...new Set(results.flatMap((result) => result.sources))].slice(0, 50);
  return sources.length === 0 ? {} : { sources };
}

/** Returns what an execution answers as data: one result as it is, several under their names. */
export function dataOf(results: readonly Result[]): Json | undefined {
  const [only, ...others] = results;
  if (only === undefined || others.length === 0) return only?.data;
  const names = uniqueNames(results.map(({ part }) => part.label));
  return Object.fromEntries(results.map(({ data }, at) => [names[at] ?? "", data]));
}

type File = Extract<Delivery, { kind: "file" }>;

const EXTENSIONS = { xlsx: "xlsx", csv: "csv", json: "json", markdown: "md", text: "txt" };
const MEDIA_TYPES = { json: "application/json", markdown: "text/markdown", text: "text/plain" };

/** Returns the name of a file: the given one, or the words of its only result's label. */
export function fileName({ filename, format }: File, results: readonly Result[]): string {
  const [only, ...others] = results;
  const named = filename ?? (others.length === 0 ? slug(only?.part.label ?? "data") : "results");
  return `${named.replace(/\.[a-z]{2,8}$/i, "")}.${EXTENSIONS[format]}`;
}

/** Returns a file's name made of words: "Loose tea" becomes "loose-tea". */
function slug(words: string): string {
  return (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["data"]).join("-").slice(0, 60);
}

/** Returns the call that writes a file of results: a workbook has a sheet for each. */
export function fileCall(
  { format }: File,
  filename: string,
  results: readonly Result[],
): { tool: string; input: JsonObject } {
  const base = { filename, ...evidenceOf(results) };
  const [only, ...others] = results;
  if (format === "csv") {
    return { tool: "write_spreadsheet", input: { format, ...base, ...(only && rowsOf(only)) } };
  }
  if (format === "xlsx") {
    const title = capital(filename.replace(/\.\w+$/, "").replace(/[-_]+/g, " "));
    const names = sheetNames(others.length === 0 ? [title] : results.map(({ part }) => part.label));
    const sheets = results.map((result, at) => ({ name: names[at] ?? "", ...rowsOf(result) }));
    return { tool: "write_spreadsheet", input: { format, ...base, sheets } };
  }
  // A text file of one result holds its lines and nothing else.
  const lines = format === "text" && others.length === 0 && only !== undefined ? linesOf(only) : "";
  const text = lines || results.map((result) => result.text).join("\n\n");
  const value = format === "json" ? (dataOf(results) ?? null) : text;
  const file = { label: filename, type: "file", mediaType: MEDIA_TYPES[format], value };
  return { tool: "emit_output", input: { ...base, ...file } };
}

function linesOf({ rows }: Result): string {
  return rows.map((row) => row.map(cellText).join(", ")).join("\n");
}

/** Returns rows as `write_spreadsheet` takes them. */
function rowsOf({ columns, rows, callId }: Result): JsonObject {
  return callId === null ? { columns: columns.map((name) => ({ name })), rows } : { from: callId };
}

/** Returns names that Excel accepts for sheets, each different from the others, ignoring case. */
function sheetNames(titles: readonly string[]): string[] {
  // Excel reserves the name History.
  const taken = ["history"];
  return titles.map((title) => {
    const plain = title.replace(/[\\/?*[\]:\p{Cc}\p{Cf}\s']+/gu, " ").trim() || "Sheet";
    let name = cutAt(plain, 31).trim();
    for (let copy = 2; taken.includes(name.toLowerCase()); copy += 1) {
      name = `${cutAt(plain, 28)} ${copy}`;
    }
    taken.push(name.toLowerCase());
    return name;
  });
}
