import {
  type Output as ExecutionOutput,
  type ExecutionResult,
  type Table,
  table,
} from "../../contract/execution.ts";
import type { Json } from "../../contract/json.ts";
import type { Output } from "../terminal.ts";
import { columns, countOf, oneLine, plain } from "../text.ts";

const MAX_ROWS = 20;
const MAX_CELL = 60;
const MAX_TEXT = 4_000;

/** Formats a result: status, summary, data, outputs and, unless saved, how to save its files. */
export function resultText(result: ExecutionResult, output: Output, areSaved = false): string {
  const { status, outputs, effects, creditsConsumed, model, executionId } = result;
  const { summary, data } = withoutRepeats(result);
  const head = output.style(status === "completed" ? "green" : "red", status);
  const facts = `${countOf(creditsConsumed, "credit")} · ${plain(model)}`;
  const uncertain = effects.filter(({ state }) => state === "uncertain");
  const parts = [
    `${head}  ${output.style("dim", facts)}`,
    plain(summary),
    ...(data === undefined ? [] : [plain(JSON.stringify(data, null, 2))]),
    ...outputs.map((made) => outputText(made, output)),
    ...uncertain.map(({ tool, target }) =>
      output.style("yellow", `Uncertain whether this took effect: ${tool} ${target}`),
    ),
  ];
  if (!areSaved && outputs.some(({ type }) => type === "file")) {
    parts.push(`Save the files with: prompthook result ${executionId} --save <folder>`);
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

function outputText(made: ExecutionOutput, output: Output): string {
  const head = output.style("bold", made.label);
  switch (made.type) {
    case "file": {
      const { filename = made.outputId, label, sizeBytes = 0 } = made;
      const name = filename === label ? "" : `${plain(filename)}, `;
      return `${head}  ${name}${countOf(sizeBytes, "byte")}`;
    }
    case "link":
      return `${head}  ${plain(made.url ?? "")}`;
    case "table":
      return `${head}\n${tableText(made.value)}`;
    case "text":
    case "json":
      return `${head}\n${cut(plain(typeof made.value === "string" ? made.value : JSON.stringify(made.value, null, 2)))}`;
  }
}

function tableText(value: unknown): string {
  const parsed = table.safeParse(value);
  if (!parsed.success) return cut(plain(JSON.stringify(value)));
  const { columns: names, rows } = parsed.data;
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.map(cellText));
  const more = rows.length - shown.length;
  const lines = columns([names.map(cellText), ...shown]);
  return more === 0 ? lines : `${lines}\n… and ${countOf(more, "row")} more`;
}

function cellText(value: unknown): string {
  return oneLine(typeof value === "string" ? value : JSON.stringify(value), MAX_CELL);
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (use --json for all of it)`;
}

/** Returns the summary and data without the parts that the outputs or the summary already show. */
function withoutRepeats({ presentedResult: { summary, data }, outputs }: ExecutionResult): {
  summary: string;
  data: Json | undefined;
} {
  const tables = outputs.flatMap(({ value }) => {
    const parsed = table.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  const isShown =
    data === undefined ||
    isTabled(data, summary) ||
    tables.some((one) => isSame(data, recordsOf(one))) ||
    outputs.some(({ value }) => value !== undefined && isSame(data, value));
  return { summary: tables.reduce(withoutTable, summary), data: isShown ? undefined : data };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function recordsOf({ columns, rows }: Table) {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}

/** Reports whether the text contains all records as rows of a Markdown table. */
function isTabled(data: Json, summary: string): boolean {
  if (!Array.isArray(data) || data.length === 0) return false;
  const lines = new Set(summary.split("\n"));
  return data.every(
    (record) =>
      record !== null && typeof record === "object" && lines.has(line(Object.values(record))),
  );
}

/** Removes a table's Markdown from the text if it contains the whole table. */
function withoutTable(text: string, { columns, rows }: Table): string {
  const markdown = [columns, columns.map(() => "---"), ...rows].map(line).join("\n");
  return text
    .replace(markdown, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function line(cells: readonly Json[]): string {
  const texts = cells.map((cell) => (typeof cell === "string" ? cell : JSON.stringify(cell)));
  return `| ${texts.join(" | ")} |`;
}
