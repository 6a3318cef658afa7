import type { Cause } from "../../../contract/webhooks/advice.ts";
import { fromBase64 } from "../../../lib/encoding.ts";
import { isObject } from "../../../lib/json-values.ts";
import { parseStrictJson } from "../../../lib/strict-json.ts";

/** Larger bodies have no variants. */
const MAX_RESERIALISED = 256 * 1024;

/** A body that may have been signed instead of the received one; `as` completes "the body …". */
export interface OtherBody {
  bytes: Uint8Array;
  as: string;
  cause: Cause;
}

const encoder = new TextEncoder();
const BOM = "\ufeff";
/** Members of an object that a sender may have signed alone. */
const MAX_PARTS = 12;

/** Returns the body as it may have been before a library or a proxy rewrote it. */
export function otherBodies(body: Uint8Array, isForm: boolean): OtherBody[] {
  if (body.length === 0 || body.length > MAX_RESERIALISED) return [];
  const text = textOf(body);
  if (text === null) return [];
  const json = parseStrictJson(body);
  const value = json.ok ? json.value : undefined;
  const seen = new Set([text]);
  const texts = [
    ...lineEndings(text),
    ...(value === undefined ? [] : [...twice(text, value), ...serialised(value)]),
    ...(isForm ? formTexts(text) : []),
    ...characters(text),
    ...(value === undefined ? [] : partsOf(value)),
    ...placeholders(value),
  ];
  const others = texts.flatMap(({ text, as, cause = "body_json" }) => {
    if (seen.has(text)) return [];
    seen.add(text);
    return { bytes: encoder.encode(text), as, cause };
  });
  return [...others, ...inLatin1(text)];
}

function inLatin1(text: string): OtherBody[] {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return [];
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  return [{ bytes, as: "in Latin-1", cause: "body_characters" }];
}

interface OtherText {
  text: string;
  as: string;
  cause?: Cause;
}

function lineEndings(text: string): OtherText[] {
  const lines = text.replaceAll("\r\n", "\n");
  const bare = text.startsWith(BOM) ? text.slice(1) : `${BOM}${text}`;
  const cause = "body_line_breaks" as const;
  return [
    {
      text: bare,
      as: text.startsWith(BOM) ? "without its byte order mark" : "with a byte order mark",
      cause: "body_bom",
    },
    { text: text.trimEnd(), as: "without the line break at its end", cause },
    { text: `${text}\n`, as: "with a line break at its end", cause },
    { text: `${text}\r\n`, as: "with CRLF at its end", cause },
    { text: lines, as: "with LF line breaks", cause },
    { text: lines.replaceAll("\n", "\r\n"), as: "with CRLF line breaks", cause },
    { text: text.trim(), as: "without white space around it", cause },
  ];
}

/** Returns a body that was encoded as JSON once more, or once less. */
function twice(text: string, value: unknown): OtherText[] {
  return [
    ...(typeof value === "string"
      ? [{ text: value, as: "before it is encoded as a JSON string" }]
      : []),
    { text: JSON.stringify(text), as: "encoded as a JSON string" },
  ].map((each) => ({ ...each, cause: "encoded_twice" as const }));
}

/** Returns a form as libraries hand it to the code that signs. */
function formTexts(text: string): OtherText[] {
  const fields = [...new URLSearchParams(text)];
  const object = Object.fromEntries(fields);
  const [lone] = fields;
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const join = (list: [string, string][]) =>
    list.map(([name, value]) => `${name}=${value}`).join("&");
  return [
    ...(lone !== undefined && fields.length === 1
      ? [{ text: lone[1], as: `as the decoded field ${shortName(lone[0])}` }]
      : []),
    { text: join(fields), as: "with its fields decoded" },
    { text: text.replaceAll("+", "%20"), as: "with spaces as %20" },
    { text: text.replaceAll("%20", "+"), as: "with spaces as +" },
    {
      text: text.replace(/%[0-9A-Fa-f]{2}/g, (code) => code.toLowerCase()),
      as: "with lower-case escapes",
    },
    {
      text: text.replace(/%[0-9A-Fa-f]{2}/g, (code) => code.toUpperCase()),
      as: "with upper-case escapes",
    },
    { text: JSON.stringify(object), as: "as JSON of its fields" },
    { text: new URLSearchParams(sorted).toString(), as: "with its fields sorted" },
    { text: join(sorted), as: "with its fields sorted and decoded" },
  ].map((each) => ({ ...each, cause: "body_form" as const }));
}

/** Returns the text in other encodings of characters. */
function characters(text: string): OtherText[] {
  const base64 = /^[\w+/-]{8,}={0,2}$/.test(text.trim()) ? fromBase64(text.trim()) : null;
  const decoded = base64 === null ? null : textOf(base64);
  return [
    { text: text.normalize("NFC"), as: "in Unicode's composed form" },
    { text: text.normalize("NFD"), as: "in Unicode's decomposed form" },
    { text: misread(encoder.encode(text)), as: "read as Latin-1 instead of UTF-8" },
    { text: btoa(misread(encoder.encode(text))), as: "as base64" },
    ...(decoded === null ? [] : [{ text: decoded, as: "before it is encoded as base64" }]),
    { text: text.replace(/[^\0-\x7f]/g, "?"), as: "with ? for every character beyond ASCII" },
  ].map((each) => ({ ...each, cause: "body_characters" as const }));
}

/** Decodes each byte to the character of its number. */
function misread(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Returns the members of an object, as JSON and as text. */
function partsOf(value: unknown): OtherText[] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .flatMap(([name, member]) => {
      const as = `only as its member ${shortName(name)}`;
      const texts = [JSON.stringify(member), ...(typeof member === "string" ? [member] : [])];
      return texts.map((text) => ({ text, as, cause: "body_part" as const }));
    });
}

const shortName = (name: string): string => name.slice(0, 50);

/** Returns the texts that JavaScript makes of an object or of nothing. */
function placeholders(value: unknown): OtherText[] {
  const texts = ["[object Object]", "undefined", "null", "{}", '""'];
  const empty = texts.map((text) => ({ text, as: `as the text ${text}` }));
  return empty
    .filter(({ text }) => text !== JSON.stringify(value))
    .map((each) => ({ ...each, cause: "body_missing" as const }));
}

function serialised(value: unknown): OtherText[] {
  const compact = JSON.stringify(value);
  const python = write(value, { ...COMPACT, item: ", ", name: ": " });
  return [
    { text: compact, as: "as compact JSON" },
    {
      text: write(value, { ...COMPACT, sorted: true }),
      as: "as compact JSON with sorted names",
    },
    { text: JSON.stringify(value, null, 2), as: "as JSON indented by 2" },
    { text: JSON.stringify(value, null, 4), as: "as JSON indented by 4" },
    { text: JSON.stringify(value, null, "\t"), as: "as JSON indented by tabs" },
    { text: ascii(compact), as: "as compact JSON with non-ASCII characters as \\uXXXX" },
    { text: slashes(compact), as: "as compact JSON with slashes as \\/" },
    { text: slashes(ascii(compact)), as: "as PHP writes JSON: \\/ and \\uXXXX" },
    { text: ascii(python), as: 'as Python writes JSON: ", " and ": ", and \\uXXXX' },
    { text: python, as: 'as JSON with ", " and ": "' },
    {
      text: ascii(write(value, { item: ", ", name: ": ", sorted: true })),
      as: "as Python writes JSON with sorted names",
    },
    { text: dotnet(compact), as: "as .NET writes JSON: \\u0022, \\u003C and the like" },
    { text: html(compact), as: "as Go writes JSON: <, > and & as \\u003c, \\u003e and \\u0026" },
  ];
}

interface Style {
  item: string;
  name: string;
  sorted: boolean;
}

const COMPACT: Style = { item: ",", name: ":", sorted: false };

/** Writes JSON with these separators. The parser has limited the value's depth. */
function write(value: unknown, style: Style): string {
  if (Array.isArray(value)) return `[${value.map((one) => write(one, style)).join(style.item)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value);
  if (style.sorted) fields.sort(([a], [b]) => (a < b ? -1 : 1));
  const written = fields.map(
    ([name, one]) => `${JSON.stringify(name)}${style.name}${write(one, style)}`,
  );
  return `{${written.join(style.item)}}`;
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
const ascii = (json: string): string => json.replace(/[\u0080-\uffff]/g, escaped);
const slashes = (json: string): string => json.replaceAll("/", "\\/");
const dotnet = (json: string): string =>
  json
    .replace(/\\"/g, "\\u0022")
    .replace(/[<>&'+`\u0080-\uffff]/g, (char) => `\\u${escaped(char).slice(2).toUpperCase()}`);
const html = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, escaped);

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
