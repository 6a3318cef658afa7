import type { JsonObject } from "../../../../contract/json.ts";
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

type Bare<T> = T extends unknown ? Omit<T, "text" | "start" | "end"> : never;

/** What a form makes of its match; null leaves the place to the next form. */
type Make = (groups: Partial<Record<string, string>>, shown: string) => Bare<Token> | null;

const MONTH = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`,? (?:of )?(?<year>\d{4})\b`;
/** "5 and 13 June 2026": the month and the year of the second day are meant for both. */
const SHARED = String.raw`(?=\s*(?:and|to|until|till|through|or|-|–)\s*(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? `;
const LAST = String.raw`[^\s<>"'\`|()[\]]`;

/** The forms of literals and words. The first that matches at a place is read. */
const FORMS: readonly (readonly [form: RegExp, make: Make])[] = [
  [/\n/y, (_, mark) => ({ kind: "mark", mark })],
  [/"(?<value>[^"]+)"|“(?<value>[^”]+)”|«(?<value>[^»]+)»|`(?<value>[^`]+)`/y, quoted],
  // "the team's 'rock'n'roll' shirt": no letter stands outside of a quoting apostrophe.
  [
    /(?<![\p{L}\p{N}])(?:'(?<value>[^']+(?:'(?=[\p{L}\p{N}])[^']*)*)'|‘(?<value>[^’]+(?:’(?=[\p{L}\p{N}])[^’]*)*)’)/uy,
    quoted,
  ],
  [
    /\[(?<label>[^\]\n]*)\]\((?<url>https?:\/\/[^)\s]+)\)/y,
    ({ url = "", label = "" }) => ({ kind: "url", url, label }),
  ],
  [
    new RegExp(
      String.raw`https?:\/\/(?:${LAST}|\([^\s()]*\)|\[[^\s[\]]*\])+(?<![.,;:!?*…”’])`,
      "y",
    ),
    (_, url) => ({ kind: "url", url, label: "" }),
  ],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y, (_, address) => ({ kind: "email", address })],
  [
    /\w[\w.-]*\.(?<extension>xlsx|xls|csv|json|md|txt|pdf|html|docx|xml|tsv|zip|png|yaml)\b(?![\w/])/iy,
    ({ extension = "" }, name) => ({ kind: "file", name, extension: extension.toLowerCase() }),
  ],
  [
    new RegExp(
      String.raw`(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|edu|gov|test|example|co|uk|de|fr)\b(?::\d+)?(?:\/${LAST}*(?<![.,;:!?*…”’]))?`,
      "iy",
    ),
    (_, domain) => ({ kind: "url", url: `https://${domain}`, label: "" }),
  ],
  [new RegExp(`${DAY}${SHARED}${MONTH}${YEAR})`, "iy"), dated],
  [new RegExp(`${DAY}(?: of)? ${MONTH}${SHARED}\\p{L}+${YEAR})`, "iyu"), dated],
  [/(?<year>\d{4})-(?<number>\d{2})(?:-(?<day>\d{2})\b|\b(?!-))/y, dated],
  [
    new RegExp(`${DAY}(?: of)? ${MONTH}${YEAR}|${MONTH} ${DAY}${YEAR}|${MONTH}${YEAR}`, "iy"),
    dated,
  ],
  [/(?:noon|midday)\b/iy, () => ({ kind: "time", value: "12:00" })],
  [/(?<value>\d+)(?:st|nd|rd|th)\b/y, ({ value }) => ({ kind: "ordinal", value: Number(value) })],
  [
    /(?<hour>[01]?\d|2[0-3])(?:[:.](?<minute>[0-5]\d))?(?:\s?(?<half>[ap]m)\b|\s?o['’]clock)|(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?![\w:])/iy,
    timed,
  ],
  [
    /(?<sign>(?<![^\s(:,;])[-−])?(?<currency>[$€£¥₹])?\s?(?<body>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?<scale>(?:k|m|bn|mn)\b(?![²³])|\s?(?:thousand|million|billion)\b)?(?<after>\s?(?:%|€|£|\$|percent\b))?(?!\w)/iy,
    numbered,
  ],
  [
    /(?<![\p{L}\p{N}])\/[\w-]+(?:\/[\w-]+)*\/?(?![\w.])/uy,
    (_, value) => ({ kind: "quote", value }),
  ],
  [/[A-Za-z_]\w*(?:\[\d+\]|\[\*\]|\.[A-Za-z_]\w*|\.\*)+/y, (_, path) => ({ kind: "path", path })],
  [/(?<=\S)['’](?:s|re|m|d|ll|ve)\b/iy, worded],
  [
    /m[²³]|[\p{L}_][\p{L}\p{N}_]*(?:['’](?!s\b|re\b|m\b|d\b|ll\b|ve\b)\p{L}+)?(?:[-/&][\p{L}\p{N}]+)*|[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*/uy,
    worded,
  ],
  [/[<>!=]=|<>|[≤≥]|->|=>|./suy, (_, mark) => ({ kind: "mark", mark })],
];

/** The longest prompt that is read; a longer one is refused. */
export const MAX_TOKENS = 1_500;

/** Splits instructions into words, literals and marks. */
export function tokenize(text: string, inputs: JsonObject | null = null): Token[] {
  const blocks = inlineBlocks(text);
  const tokens: Token[] = [];
  let start = 0;
  const push = (end: number, body: Bare<Token>) => {
    tokens.push({ ...body, text: text.slice(start, end), start, end });
    start = end;
  };
  while (start < text.length && tokens.length <= MAX_TOKENS) {
    const block = blocks.find((each) => each.start === start);
    const reference = block === undefined ? referenceAt(text, start, inputs) : null;
    if (block !== undefined) {
      const fill = block.format === "json" ? filledJson : filledText;
      push(block.end, { kind: "data", data: fill(block.data, inputs), format: block.format });
    } else if (reference !== null) push(start + reference.length, reference.value);
    else if (/[^\S\n]/.test(text[start] ?? "")) start += 1;
    else {
      const limit = blocks.find((each) => each.start > start)?.start ?? text.length;
      const { body, end } = literalAt(text, start, limit);
      push(end, filled(body, inputs));
    }
  }
  return tokens;
}

/** Reads the first form that matches at a place; a quotation does not reach over inline data. */
function literalAt(text: string, at: number, limit: number): { body: Bare<Token>; end: number } {
  for (const [form, make] of FORMS) {
    form.lastIndex = at;
    const match = form.exec(text);
    const body =
      match === null || form.lastIndex > limit ? null : make({ ...match.groups }, match[0]);
    if (body !== null) return { body, end: form.lastIndex };
  }
  return { body: { kind: "mark", mark: text[at] ?? "" }, end: at + 1 };
}

/** Fills the references to inputs that stand within a literal. */
function filled(body: Bare<Token>, inputs: JsonObject | null): Bare<Token> {
  if (body.kind === "url") return { ...body, url: filledUrl(body.url, inputs) };
  return body.kind === "quote" ? { ...body, value: filledText(body.value, inputs) } : body;
}

function quoted({ value = "" }: Parameters<Make>[0]): Bare<Token> {
  return { kind: "quote", value };
}

/** Reads a word in lower case, in one spelling; "isn't" stays one word, which the lexicon knows. */
function worded(_: Parameters<Make>[0], shown: string): Bare<Token> {
  const word = shown
    .replaceAll("’", "'")
    .toLowerCase()
    .replace(/^e-(?=mail)/, "e");
  return { kind: "word", word, stem: stemOf(word) };
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Reads a day, or a month without a day, as the days from its first until after its last. */
function dated({ year, number, month = "", day }: Parameters<Make>[0]): Bare<Token> | null {
  const index =
    number === undefined ? MONTHS.indexOf(month.slice(0, 3).toLowerCase()) : Number(number) - 1;
  const from = new Date(Date.UTC(Number(year), index, Number(day ?? 1)));
  // A day that does not exist is in another month.
  if (from.getUTCMonth() !== index) return null;
  const until = new Date(from);
  if (day === undefined) until.setUTCMonth(index + 1);
  else until.setUTCDate(Number(day) + 1);
  const [first = "", end = ""] = [from, until].map((date) => date.toISOString().slice(0, 10));
  return { kind: "date", from: first, until: end };
}

function timed({ hour, minute = "00", half = "" }: Parameters<Make>[0]): Bare<Token> {
  const add = /^p/i.test(half) && Number(hour) < 12 ? 12 : 0;
  return { kind: "time", value: `${String(Number(hour) + add).padStart(2, "0")}:${minute}` };
}

const SCALES: Partial<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, million: 1e6, bn: 1e9, billion: 1e9 },
};
const UNITS: Partial<Record<string, string>> = {
  ...{ $: "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "%": "%", percent: "%" },
};

function numbered({
  sign,
  currency,
  body = "",
  scale = "",
  after = "",
}: Parameters<Make>[0]): Bare<Token> {
  const factor = SCALES[scale.trim().toLowerCase()] ?? 1;
  const value = Number(body.replaceAll(",", "")) * factor * (sign === undefined ? 1 : -1);
  const unit = UNITS[currency ?? after.trim().toLowerCase()] ?? "";
  return { kind: "number", value: Number(value.toPrecision(15)), unit };
}

/** Returns a word in lower case; empty for literals and marks. */
export function wordOf(token: Token | undefined): string {
  return token?.kind === "word" ? token.word : "";
}

/** Returns the singular of a word; empty for literals and marks. */
export function stemAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.kind === "word" ? token.stem : "";
}
