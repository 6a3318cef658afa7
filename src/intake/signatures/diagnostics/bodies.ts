import type { Cause } from "../../../contract/webhooks/advice.ts";
import { parseStrictJson } from "../../../lib/strict-json.ts";
import type { Finding } from "./finding.ts";

/** Larger bodies have no variants. */
const MAX_REWRITTEN = 256 * 1024;

/** A body that may have been signed instead of the received one. */
interface OtherBody {
  bytes: Uint8Array;
  finding: Finding;
}

/** A text and what it is: "the body …". */
type Written = [as: string, text: string];

/** Returns the body as it may have been before a library or a proxy rewrote it, and what senders sign without it. */
export function otherBodies(body: Uint8Array, isForm: boolean): OtherBody[] {
  if (body.length === 0 || body.length > MAX_REWRITTEN) return [];
  const text = textOf(body);
  if (text === null) return [];
  const json = parseStrictJson(body);
  const seen = new Set([text]);
  const groups: [Cause, Written[]][] = [
    ["body_line_breaks", lineEndings(text)],
    ["body_json", json.ok ? serialised(json.value) : []],
    ["body_form", isForm ? formTexts(text) : []],
    ["body_missing", MISSING],
  ];
  return groups.flatMap(([cause, written]) =>
    written.flatMap(([as, other]) => {
      if (seen.has(other)) return [];
      seen.add(other);
      const found = `The sender signs the body ${as} but sends other bytes. Sign exactly the bytes that are sent.`;
      return { bytes: new TextEncoder().encode(other), finding: { cause, text: found } };
    }),
  );
}

function lineEndings(text: string): Written[] {
  const lines = text.replaceAll("\r\n", "\n");
  return [
    ["without the line break at its end", text.trimEnd()],
    ["with a line break at its end", `${text}\n`],
    ["with CRLF at its end", `${text}\r\n`],
    ["with LF line breaks", lines],
    ["with CRLF line breaks", lines.replaceAll("\n", "\r\n")],
  ];
}

/** Returns a form as libraries hand it to the code that signs. */
function formTexts(text: string): Written[] {
  const fields = [...new URLSearchParams(text)];
  const decoded = fields.map((field) => field.join("=")).join("&");
  const lone = fields.length === 1 ? fields : [];
  return [
    ...lone.map(([name, value]): Written => [`as the decoded field ${name.slice(0, 50)}`, value]),
    ["with its fields decoded", decoded],
    ["as JSON of its fields", JSON.stringify(Object.fromEntries(fields))],
  ];
}

/** What JavaScript makes of an object, or of nothing. */
const MISSING: Written[] = ["[object Object]", "undefined", "null", "{}"].map((text) => [
  `as the text ${text}`,
  text,
]);

function serialised(value: unknown): Written[] {
  const compact = JSON.stringify(value);
  const python = write(value, { item: ", ", name: ": ", sorted: false });
  return [
    ["as compact JSON", compact],
    ["as compact JSON with sorted names", write(value, { item: ",", name: ":", sorted: true })],
    ["as JSON indented by 2", JSON.stringify(value, null, 2)],
    ["as JSON indented by 4", JSON.stringify(value, null, 4)],
    ["as compact JSON with non-ASCII characters as \\uXXXX", ascii(compact)],
    ["as compact JSON with slashes as \\/", slashes(compact)],
    ["as PHP writes JSON: \\/ and \\uXXXX", slashes(ascii(compact))],
    ['as Python writes JSON: ", " and ": ", and \\uXXXX', ascii(python)],
    ['as JSON with ", " and ": "', python],
    [
      "as Python writes JSON with sorted names",
      ascii(write(value, { item: ", ", name: ": ", sorted: true })),
    ],
    ["as .NET writes JSON: \\u0022, \\u003C and the like", dotnet(compact)],
    ["as Go writes JSON: <, > and & as \\u003c, \\u003e and \\u0026", html(compact)],
  ];
}

interface Style {
  item: string;
  name: string;
  sorted: boolean;
}

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
