import type { Reading, Sentence } from "../language/reading.ts";
import { type Taken, without } from "./taken.ts";

export type DocumentFormat = "text" | "markdown" | "json";

/** A file of text that the answer, or a text of the prompt, is to be written to. */
export interface DocumentOrder {
  format: DocumentFormat;
  /** As the prompt has it; null when it names none. */
  filename: string | null;
  /** What is to stand in it, where the prompt has that itself; null where it is the answer. */
  content: string | null;
  /** An ending that no file can be made with; null where one can be made. */
  unfit: string | null;
}

const ENDS: Record<string, DocumentFormat> = {
  txt: "text",
  text: "text",
  log: "text",
  md: "markdown",
  markdown: "markdown",
  json: "json",
};
const UNFIT = "docx?|odt|rtf|pdf|html?|xml|ya?ml|toml|tex|pptx?|png|jpe?g|zip|ods|sql";
const END = new RegExp(`\\.(${Object.keys(ENDS).join("|")}|${UNFIT})$`, "i");
const NAME = String.raw`(str\d+_|(?<![\w@/.:-])[\w][\w-]{0,60}(?:\.[\w-]{1,40}){0,3}\.(?:${Object.keys(ENDS).join("|")}|${UNFIT}))(?![\w@/])`;
const KIND = String.raw`(plain[ -]text|text|\.?txt|markdown|\.?md|json)`;
const NEW = "(?:(?:new|plain|simple|small|single|downloadable|local) )*";
const A = "(?:(?:an?|one|the) )?";
const FILE = "(?:files?|documents?)";
const CALLED = "(?:(?:called|named|titled|with the name|under the name) )?";

/** "… to headings.json", "into a text file called links.txt", "as a Markdown file". */
const NAMED = new RegExp(
  String.raw`,?\s*\b(?:as|to|into|in|onto|under)\s+${A}${NEW}(?:${KIND} )?(?:${FILE} )?${CALLED}${NAME}`,
  "i",
);
const KINDED = new RegExp(String.raw`,?\s*\b(?:as|to|into|in)\s+${A}${NEW}${KIND} ${FILE}\b`, "i");
/** "Create a text file notes.txt with …", "make a JSON file of …". */
const MADE = new RegExp(
  String.raw`\b(?:create|make|write|generate|produce|build|prepare|give me|save|i (?:want|need))\s+(?:me\s+)?${A}${NEW}(?:${KIND} ${FILE}(?:,? ${CALLED}${NAME})?|${FILE},? ${CALLED}${NAME}|(files?)(?= (?:with|of|containing|holding|that|listing) ))`,
  "i",
);
/** Behind a file: what is to stand in it. */
const HOLDING =
  /^\s*,?\s*(?:(?:and\s+)?(?:that |which )?(?:with|of|from|containing|contains|holding|holds|saying|says|reading|has|having|listing|lists|for|about)|:)\s+/i;
const SAVES =
  /\b(?:save|write|store|export|put|create|make|generate|produce|output|dump|record|keep|collect|place|log|print|convert|download|deliver|hand|give|return|get|want|need|extract|list|turn|summari[sz]e|fetch)\b/i;
/** Where a file's name is something to look for or to read. */
const SOUGHT =
  /\b(?:links?|ending|ends?|contain\w*|mention\w*|open|click|follow|find|about|word|points?|leads?|go(?:es)?|visit|read)\s+(?:(?:on|to|for|in|with|called|named|the|an?|file)\s+)*$/i;

const ONLY_CONTENT =
  /^\W*(?:please\s+)?(?:(?:save|write|store|put|create|make|output|print|get|export|dump|add)\s+)?(?:(?:the|this|these|following|given|words?|text|texts|string|sentence|phrase|content|contents|line|lines|json|object|data|value|message)\s+)*:?\s*((?:str|blk)\d+_)\W*$/i;
/** A whole page, of which nothing in particular is wanted. */
const WHOLE =
  /^\W*(?:please\s+)?(?:(?:save|write|store|export|download|dump|put|convert|copy|get|fetch|open|read|turn)\s+)?(?:the\s+)?(?:(?:whole|full|entire|web)\s+)*(?:page|site|content|contents|article|response|answer|document|api|data|json)?\s*(?:(?:of|at|from)\s+)?(?:the\s+page\s+)?(url\d+_)(?:\s+and\s+(?:save|write|store|export|dump|put)\s+(?:it|this|that|the (?:page|answer|response|content|json)))?\W*$/i;

function formatOf(kind: string): DocumentFormat {
  return /json/i.test(kind) ? "json" : /m(?:ark)?d/i.test(kind) ? "markdown" : "text";
}

function spelled(name: string | undefined, { strings }: Reading): string {
  return (name ?? "").replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "").trim();
}

interface Found {
  raw: string;
  format: DocumentFormat;
  filename: string | null;
  unfit: string | null;
}

function fileOf(raw: string, kind: string | undefined, name: string): Found | null {
  const end = END.exec(name)?.[1]?.toLowerCase();
  // A quoted text without an ending is no name, unless a kind of file stands before it.
  if (end === undefined) {
    if (kind === undefined) return null;
    return { raw, format: formatOf(kind), filename: name === "" ? null : name, unfit: null };
  }
  const format = ENDS[end];
  const unfit = format === undefined ? `.${end}` : null;
  return { raw, format: format ?? "text", filename: name, unfit };
}

function fileIn(raw: string, reading: Reading): Found | null {
  const made = MADE.exec(raw);
  if (made !== null) {
    const token = made[2] ?? made[3];
    const name = spelled(token, reading);
    const after = raw.slice(made.index + made[0].length);
    const held = HOLDING.test(after);
    const rest = after.replace(HOLDING, " ");
    const found = fileOf(
      `${raw.slice(0, made.index)} get ${rest}`,
      made[1] ?? (made[4] === undefined ? undefined : "text"),
      END.test(name) || held ? name : "",
    );
    if (found !== null) return found;
  }
  for (const pattern of [NAMED, KINDED]) {
    const match = pattern.exec(raw);
    if (match === null || SOUGHT.test(raw.slice(0, match.index + match[0].length - 1))) continue;
    const before = raw.slice(0, match.index);
    if (!SAVES.test(before) || SOUGHT.test(`${before} `)) continue;
    // "Get x in data.json" names where x is; "save x in data.json" where it goes.
    const inside = /^,?\s*in\b/i.test(match[0]);
    if (inside && !/\b(?:save|write|store|put|record|dump|keep|collect|place|log)\b/i.test(before))
      continue;
    const name = pattern === NAMED ? spelled(match[2], reading) : "";
    const after = raw.slice(match.index + match[0].length);
    const called = /^\s*,?\s*(?:called|named)\s+(str\d+_|[\w.-]+)/i.exec(after);
    const own = name === "" ? spelled(called?.[1], reading) : name;
    const rest = name === "" && called !== null ? after.slice(called[0].length) : after;
    const found = fileOf(`${before} ${rest}`, match[1], own);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a prompt that begins like a text to give back asks for a file of it. */
export function writesFile(prompt: string): boolean {
  const kind = `(?:${KIND} )?${FILE}`;
  const named = String.raw`[\w-]+\.(?:${Object.keys(ENDS).join("|")}|csv|xlsx|${UNFIT})`;
  return new RegExp(
    String.raw`^\W*(?:please\s+)?(?:write|save|store|put|output|print|dump)\b[\s\S]*["'”’\w}\]]\s+(?:to|into|in|as)\s+${A}${NEW}(?:${kind}(?: ${CALLED}["'“]?[\w.-]+["'”]?)?|["'“]?${named}["'”]?)\s*[.!]?\s*$`,
    "i",
  ).test(prompt);
}

/** Takes out that the answer, or a text of the prompt, is to be written to a file of text. */
export function takeDocument(
  sentences: readonly Sentence[],
  reading: Reading,
): Taken<DocumentOrder | null> {
  let order: DocumentOrder | null = null;
  const left = sentences.flatMap((sentence) => {
    const found = fileIn(sentence.raw, reading);
    if (found === null) return [sentence];
    const { raw, ...file } = found;
    const token = ONLY_CONTENT.exec(raw)?.[1];
    const content = token === undefined ? null : contentOf(token, reading);
    order = { ...file, content };
    if (content !== null) return [];
    const page = WHOLE.exec(raw)?.[1];
    const whole = file.format === "json" ? "get the data of" : "get the full text of";
    return without(sentence, page === undefined ? raw : `${whole} ${page}`);
  });
  return { sentences: left, order };
}

function contentOf(token: string, { strings, blocks }: Reading): string | null {
  const at = Number(/\d+/.exec(token)?.[0] ?? -1);
  const text = token.startsWith("str") ? strings[at] : blocks[at]?.text;
  return text ?? null;
}
