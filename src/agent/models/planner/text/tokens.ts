import type { JsonObject } from "../../../../contract/json.ts";
import type { Comparable } from "../lexicon/compile.ts";
import { inlineBlocks } from "./inline.ts";
import { filledJson, filledText, filledUrl, referenceAt } from "./input-references.ts";
import { stemOf } from "./words.ts";

/** A literal or a word of the instructions, with its place in the text. */
export type Token = { text: string; start: number; end: number } & (
  | { kind: "word"; word: string; stem: string }
  | { kind: "number"; value: number; unit: string }
  | { kind: "ordinal"; value: number }
  /** A day, a month or a quarter as a half-open range of ISO days. */
  | { kind: "date"; from: string; until: string }
  | { kind: "quote"; value: string }
  | { kind: "time"; value: string }
  | { kind: "url"; url: string; label: string }
  | { kind: "email"; address: string }
  | { kind: "file"; name: string; extension: string }
  | { kind: "path"; path: string }
  | { kind: "data"; data: string; format: "csv" | "json" | "text" }
  | { kind: "mark"; mark: string }
);

const URL_FORM = /https?:\/\/[^\s<>"'`|]+/y;
const DOMAIN =
  /(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|edu|gov|test|example|co|uk|de|fr)\b(?::\d+)?(?:\/[^\s<>"'`|]*)?/iy;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y;
const FILE =
  /[\w][\w.-]*\.(?:xlsx|xls|csv|json|md|txt|pdf|html|docx|xml|tsv|zip|png|yaml)\b(?![\w/])/iy;
const PATH = /[A-Za-z_]\w*(?:\[\d+\]|\[\*\]|\.[A-Za-z_]\w*|\.\*)+/y;
const NUMBER =
  /(?<sign>[-−])?(?<currency>[$€£¥₹])?\s?(?<body>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?<scale>(?:k|m|bn|mn)\b(?![²³])|\s?(?:thousand|million|billion)\b)?(?<after>\s?(?:%|€|£|\$|percent\b))?(?![\w])/iy;
const TIME =
  /(?<hour>[01]?\d|2[0-3])(?:[:.](?<minute>[0-5]\d))?(?:\s?(?<half>[ap]m)\b|\s?o['’]clock)|(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?![\w:])/iy;
const ORDINAL = /(\d+)(?:st|nd|rd|th)\b/y;
const WORD =
  /m[²³]|[\p{L}_][\p{L}\p{N}_]*(?:['’](?!s\b|re\b|m\b|d\b|ll\b|ve\b)[\p{L}]+)?(?:[-/&][\p{L}\p{N}]+)*|[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*/uy;
const SUFFIX = /['’](?:s|re|m|d|ll|ve)\b/iy;
const QUOTES: readonly [string, string][] = [
  ['"', '"'],
  ["“", "”"],
  ["«", "»"],
  ["`", "`"],
  ["'", "'"],
  ["‘", "’"],
];

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DATES = [
  // "5 and 13 June 2026": the month and the year of the second day are meant for both.
  new RegExp(
    `(?<day>\\d{1,2})(?:st|nd|rd|th)?(?=\\s*(?:and|to|until|till|through|or|-|–)\\s*(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH},? (?<year>\\d{4})\\b)`,
    "iy",
  ),
  new RegExp(
    `(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?=\\s*(?:and|to|until|till|through|or|-|–)\\s*(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? \\p{L}+,? (?<year>\\d{4})\\b)`,
    "iyu",
  ),
  /(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})\b/y,
  /(?<year>\d{4})-(?<number>\d{2})\b(?!-)/y,
  new RegExp(`(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (?<year>\\d{4})\\b`, "iy"),
  new RegExp(`${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})\\b`, "iy"),
  new RegExp(`${MONTH},? (?:of )?(?<year>\\d{4})\\b`, "iy"),
];

/** The longest prompt that is read; a longer one is refused. */
export const MAX_TOKENS = 1_500;

/** Splits instructions into words, literals and marks. */
export function tokenize(text: string, inputs: JsonObject | null = null): Token[] {
  const blocks = inlineBlocks(text);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length && tokens.length <= MAX_TOKENS) {
    const block = blocks.find(({ start }) => start === at);
    if (block) {
      const { start, end, format } = block;
      const data =
        format === "json" ? filledJson(block.data, inputs) : filledText(block.data, inputs);
      tokens.push({ kind: "data", text: text.slice(start, end), start, end, data, format });
      at = end;
      continue;
    }
    const reference = referenceAt(text, at, inputs);
    if (reference !== null) {
      const end = at + reference.length;
      tokens.push({ ...reference.value, text: text.slice(at, end), start: at, end });
      at = end;
      continue;
    }
    const limit = blocks.find(({ start }) => start > at)?.start ?? text.length;
    const token = filledToken(tokenAt(text, at, limit, tokens.at(-1)), inputs);
    if (token === null) {
      at += 1;
      continue;
    }
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** Fills the references to inputs that stand within a literal. */
function filledToken(token: Token | null, inputs: JsonObject | null): Token | null {
  if (token === null || !token.text.includes("{{")) return token;
  if (token.kind === "url") return { ...token, url: filledUrl(token.url, inputs) };
  return token.kind === "quote" ? { ...token, value: filledText(token.value, inputs) } : token;
}

type Bare<T> = T extends unknown ? Omit<T, "text" | "start" | "end"> : never;

function tokenAt(text: string, at: number, limit: number, last: Token | undefined): Token | null {
  const char = text[at] ?? "";
  const upTo = (end: number, body: Bare<Token>): Token => ({
    ...body,
    text: text.slice(at, end),
    start: at,
    end,
  });
  if (char === "\n") return upTo(at + 1, { kind: "mark", mark: "\n" });
  if (/\s/.test(char)) return null;

  const quote = quoteAt(text, at, limit);
  if (quote) return upTo(quote.end, { kind: "quote", value: quote.value });

  const link = matchAt(/\[(?<label>[^\]\n]*)\]\((?<url>https?:\/\/[^)\s]+)\)/y, text, at);
  if (link?.groups) {
    const { label = "", url = "" } = link.groups;
    return upTo(at + link[0].length, { kind: "url", url, label });
  }
  const url = matchAt(URL_FORM, text, at);
  if (url) {
    const shown = trimmedUrl(url[0]);
    return upTo(at + shown.length, { kind: "url", url: shown, label: "" });
  }
  const email = matchAt(EMAIL, text, at);
  if (email) return upTo(at + email[0].length, { kind: "email", address: email[0] });
  const file = matchAt(FILE, text, at);
  if (file) {
    const extension = /[^.]*$/.exec(file[0])?.[0].toLowerCase() ?? "";
    return upTo(at + file[0].length, { kind: "file", name: file[0], extension });
  }
  const domain = matchAt(DOMAIN, text, at);
  if (domain) {
    const shown = trimmedUrl(domain[0]);
    return upTo(at + shown.length, { kind: "url", url: `https://${shown}`, label: "" });
  }
  const date = dateAt(text, at);
  if (date) return upTo(at + date.length, { kind: "date", from: date.from, until: date.until });
  const ordinal = matchAt(ORDINAL, text, at);
  if (ordinal) return upTo(at + ordinal[0].length, { kind: "ordinal", value: Number(ordinal[1]) });
  const time = matchAt(TIME, text, at);
  if (time?.groups) {
    const { hour = "", minute = "00", half = "" } = time.groups;
    const add = /^p/i.test(half) && Number(hour) < 12 ? 12 : 0;
    const value = `${String(Number(hour) + add).padStart(2, "0")}:${minute}`;
    return upTo(at + time[0].length, { kind: "time", value });
  }
  const number = numberAt(text, at, last);
  if (number)
    return upTo(at + number.length, { kind: "number", value: number.value, unit: number.unit });
  const slug = matchAt(/\/[\w-]+(?:\/[\w-]+)*\/?(?![\w.])/y, text, at);
  if (slug && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ""))
    return upTo(at + slug[0].length, { kind: "quote", value: slug[0] });
  const path = matchAt(PATH, text, at);
  if (path) return upTo(at + path[0].length, { kind: "path", path: path[0] });
  const suffix = matchAt(SUFFIX, text, at);
  if (suffix && last?.end === at) {
    const word = suffix[0].replace("’", "'").toLowerCase();
    return upTo(at + suffix[0].length, { kind: "word", word, stem: word });
  }
  const word = matchAt(WORD, text, at);
  if (word) return wordToken(word[0], at);
  const operator = matchAt(/[<>!=]=|<>|[≤≥]|->|=>/y, text, at);
  if (operator) return upTo(at + operator[0].length, { kind: "mark", mark: operator[0] });
  return upTo(at + 1, { kind: "mark", mark: char });
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns a word; "isn't" stays one word, which the lexicon knows. */
function wordToken(shown: string, at: number): Token {
  const word = plainWord(shown);
  const end = at + shown.length;
  return { kind: "word", text: shown, start: at, end, word, stem: stemOf(word) };
}

/** Returns a word in lower case, in one spelling. */
function plainWord(shown: string): string {
  return shown
    .replaceAll("’", "'")
    .toLowerCase()
    .replace(/^e-(?=mail)/, "e");
}

function quoteAt(text: string, at: number, limit: number): { value: string; end: number } | null {
  for (const [open, close] of QUOTES) {
    if (!text.startsWith(open, at)) continue;
    const isApostrophe = open === "'" || open === "‘";
    if (isApostrophe && /[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return null;
    let end = text.indexOf(close, at + 1);
    // "the team's 'rock'n'roll' shirt": a closing apostrophe is not followed by a letter.
    while (isApostrophe && end > 0 && /[\p{L}\p{N}]/u.test(text[end + 1] ?? "")) {
      end = text.indexOf(close, end + 1);
    }
    if (end < 0 || end >= limit || end === at + 1) continue;
    return { value: text.slice(at + 1, end), end: end + 1 };
  }
  return null;
}

/** Returns an address without the punctuation of the sentence around it. */
function trimmedUrl(url: string): string {
  let shown = url;
  for (;;) {
    const last = shown.at(-1) ?? "";
    const unbalanced =
      (last === ")" && !shown.includes("(")) || (last === "]" && !shown.includes("["));
    if (!/[.,;:!?*…"'’”]/.test(last) && !unbalanced) return shown;
    shown = shown.slice(0, -1);
  }
}

function dateAt(text: string, at: number): { from: string; until: string; length: number } | null {
  for (const form of DATES) {
    const match = matchAt(form, text, at);
    if (!match?.groups) continue;
    const { year = "", number, month, day } = match.groups;
    const name = month?.slice(0, 3).toLowerCase() ?? "";
    const index = number === undefined ? MONTHS.indexOf(name) : Number(number) - 1;
    if (index < 0 || index > 11) continue;
    const range = dayRange(Number(year), index, day === undefined ? null : Number(day));
    if (range) return { ...range, length: match[0].length };
  }
  return null;
}

/** Returns the range of a day, or of a month if the day is null; null for a day that does not exist. */
function dayRange(
  year: number,
  month: number,
  day: number | null,
): { from: string; until: string } | null {
  const from = new Date(Date.UTC(year, month, day ?? 1));
  if (day !== null && from.getUTCDate() !== day) return null;
  const until = new Date(
    Date.UTC(year, day === null ? month + 1 : month, day === null ? 1 : day + 1),
  );
  return { from: from.toISOString().slice(0, 10), until: until.toISOString().slice(0, 10) };
}

const SCALES: Partial<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};
const UNITS: Partial<Record<string, string>> = {
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
  "%": "%",
  percent: "%",
};

function numberAt(
  text: string,
  at: number,
  last: Token | undefined,
): { value: number; unit: string; length: number } | null {
  const match = matchAt(NUMBER, text, at);
  if (!match?.groups) return null;
  const { sign, currency, body = "", scale = "", after = "" } = match.groups;
  const glued = last !== undefined && last.end === at && sign !== undefined;
  if (glued) return null;
  const factor = SCALES[scale.trim().toLowerCase()] ?? 1;
  const value = Number(body.replaceAll(",", "")) * factor * (sign === undefined ? 1 : -1);
  const unit = UNITS[currency ?? after.trim().toLowerCase()] ?? "";
  return { value: Number(value.toPrecision(15)), unit, length: match[0].length };
}

/** Returns a token as the lexicon compares it; null for literals. */
export function comparable(token: Token): Comparable | null {
  if (token.kind === "word") return { word: token.word, stem: token.stem };
  return token.kind === "mark" ? { word: token.mark, stem: token.mark } : null;
}
