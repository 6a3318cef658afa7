import type { ExecutionResult } from "../../contract/execution.ts";
import type { Json } from "../../contract/json.ts";
import { type Output as ExecutionOutput, type Table, valueIn } from "../../contract/outputs.ts";
import type { Output } from "../terminal.ts";
import { columns, countOf, oneLine, plain } from "../text.ts";

const MAX_ROWS = 20;
const MAX_CELL = 60;
const MAX_TEXT = 4_000;

/** Formats a result: status, summary, data, outputs and, unless saved, how to save its files. */
export function resultText(result: ExecutionResult, output: Output, areSaved = false): string {
  const { status, outputs, effects, creditsConsumed, model, executionId } = result;
  const { summary, data } = result.presentedResult;
  const head = output.style(status === "completed" ? "green" : "red", status);
  const facts = `${countOf(creditsConsumed, "credit")} · ${plain(model)}`;
  const uncertain = effects.filter(({ state }) => state === "uncertain");
  const parts = [
    `${head}  ${output.style("dim", facts)}`,
    plain(summary),
    ...(data === undefined || isShown(data, outputs) ? [] : [plain(JSON.stringify(data, null, 2))]),
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
      return `${head}  ${plain(made.url)}`;
    case "table":
      return `${head}\n${tableText(made.value)}`;
    case "text":
      return `${head}\n${cut(plain(made.value))}`;
    case "json":
      return `${head}\n${cut(plain(JSON.stringify(made.value, null, 2)))}`;
  }
}

function tableText({ columns: names, rows }: Table): string {
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

/** Reports whether an output shows the data already, as it is or as a table of records. */
function isShown(data: Json, outputs: readonly ExecutionOutput[]): boolean {
  const same = JSON.stringify(data);
  return outputs.some((output) => {
    const rows = output.type === "table" && recordsOf(output.value);
    return [valueIn(output), rows].some((shown) => JSON.stringify(shown) === same);
  });
}

function recordsOf({ columns, rows }: Table) {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}
