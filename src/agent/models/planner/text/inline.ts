/** Data that stands in the prompt itself. */
export interface InlineBlock {
  start: number;
  end: number;
  data: string;
  format: "csv" | "json" | "text";
}

const MAX_BLOCKS = 40;

/** Finds fenced blocks, JSON values and tables of two lines or more, in order and without overlap. */
export function inlineBlocks(text: string): InlineBlock[] {
  const blocks: InlineBlock[] = [];
  for (const block of [...fences(text), ...jsonValues(text), ...tables(text)]) {
    const isFree = blocks.every(({ start, end }) => block.start >= end || start >= block.end);
    if (isFree) blocks.push(block);
  }
  return blocks.toSorted((a, b) => a.start - b.start).slice(0, MAX_BLOCKS);
}

function fences(text: string): InlineBlock[] {
  return [...text.matchAll(/```[ \t]*\w*[ \t]*\n?([\s\S]*?)```/g)].map((match) => {
    const data = (match[1] ?? "").trim();
    const start = match.index;
    const table = tableOf(data.split("\n"));
    const format = parsesAsJson(data) ? "json" : table === null ? "text" : "csv";
    return { start, end: start + match[0].length, data: table ?? data, format };
  });
}

function parsesAsJson(data: string): boolean {
  try {
    return /^[[{]/.test(data) && JSON.parse(data) !== undefined;
  } catch {
    return false;
  }
}

const MAX_ATTEMPTS = 40;

/** Finds balanced objects and arrays that are valid JSON. */
function jsonValues(text: string): InlineBlock[] {
  const found: InlineBlock[] = [];
  // Each attempt reads to the end of the text at worst.
  const starts = [...text.matchAll(/[[{]\s*(?=["{[\]}\d-])/g)].slice(0, MAX_ATTEMPTS);
  for (const { index: start } of starts) {
    if (found.some((block) => start < block.end)) continue;
    const end = balancedEnd(text, start);
    const data = withHoles(text.slice(start, end));
    if (parsesAsJson(data)) found.push({ start, end, data, format: "json" });
  }
  return found;
}

/** The key of an object that stands for a hole: `{"price": <that price>}`. */
export const HOLE = "$hole";

/** Writes holes, such as `<that price>`, as objects that hold their words. */
function withHoles(json: string): string {
  return json.replace(/"?<(\p{L}[^<>"\n]{0,80})>"?/gu, (_, words: string) =>
    JSON.stringify({ [HOLE]: words }),
  );
}

/** Returns where the brackets that open at a place are closed, outside of strings. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(start).matchAll(/"(?:\\.|[^"\\])*"|[[\]{}]/gs)) {
    if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    if (depth === 0) return start + index + 1;
  }
  return text.length;
}

/** Finds runs of lines that have the same separator equally often. */
function tables(text: string): InlineBlock[] {
  const lines = text.split("\n");
  const blocks: InlineBlock[] = [];
  for (let first = 0, start = 0; first < lines.length; ) {
    const mark = separatorOf(lines[first] ?? "");
    const width = cellsOf(lines[first] ?? "", mark).length;
    let next = first + 1;
    while (
      mark !== null &&
      separatorOf(lines[next] ?? "") === mark &&
      cellsOf(lines[next] ?? "", mark).length === width
    )
      next += 1;
    const shown = lines.slice(first, next);
    const end = start + shown.join("\n").length;
    const data = tableOf(shown);
    if (data !== null) blocks.push({ start, end, data, format: "csv" });
    first = next;
    start = end + 1;
  }
  return blocks;
}

/** Returns the separator of a line that may be a table's; a sentence or a line with an address is none. */
function separatorOf(line: string): string | null {
  if (/https?:\/\/|[.:?!]\s*$/.test(line)) return null;
  return ["\t", "|", ";", ","].find((mark) => line.includes(mark)) ?? null;
}

function cellsOf(line: string, mark: string | null): string[] {
  const bare = mark === "|" ? line.trim().replace(/^\||\|$/g, "") : line;
  return bare.split(mark ?? "\n").map((cell) => cell.trim());
}

/** Returns lines with one separator as CSV, or null if they are not a table. */
function tableOf(lines: readonly string[]): string | null {
  const filled = lines.filter((line) => line.trim() !== "");
  const mark = separatorOf(filled[0] ?? "");
  const rows = filled.map((line) => cellsOf(line, mark));
  const [head = []] = rows;
  if (head.length < 2 || rows.length < 2 || rows.some((row) => row.length !== head.length))
    return null;
  // Prose with commas has long first cells and words after a blank; a header has short cells.
  if (mark === "," && head.some((cell) => cell.split(/\s+/).length > 4)) return null;
  const kept = rows.filter((row) => !row.every((cell) => /^:?-{2,}:?$/.test(cell)));
  return kept.map((row) => row.map(csvCell).join(",")).join("\n");
}

function csvCell(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
