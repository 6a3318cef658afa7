/** Data that stands in the prompt itself. */
export interface InlineBlock {
  start: number;
  end: number;
  data: string;
  format: "csv" | "json" | "text";
}

/** Finds fenced blocks, JSON values and tables of two lines or more, in order and without overlap. */
export function inlineBlocks(text: string): InlineBlock[] {
  const blocks: InlineBlock[] = [];
  const add = (found: InlineBlock[]) => {
    for (const block of found) {
      const overlaps = blocks.some(({ start, end }) => block.start < end && start < block.end);
      if (!overlaps) blocks.push(block);
    }
  };
  add(fences(text));
  add(jsonValues(text));
  add(tableLines(text));
  add(toldRows(text));
  return blocks.toSorted((a, b) => a.start - b.start).slice(0, MAX_BLOCKS);
}

/** A row in words: "food 320.50", "3 apples". */
const TOLD = String.raw`(?:\p{L}[\p{L} ]{0,30} [$€£]?\d+(?:\.\d+)?|[$€£]?\d+(?:\.\d+)? \p{L}[\p{L} ]{0,30})`;
const TOLD_ROWS = new RegExp(
  String.raw`(?<=:\s|^)${TOLD}(?:(?:,? and |, ?)${TOLD}){2,}(?=[.?!;\n]|$)`,
  "gmu",
);

/** Finds three rows or more in words after a colon: "rent 900, food 320.50, bus 60". */
function toldRows(text: string): InlineBlock[] {
  return [...text.matchAll(TOLD_ROWS)].map((match) => {
    const [told] = match;
    const rows = told.split(/,? and |, ?/).map((row) => {
      const value = /[$€£]?\d+(?:\.\d+)?/.exec(row)?.[0] ?? "";
      return `${csvCell(row.replace(value, "").trim())},${value}`;
    });
    const data = ["item,value", ...rows].join("\n");
    return { start: match.index, end: match.index + told.length, data, format: "csv" };
  });
}

function fences(text: string): InlineBlock[] {
  return [...text.matchAll(/```[ \t]*(\w*)[ \t]*\n?([\s\S]*?)```/g)].map((match) => {
    const data = (match[2] ?? "").trim();
    return {
      start: match.index,
      end: match.index + match[0].length,
      data: tableOf(data.split("\n")) ?? data,
      format: formatOf(data),
    };
  });
}

function formatOf(data: string): InlineBlock["format"] {
  if (parsesAsJson(data)) return "json";
  return tableOf(data.split("\n")) === null ? "text" : "csv";
}

function parsesAsJson(data: string): boolean {
  if (!/^[[{]/.test(data)) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

const MAX_ATTEMPTS = 40;
const MAX_BLOCKS = 40;

/** Finds balanced objects and arrays that are valid JSON. */
function jsonValues(text: string): InlineBlock[] {
  const found: InlineBlock[] = [];
  let attempts = 0;
  for (const match of text.matchAll(/[[{]\s*(?=["{[\]}\d-])/g)) {
    const start = match.index;
    if (found.some((block) => start < block.end)) continue;
    // Each attempt reads to the end of the text at worst.
    attempts += 1;
    if (attempts > MAX_ATTEMPTS) break;
    const end = balancedEnd(text, start);
    if (end === null) continue;
    const data = withHoles(text.slice(start, end));
    if (parsesAsJson(data)) found.push({ start, end, data, format: "json" });
  }
  return found;
}

/** The key of an object that stands for a hole: `{"price": <that price>}`. */
export const HOLE = "$hole";

/** Writes holes, such as `<that price>`, as objects that hold their words. */
function withHoles(json: string): string {
  return json.replace(/"?<([\p{L}][^<>"\n]{0,80})>"?/gu, (_, words: string) =>
    JSON.stringify({ [HOLE]: words }),
  );
}

function balancedEnd(text: string, start: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
      continue;
    }
    if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Finds runs of lines that have the same separator equally often. */
function tableLines(text: string): InlineBlock[] {
  const blocks: InlineBlock[] = [];
  const lines = text.split("\n");
  let offset = 0;
  let first = 0;
  let run: string[] = [];
  const close = (end: number) => {
    const data = tableOf(run);
    if (data !== null) blocks.push({ start: first, end, data, format: "csv" });
    run = [];
  };
  for (const line of lines) {
    const continues = run.length === 0 ? separatorOf(line) !== null : sameTable(run, line);
    if (!continues) {
      close(offset - 1);
      if (separatorOf(line) !== null) {
        first = offset;
        run = [line];
      }
    } else {
      if (run.length === 0) first = offset;
      run.push(line);
    }
    offset += line.length + 1;
  }
  close(text.length);
  return blocks;
}

const SEPARATORS = ["\t", "|", ";", ","];

/** Returns the separator of a line that may be a table's; a sentence or a line with an address is none. */
function separatorOf(line: string): string | null {
  if (/https?:\/\/|[.:?!]\s*$/.test(line) || line.trim() === "") return null;
  return SEPARATORS.find((mark) => line.includes(mark)) ?? null;
}

function sameTable(run: readonly string[], line: string): boolean {
  const mark = separatorOf(run[0] ?? "");
  return (
    mark !== null &&
    separatorOf(line) === mark &&
    cells(line, mark).length === cells(run[0] ?? "", mark).length
  );
}

function cells(line: string, mark: string): string[] {
  const bare = mark === "|" ? line.trim().replace(/^\||\|$/g, "") : line;
  return bare.split(mark).map((cell) => cell.trim());
}

/** Returns lines with one separator as CSV, or null if they are not a table. */
function tableOf(lines: readonly string[]): string | null {
  const filled = lines.filter((line) => line.trim() !== "");
  const mark = separatorOf(filled[0] ?? "");
  if (mark === null || filled.length < 2) return null;
  const rows = filled.map((line) => cells(line, mark));
  const width = rows[0]?.length ?? 0;
  if (width < 2 || rows.some((row) => row.length !== width)) return null;
  const kept = rows.filter((row) => !row.every((cell) => /^:?-{2,}:?$/.test(cell)));
  // Prose with commas has long first cells and words after a blank; a header has short cells.
  if (mark === "," && (rows[0] ?? []).some((cell) => cell.split(/\s+/).length > 4)) return null;
  return kept.map((row) => row.map(csvCell).join(",")).join("\n");
}

function csvCell(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
