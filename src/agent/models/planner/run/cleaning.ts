import type { Clean } from "../program.ts";

/** Reads the rows of earlier `process_data` answers as objects. */
const READ = `const columns = [...new Set(answers.flatMap((answer) => answer.columns))];
let rows = answers.flatMap((answer) =>
  answer.rows.map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[answer.columns.indexOf(name)] ?? null])),
  ),
);`;

const TRIM = `const tidy = (cell) =>
  typeof cell === "string" ? cell.replace(/[\\s\\u200b\\ufeff]+/g, " ").trim() : cell;
rows = rows.map((row) =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, tidy(cell)])),
);`;

const DROP_EMPTY = `const isEmpty = (cell) => cell === null || String(cell).trim() === "";
rows = rows.filter((row) => !Object.values(row).every(isEmpty));`;

/** Amounts become numbers only if the whole column reads as such in one unit. */
const NUMBERS = `const PLAIN = /^-?(?:\\d+|\\d{1,3}(?:,\\d{3})+)(?:\\.\\d+)?$/;
const partsOf = (text) => /^(-?)([$€£]?)\\s?([\\d,.]+)\\s?(%|€|[A-Z]{3})?$/.exec(text.trim());
for (const name of columns) {
  const cells = rows.map((row) => row[name]).filter((cell) => typeof cell === "string" && cell.trim());
  const parts = cells.map(partsOf);
  const units = new Set(parts.map((part) => part && part[2] + (part[4] ?? "")));
  const isNumeric = parts.every((part) => part && PLAIN.test(part[3]));
  const isCode = cells.some((cell) => /^0\\d/.test(cell.trim()));
  if (cells.length === 0 || !isNumeric || isCode || units.size > 1) continue;
  for (const row of rows) {
    if (typeof row[name] !== "string") continue;
    const part = partsOf(row[name]);
    if (part) row[name] = Number(part[1] + part[3].replaceAll(",", ""));
  }
}`;

const DEDUPE = `const seen = new Set();
rows = rows.filter((row) => {
  const key = JSON.stringify(
    Object.values(row).map((cell) => (typeof cell === "string" ? cell.trim().toLowerCase() : cell)),
  );
  return !seen.has(key) && seen.add(key);
});`;

/** Returns the JavaScript that cleans the rows of earlier `process_data` answers, from fixed sections. */
export function cleaningProgram({ trim, dedupe, dropEmpty, numbers }: Clean): string {
  return [
    READ,
    ...(trim ? [TRIM] : []),
    ...(numbers ? [NUMBERS] : []),
    ...(dropEmpty ? [DROP_EMPTY] : []),
    ...(dedupe ? [DEDUPE] : []),
    "return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) };",
  ].join("\n\n");
}
