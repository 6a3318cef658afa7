import { type ExecutionResult, type Table, table } from "../../contract/execution.ts";
import type { Json } from "../../contract/json.ts";

/** A result's summary and data, less what stands in its outputs, or in the summary, as well. */
export function withoutRepeats({ presentedResult: { summary, data }, outputs }: ExecutionResult): {
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

/** Whether a text has all of these records as rows of a Markdown table. */
function isTabled(data: Json, summary: string): boolean {
  if (!Array.isArray(data) || data.length === 0) return false;
  const lines = new Set(summary.split("\n"));
  return data.every(
    (record) =>
      record !== null && typeof record === "object" && lines.has(line(Object.values(record))),
  );
}

/** A text without the Markdown of a table, where it has all of it. */
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
