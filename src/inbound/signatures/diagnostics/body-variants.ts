import { parseStrictJson } from "../../../lib/strict-json.ts";

/** Larger bodies have no variants. */
const MAX_RESERIALISED = 256 * 1024;

/** A body that may have been signed instead of the received one; `as` completes "the body …". */
export interface OtherBody {
  bytes: Uint8Array;
  as: string;
}

const encoder = new TextEncoder();

/** Returns the body as it may have been before a library or a proxy rewrote it. */
export function otherBodies(body: Uint8Array): OtherBody[] {
  if (body.length === 0 || body.length > MAX_RESERIALISED) return [];
  const text = textOf(body);
  if (text === null) return [];
  const seen = new Set([text]);
  return [...lineEndings(text), ...serialised(body)].flatMap(({ text, as }) => {
    if (seen.has(text)) return [];
    seen.add(text);
    return { bytes: encoder.encode(text), as };
  });
}

interface OtherText {
  text: string;
  as: string;
}

function lineEndings(text: string): OtherText[] {
  const lines = text.replaceAll("\r\n", "\n");
  return [
    { text: text.trimEnd(), as: "without the line break at its end" },
    { text: `${text}\n`, as: "with a line break at its end" },
    { text: lines, as: "with LF line breaks" },
    { text: lines.replaceAll("\n", "\r\n"), as: "with CRLF line breaks" },
  ];
}

function serialised(body: Uint8Array): OtherText[] {
  const json = parseStrictJson(body);
  if (!json.ok) return [];
  const compact = JSON.stringify(json.value);
  const python = write(json.value, { ...COMPACT, item: ", ", name: ": " });
  return [
    { text: compact, as: "as compact JSON" },
    {
      text: write(json.value, { ...COMPACT, sorted: true }),
      as: "as compact JSON with sorted names",
    },
    { text: JSON.stringify(json.value, null, 2), as: "as JSON indented by 2" },
    { text: JSON.stringify(json.value, null, 4), as: "as JSON indented by 4" },
    { text: JSON.stringify(json.value, null, "\t"), as: "as JSON indented by tabs" },
    { text: ascii(compact), as: "as compact JSON with non-ASCII characters as \\uXXXX" },
    { text: slashes(compact), as: "as compact JSON with slashes as \\/" },
    { text: slashes(ascii(compact)), as: "as PHP writes JSON: \\/ and \\uXXXX" },
    { text: ascii(python), as: 'as Python writes JSON: ", " and ": ", and \\uXXXX' },
    { text: python, as: 'as JSON with ", " and ": "' },
    {
      text: ascii(write(json.value, { item: ", ", name: ": ", sorted: true })),
      as: "as Python writes JSON with sorted names",
    },
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
const html = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, escaped);

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
