import type { Json, JsonObject } from "../../../../contract/json.ts";
import { type Code, codeOf, fenceCode } from "./code-fences.ts";

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

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

function blockOf(text: string): Block {
  const value = parseJson(text.trim());
  if (value !== undefined && value !== null && typeof value === "object") {
    return { kind: "json", value, text: text.trim() };
  }
  return looksLikeCsv(text) ? { kind: "csv", text: text.trim() } : { kind: "text", text };
}

function takeJson(text: string, blocks: Block[]): string {
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
    const value = text[end + 1] === "(" ? undefined : parseJson(raw);
    if (value === undefined) continue;
    rest += `${text.slice(from, at)} blk${blocks.length}_ `;
    blocks.push({ kind: "json", value, text: raw });
    from = end + 1;
    at = end;
  }
  return rest + text.slice(from);
}

const ENUMERATED = /^\s*(?:[-*•]|\d{1,3}[.)]|step \d)/i;

/** Lines of separated values that stand together become one block. */
function takeCsv(text: string, blocks: Block[]): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  let run: string[] = [];
  const flush = (): void => {
    if (run.length >= 2 && looksLikeCsv(run.join("\n"))) {
      kept.push(`blk${blocks.length}_`);
      blocks.push({ kind: "csv", text: run.map((line) => line.trim()).join("\n") });
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

/** What an input's value reads as inside the prompt: an address stays plain, all else is a literal. */
function inputText(value: Json, strings: string[], blocks: Block[]): string {
  if (typeof value === "string" && /^https?:\/\/\S+$/i.test(value)) return ` ${value} `;
  if (typeof value === "number") return ` ${value} `;
  if (value !== null && typeof value === "object") {
    blocks.push({ kind: "json", value, text: JSON.stringify(value) });
    return ` blk${blocks.length - 1}_ `;
  }
  const text = String(value);
  if (looksLikeCsv(text)) {
    blocks.push({ kind: "csv", text });
    return ` blk${blocks.length - 1}_ `;
  }
  strings.push(text);
  return ` str${strings.length - 1}_ `;
}

/** A text in which the `{{input}}` references are replaced by the values that there are. */
export function fillIn(text: string, inputs: JsonObject | null): string {
  return text.replace(TEMPLATE, (raw, name: string) => {
    const value = inputs !== null && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined) return raw;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

const LABELLED =
  /\b([A-Za-z]{1,40})(?:\s+of)?\s{0,2}[:=]?\s{1,4}(?=\{\{\s{0,4}([\w.-]{1,100})\s{0,4}\}\})/g;

/** In "total {{total}}" the word only says what the reference says: it asks for no sum. */
function withoutLabels(prompt: string): string {
  return prompt.replace(LABELLED, (raw, word: string, name: string) =>
    word.toLowerCase() === name.toLowerCase() ? " " : raw,
  );
}

/** Takes the data blocks out of a prompt: code fences, JSON, separated values, `{{input}}` references. */
export function takeBlocks(prompt: string, inputs: JsonObject | null, known: Literals): Literals {
  const blocks = [...known.blocks];
  const strings = [...known.strings];
  const referred = withoutLabels(fenceCode(prompt)).replace(TEMPLATE, (raw, name: string) => {
    const value = inputs !== null && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    return value === undefined ? raw : inputText(value, strings, blocks);
  });
  const unfenced = referred.replace(FENCE, (_raw, tag: string, body: string) => {
    const code = codeOf(tag, body);
    if (code !== null) {
      blocks.push({ kind: "code", code, text: body });
      return ` blk${blocks.length - 1}_ `;
    }
    if (/https?:\/\//i.test(body) && blockOf(body).kind === "text") return body;
    blocks.push(blockOf(body));
    return ` blk${blocks.length - 1}_ `;
  });
  const text = takeCsv(takeJson(unfenced, blocks), blocks);
  return { text, blocks, strings };
}

/** Takes quoted strings out of a text whose addresses are already replaced. */
export function takeStrings(text: string, known: string[]): { text: string; strings: string[] } {
  const strings = [...known];
  const rest = text.replace(QUOTED, (_raw, ...groups: unknown[]) => {
    const quoted = groups.slice(0, 5).find((group) => typeof group === "string");
    const inner = typeof quoted === "string" ? quoted.trim() : "";
    if (inner === "" || /^(?:url|blk|str)\d+_$/.test(inner)) return ` ${inner} `;
    strings.push(inner);
    return ` str${strings.length - 1}_ `;
  });
  return { text: rest, strings };
}
