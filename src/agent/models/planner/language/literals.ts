import type { Json, JsonObject } from "../../../../contract/json.ts";
import { type Code, codeOf, fenceCode } from "./code-fences.ts";
import { fillCode } from "./filled-code.ts";
import { type References, textOf } from "./references.ts";

/** A piece of data written into the prompt itself. */
export type Block =
  | { kind: "json"; value: Json; text: string }
  | { kind: "csv"; text: string }
  | { kind: "text"; text: string }
  | { kind: "code"; code: Code; text: string };

export interface Literals {
  /** The text with `blk0_` and `str0_` in place of what was taken out. */
  text: string;
  blocks: Block[];
  strings: string[];
}

const MAX_JSON_TRIES = 60;
const FENCE = /```([a-z\d]{0,12})[ \t]*\n?([\s\S]{0,32000}?)```/gi;
const TEMPLATE = /\{\{\s{0,4}([\w.-]{1,100})\s{0,4}\}\}/g;
const QUOTED =
  /"([^"\n]{1,400})"|“([^”\n]{1,400})”|«([^»\n]{1,400})»|`([^`\n]{1,400})`|(?<!\w)['‘]([^'’\n]{1,300})['’](?!\w)/g;

/** The end of the bracket that opens at `start`, or -1; strings inside are skipped over. */
function closing(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Whether text is rows of separated values: two lines or more with the same separators. */
export function looksLikeCsv(text: string): boolean {
  const lines = text.trim().split(/\r?\n/);
  if (lines.length < 2) return false;
  return [",", ";", "\t", "|"].some((mark) => {
    const widths = lines.map((line) => line.split(mark).length);
    return (widths[0] ?? 1) > 1 && widths.every((width) => width === widths[0]);
  });
}

function jsonBlock(value: Json, raw: string): Block {
  // As it was written, where nothing was filled in.
  return { kind: "json", value, text: raw.includes("\uE000") ? JSON.stringify(value) : raw };
}

/** A value as one cell of a row. */
function cell(value: Json): string {
  const text = textOf(value);
  return /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function blockOf(text: string, references: References): Block {
  const value = references.json(text.trim());
  if (value !== undefined && value !== null && typeof value === "object") {
    return jsonBlock(value, text.trim());
  }
  return looksLikeCsv(text)
    ? { kind: "csv", text: references.text(text.trim(), cell) }
    : { kind: "text", text: references.text(text) };
}

function takeJson(text: string, blocks: Block[], references: References): string {
  let rest = "";
  let from = 0;
  let tries = 0;
  for (let at = 0; at < text.length && tries < MAX_JSON_TRIES; at++) {
    if (text[at] !== "{" && text[at] !== "[") continue;
    // `items[0].name` is a path.
    if (/\w/.test(text[at - 1] ?? "")) continue;
    tries++;
    const end = closing(text, at);
    if (end < 0) continue;
    const raw = text.slice(at, end + 1);
    const value = text[end + 1] === "(" ? undefined : references.json(raw);
    if (value === undefined) continue;
    rest += `${text.slice(from, at)} blk${blocks.length}_ `;
    blocks.push(jsonBlock(value, raw));
    from = end + 1;
    at = end;
  }
  return rest + text.slice(from);
}

const ENUMERATED = /^\s*(?:[-*•]|\d{1,3}[.)]|step \d)/i;

/** Lines of separated values that stand together become one block. */
function takeCsv(text: string, blocks: Block[], references: References): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  let run: string[] = [];
  const flush = (): void => {
    if (run.length >= 2 && looksLikeCsv(run.join("\n"))) {
      kept.push(`blk${blocks.length}_`);
      const rows = run.map((line) => line.trim()).join("\n");
      blocks.push({ kind: "csv", text: references.text(rows, cell) });
    } else kept.push(...run);
    run = [];
  };
  for (const line of lines) {
    const fits =
      /[,;\t|]/.test(line) &&
      !ENUMERATED.test(line) &&
      !/https?:\/\/|url\d+_|[.?!:]\s*$/.test(line);
    if (fits && (run.length === 0 || looksLikeCsv([...run, line].join("\n")))) run.push(line);
    else {
      flush();
      kept.push(line);
    }
  }
  flush();
  return kept.join("\n");
}

/** A text in which the `{{input}}` references are replaced by the values that there are. */
export function fillIn(text: string, inputs: JsonObject | null): string {
  return text.replace(TEMPLATE, (raw, name: string) => {
    const value = inputs !== null && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined) return raw;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** Takes the data blocks out of a prompt in which its references are marked: code fences, JSON, separated values. */
export function takeBlocks(marked: string, known: Literals, references: References): Literals {
  const blocks = [...known.blocks];
  const unfenced = fenceCode(marked).replace(FENCE, (_raw, tag: string, body: string) => {
    const code = codeOf(tag, body);
    if (code !== null) {
      const text = fillCode(body, references);
      blocks.push({ kind: "code", code: { ...code, text }, text });
      return ` blk${blocks.length - 1}_ `;
    }
    const block = blockOf(body, references);
    if (/https?:\/\//i.test(body) && block.kind === "text") return body;
    blocks.push(block);
    return ` blk${blocks.length - 1}_ `;
  });
  const text = takeCsv(takeJson(unfenced, blocks, references), blocks, references);
  return { text, blocks, strings: known.strings };
}

/** Takes quoted strings out of a text whose addresses are already replaced. */
export function takeStrings(
  text: string,
  known: string[],
  references: References,
): { text: string; strings: string[] } {
  const strings = [...known];
  const rest = text.replace(QUOTED, (_raw, ...groups: unknown[]) => {
    const quoted = groups.slice(0, 5).find((group) => typeof group === "string");
    const inner = typeof quoted === "string" ? quoted.trim() : "";
    const placed = inner === "" || /^(?:url|blk|str)\d+_$/.test(inner);
    if (placed || references.lone(inner) !== null) return ` ${inner} `;
    strings.push(references.text(inner));
    return ` str${strings.length - 1}_ `;
  });
  return { text: rest, strings };
}
