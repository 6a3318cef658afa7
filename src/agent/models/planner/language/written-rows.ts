/** Rows as somebody tells them in a sentence: the columns, and the cells of each row. */
interface Grid {
  columns: string[];
  rows: string[][];
}

const MAX_TEXT = 8_000;
const NUMBER = /^[-+]?\d{1,15}(?:\.\d{1,10})?$/;
const COLUMNS =
  "(?:columns?|column names|headers?|header row|headings|fields?)(?: (?:are|is|named|called))?:?";
const ROWS = String.raw`(?:(?:the|these|following|this|one|two|three|four|five|\d{1,3}|data)\s+)*(?:rows?|entries|entry|records?|values|lines?|data)(?: (?:of|are|is))?:?`;
const COLUMN_LIST = String.raw`([^:;.\n]{1,300}?)`;

/** "with columns name and age and the rows Ann 30 and Bob 40". */
const COLUMNS_FIRST = new RegExp(
  String.raw`(?:\b(?:with|having|of|that has|and)\s+)?(?:the\s+)?\b${COLUMNS}\s+${COLUMN_LIST}\s*(?:[,;:.]\s*)?(?:\b(?:and|with|containing|holding|then)\s+)?\b${ROWS}\s+(\S[\s\S]*)$`,
  "i",
);
/** "with headers Name, Age; Ann, 30; Bob, 40". */
const COLUMNS_THEN = new RegExp(
  String.raw`(?:\b(?:with|having)\s+)?(?:the\s+)?\b${COLUMNS}\s+${COLUMN_LIST}\s*[;:\n]\s*(\S[\s\S]*)$`,
  "i",
);
/** "Put Ann,30 and Bob,40 into a spreadsheet with the columns name and age". */
const ROWS_FIRST = new RegExp(
  String.raw`(?<=\b(?:put|write|save|add|enter|store|insert)\s+)(?:${ROWS}\s+)?(\S[^:\n]{0,2000}?)(\s+(?:in|into|to|as)\s+(?:an?|the|one)\s+[^:;\n]{1,80}?)\s+(?:with|under|using|having)\s+(?:the\s+)?${COLUMNS}\s+([^:;\n]{1,300}?)\s*\.?\s*$`,
  "i",
);
/** "the numbers 1, 2, 3 in a column named n". */
const ONE_COLUMN =
  /(?:\bthe\s+)?\b(?:numbers?|values?|words?|names?|items?|texts?|rows?)\s*:?\s+(\S[^:;\n]{0,2000}?)\s+(?:in|under|as|into)\s+(?:an?|one|the)\s+(?:single\s+)?column\s+(?:named|called|titled|with the (?:name|header|title))\s+["'“]?([\p{L}][\p{L}\p{N}_ -]{0,40}?)["'”]?(?=\s*[.,]?\s*$|\s+(?:and|to|in)\b)/iu;
/** "with name,age and the rows Ann,30 and Bob,40". */
const BARE_COLUMNS = new RegExp(
  String.raw`\bwith\s+((?:[\p{L}_][\p{L}\p{N}_]{0,30}\s*,\s*){1,20}[\p{L}_][\p{L}\p{N}_]{0,30})\s+and\s+${ROWS}\s+(\S[\s\S]*)$`,
  "iu",
);
/** Where the rows end and something else is asked for. */
const FURTHER =
  /[.?!](?=\s+\p{Lu})|\n\s*\n|\s*,?\s*\b(?:and|then)\s+(?:then\s+)?(?:please\s+)?(?:save|name|call|send|e-?mail|mail|store|write|give|return|sort|sum|export|attach|post|compute|tell|show)\b[\s\S]*$/iu;
/** What announces rows that stand behind a colon. */
const ANNOUNCED =
  /^([^:\n]*\b(?:rows?|csv|data|table|records?|entries|lines|values|following|json|spreadsheet|excel|xlsx|workbook|sheet|file)\b[^:\n]{0,80}):[ \t]+(\S[^\n]*)$/i;

function bare(cell: string): string {
  return cell
    .trim()
    .replace(/^["'“(]+|["'”)]+$/g, "")
    .trim();
}

function namesIn(list: string): string[] {
  return list
    .split(/\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+|\s*\|\s*/)
    .map(bare)
    .filter((name) => name !== "");
}

/** Words that begin a condition on rows, not a row. */
const NO_ROW =
  /^(?:over|under|above|below|where|with|without|from|of|in|on|sorted|ordered|for|that|which|whose|than|more|less|first|last|top|between|at|by|and|or|it|is|are)$/i;

function markOf(row: string): string | undefined {
  return [",", "|", "\t"].find((one) => row.includes(one));
}

/** The cells of one row; null where they are not as many as the columns. */
function cellsOf(row: string, width: number): string[] | null {
  const mark = markOf(row);
  if (width === 1) {
    const words = bare(row).split(/\s+/);
    const cell = mark === undefined && words.length <= 3 && !NO_ROW.test(words[0] ?? "");
    return cell ? [words.join(" ")] : null;
  }
  const parts = mark === undefined ? row.trim().split(/\s+/) : row.split(mark);
  const cells = parts.map(bare);
  if (cells.length < width || cells.some((cell) => cell === "")) return null;
  if (mark === undefined && !cells.some((cell) => NUMBER.test(cell))) return null;
  if (cells.some((cell) => NO_ROW.test(cell))) return null;
  if (cells.length === width) return cells;
  const name = cells.slice(0, cells.length - width + 1);
  const rest = cells.slice(cells.length - width + 1);
  // "Ann Lee 30": all but the numbers is the name.
  const told = rest.every((one) => NUMBER.test(one)) && !name.some((one) => NUMBER.test(one));
  return mark === undefined && width > 1 && told ? [name.join(" "), ...rest] : null;
}

/** The ways in which rows are told apart; the first in which all have the right width is meant. */
const APART = [
  /\s*;\s*(?:and\s+)?|\s*\n\s*/,
  /\)\s*(?:,|and|,\s*and)?\s*\(/,
  /\s*,?\s+and\s+/,
  /\s*,\s*(?:and\s+)?|\s+and\s+/,
];

function rowsIn(text: string, width: number): string[][] | null {
  const told = text.trim().replace(/[.?!]\s*$/, "");
  if (width < 1 || told.length > MAX_TEXT) return null;
  for (const mark of [...APART.filter((one) => one.test(told)), /$^/]) {
    const lines = told.split(mark).filter((row) => row.trim() !== "");
    // Cells that are parted by commas in one row are so in all.
    if (new Set(lines.map(markOf)).size > 1) continue;
    const rows = lines.map((row) => cellsOf(row, width));
    const whole = rows.flatMap((row) => (row === null ? [] : [row]));
    if (whole.length > 0 && whole.length === rows.length) return whole;
  }
  return null;
}

function written({ columns, rows }: Grid): string {
  const value = (cell: string): string | number => (NUMBER.test(cell) ? Number(cell) : cell);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, value(row[at] ?? "")]))),
  );
}

function gridOf(columns: string[], rows: string): Grid | null {
  const short = columns.every((name) => name.length <= 40 && name.split(/\s+/).length <= 4);
  if (!short || new Set(columns).size < columns.length) return null;
  const found = rowsIn(rows, columns.length);
  return found === null ? null : { columns, rows: found };
}

/** Rows behind a colon that semicolons part: "name,age; Ann,30; Bob,40". The first may name the columns. */
function partedBySemicolons(text: string): Grid | null {
  const rows = text
    .replace(/[.;]\s*$/, "")
    .split(";")
    .map((row) => row.split(",").map(bare));
  const [first, ...others] = rows;
  const width = first?.length ?? 0;
  if (first === undefined || others.length === 0 || width < 2) return null;
  if (rows.some((row) => row.length !== width || row.some((cell) => cell.length > 60))) return null;
  const named = first.every((cell) => cell !== "" && !NUMBER.test(cell));
  const distinct = new Set(first).size === width;
  return named && distinct
    ? { columns: first, rows: others }
    : { columns: first.map((_cell, at) => `column ${at + 1}`), rows };
}

function announced(text: string): string {
  const lines = text.split("\n");
  return lines
    .map((line, at) => {
      const match = ANNOUNCED.exec(line);
      const [, before = "", after = ""] = match ?? [];
      if (match === null || /https?:\/\//i.test(after)) return line;
      const parted = partedBySemicolons(after);
      if (parted !== null) return `${before}: ${written(parted)}`;
      // "Convert this CSV to JSON: a,b" over "1,2": the columns stand behind the colon.
      const next = lines[at + 1] ?? "";
      const mark = [",", ";", "\t", "|"].find((one) => after.includes(one));
      const width = mark === undefined ? 0 : after.split(mark).length;
      const goesOn = mark !== undefined && width > 1 && next.split(mark).length === width;
      return goesOn && !before.includes(mark) ? `${before}:\n${after}` : line;
    })
    .join("\n");
}

/** Puts rows that a sentence tells in words as JSON where they stand, so that they are read as data. */
export function writeRows(text: string): string {
  if (text.length > MAX_TEXT) return text;
  // Beside an address, columns and rows are those of what lies there.
  if (/https?:\/\//i.test(text)) return announced(text);
  for (const pattern of [COLUMNS_FIRST, BARE_COLUMNS, COLUMNS_THEN]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const told = match[2] ?? "";
    const end = FURTHER.exec(told)?.index ?? told.length;
    const grid = gridOf(namesIn(match[1] ?? ""), told.slice(0, end));
    if (grid !== null)
      return `${text.slice(0, match.index)} with ${written(grid)} ${told.slice(end)}`;
  }
  const before = ROWS_FIRST.exec(text);
  const grid = before === null ? null : gridOf(namesIn(before[3] ?? ""), before[1] ?? "");
  if (before !== null && grid !== null) {
    return `${text.slice(0, before.index)}${written(grid)}${before[2] ?? ""}`;
  }
  const one = ONE_COLUMN.exec(text);
  if (one !== null) {
    const rows = namesIn(one[1] ?? "").map((cell) => [cell]);
    const column = one[2] ?? "value";
    if (rows.length > 0) return text.replace(one[0], written({ columns: [column], rows }));
  }
  return announced(text);
}
