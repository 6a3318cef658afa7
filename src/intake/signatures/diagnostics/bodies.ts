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

/** Returns the body as it may have been before a library or a proxy rewrote it. */
export function otherBodies(body: Uint8Array): OtherBody[] {
  if (body.length === 0 || body.length > MAX_REWRITTEN) return [];
  const text = textOf(body);
  if (text === null) return [];
  const json = parseStrictJson(body);
  const seen = new Set([text]);
  const changed = (cause: Cause, written: Written[]) =>
    written.flatMap(([as, other]): OtherBody[] => {
      if (seen.has(other)) return [];
      seen.add(other);
      const found = `The sender signs the body ${as} but sends other bytes. Sign exactly the bytes that are sent.`;
      return [{ bytes: new TextEncoder().encode(other), finding: { cause, text: found } }];
    });
  return [
    ...changed("body_line_breaks", lineEndings(text)),
    ...changed("body_json", json.ok ? serialised(json.value) : []),
  ];
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

function serialised(value: unknown): Written[] {
  const compact = JSON.stringify(value);
  const spaced = write(value, { item: ", ", name: ": ", sorted: false });
  return [
    ["as compact JSON", compact],
    ["as compact JSON with sorted names", write(value, { item: ",", name: ":", sorted: true })],
    ["as JSON indented by 2", JSON.stringify(value, null, 2)],
    ["as compact JSON with slashes as \\/", compact.replaceAll("/", "\\/")],
    ["as PHP writes JSON: \\/ and \\uXXXX", ascii(compact).replaceAll("/", "\\/")],
    ['as Python writes JSON: ", " and ": ", and \\uXXXX', ascii(spaced)],
    ['as JSON with ", " and ": "', spaced],
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

/** Escapes all but ASCII. */
const ascii = (json: string): string =>
  json.replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
