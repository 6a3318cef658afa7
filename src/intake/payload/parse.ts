import type { ReceivedRequest } from "../../contract/webhooks/inbox.ts";
import type { Fault, PayloadObject, PayloadValue } from "../../contract/webhooks/payload.ts";
import { type ExactJson, parseExactJson } from "../../lib/strict-json.ts";
import type { Head } from "../signatures/presets/handshake.ts";
import type { InboundRequest } from "../types.ts";

export type ParsedPayload = { ok: true; payload: PayloadValue } | { ok: false; faults: Fault[] };

const latin1 = new TextDecoder("latin1");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
const fieldText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a request: JSON, the fields of a form, text as `{body}` unless it holds a JSON object or array,
 * or the query of a GET. Replaces a file of a form by its name, type and size, and a body of any other type,
 * which an endpoint may accept as a file, by its type and size. An empty body is `{}`. `bytes` are inflated;
 * with `isAsSent` the only field `payload` of a form stays a field, as its sender signed it.
 */
export async function parsePayload(
  { method, url, headers }: Head,
  bytes: Uint8Array,
  isAsSent = false,
): Promise<ParsedPayload> {
  const contentType = headers.get("Content-Type");
  if (method === "GET")
    return ifUtf8("query", () =>
      ofUrlEncoded(new TextEncoder().encode(url.search.slice(1)), "query"),
    );
  if (bytes.length === 0) return { ok: true, payload: {} };
  switch (mediaOf(contentType)) {
    case "json":
      return ofJson(parseExactJson(bytes), "");
    case "form":
      return ifUtf8("body", () => {
        const form = ofUrlEncoded(bytes, "form");
        return isAsSent ? form : lonePayload(form);
      });
    case "multipart":
      return lonePayload(await ofMultipart(bytes, contentType));
    case "text":
      return ifUtf8("body", () => inText(bytes));
    case null: {
      const [mediaType = ""] = (contentType ?? "").split(";");
      return { ok: true, payload: { file: { mediaType: mediaType.trim(), size: bytes.length } } };
    }
  }
}

/**
 * Returns the parsed body of a request that may be a stranger's: undefined if it cannot be parsed, or is
 * still compressed, since only a proof in the headers makes the service inflate.
 */
export async function payloadOf(
  request: InboundRequest,
  isAsSent = false,
): Promise<PayloadValue | undefined> {
  const content = request.body.kind === "whole" ? request.body.decoded : null;
  if (content?.kind !== "whole") return undefined;
  const parsed = await parsePayload(request, content.bytes, isAsSent);
  return parsed.ok ? parsed.payload : undefined;
}

function ofJson(json: ExactJson, path: string): ParsedPayload {
  if (json.ok) return { ok: true, payload: json.value };
  return refused(path, "json", json.detail);
}

/** Returns the object or array that a text holds, since some senders call their JSON text, or the text. */
function inText(bytes: Uint8Array): ParsedPayload {
  const body = utf8.decode(bytes);
  const json = /^\s*[{[]/.test(body) ? parseExactJson(bytes) : null;
  return { ok: true, payload: json?.ok ? json.value : { body } };
}

/** Refuses what is not UTF-8. */
function ifUtf8(what: string, read: () => ParsedPayload): ParsedPayload {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) return refused("", "utf8", `The ${what} is not UTF-8.`);
    throw error;
  }
}

type ParsedForm = { ok: true; payload: PayloadObject } | Extract<ParsedPayload, { ok: false }>;

/** The most fields of a form or a query: to read more takes longer than 100 ms. */
const MAX_FIELDS = 10_000;

const tooManyFields = (what: string) =>
  refused("", "max_fields", `The ${what} has more than ${MAX_FIELDS.toLocaleString("en")} fields.`);

const [SPACE, PERCENT, AMPERSAND, PLUS, EQUALS] = [0x20, 0x25, 0x26, 0x2b, 0x3d];

/** The value of each byte as a hexadecimal digit; far below 0 for any other byte. */
const DIGITS = Int16Array.from({ length: 256 }, (_, byte) => {
  const value = "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase());
  return value < 0 ? -1_000 : value;
});

const digit = (byte = 0): number => DIGITS[byte] ?? 0;

/** Decodes a name or a value, sooner than the platform does; throws a `TypeError` where it is not UTF-8. */
function decode(field: Uint8Array): string {
  const bytes = new Uint8Array(field.length);
  let size = 0;
  for (let at = 0; at < field.length; at += 1) {
    const byte = field[at] ?? 0;
    const escaped = byte === PERCENT ? 16 * digit(field[at + 1]) + digit(field[at + 2]) : -1;
    bytes[size] = escaped >= 0 ? escaped : byte === PLUS ? SPACE : byte;
    size += 1;
    if (escaped >= 0) at += 2;
  }
  return fieldText.decode(bytes.subarray(0, size));
}

/** Parses URL-encoded fields (WHATWG URL, section 5.1); the platform's parser hides what is not UTF-8. */
function ofUrlEncoded(form: Uint8Array, what: "query" | "form"): ParsedForm {
  const fields: [name: string, value: string][] = [];
  for (let start = 0, count = 1; start < form.length; count += 1) {
    if (count > MAX_FIELDS) return tooManyFields(what);
    const mark = form.indexOf(AMPERSAND, start);
    const field = form.subarray(start, mark < 0 ? form.length : mark);
    start += field.length + 1;
    if (field.length === 0) continue;
    const equals = field.indexOf(EQUALS);
    const end = equals < 0 ? field.length : equals;
    fields.push([decode(field.subarray(0, end)), decode(field.subarray(end + 1))]);
  }
  return { ok: true, payload: objectOf(fields) };
}

const MAX_PART_HEAD = 16_384;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;

function boundaryOf(contentType: string | null): string | null {
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? "") ?? [];
  return quoted ?? plain ?? null;
}

/** Whether the headers of a part are longer than any sender writes them. */
function hasLongHead(text: string, boundary: string | null): boolean {
  if (boundary === null) return false;
  const mark = `--${boundary}\r\n`;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const head = text.slice(at, at + mark.length + MAX_PART_HEAD);
    if (head.length === mark.length + MAX_PART_HEAD && !head.includes("\r\n\r\n")) return true;
  }
  return false;
}

async function ofMultipart(bytes: Uint8Array, contentType: string | null): Promise<ParsedForm> {
  const read = await readMultipart(bytes, contentType);
  if ("ok" in read) return read;
  const fields = [...read].map(([name, value]): [string, PayloadValue] => {
    if (typeof value === "string") return [name, value];
    return [name, { filename: value.name, mediaType: value.type, size: value.size }];
  });
  return { ok: true, payload: objectOf(fields) };
}

/** Whether an accepted request of this Content-Type may bring files. */
export function mayHaveFiles(contentType: string | null): boolean {
  const media = mediaOf(contentType);
  return media === null || media === "multipart";
}

/** Returns the files of an accepted request: those of a form, or its body. Their names may be unsafe. */
export async function filesIn({ contentType, body }: ReceivedRequest): Promise<File[]> {
  if (body === null || body.length === 0 || !mayHaveFiles(contentType)) return [];
  if (mediaOf(contentType) === null) {
    return [new File([new Uint8Array(body)], "", { type: contentType ?? "" })];
  }
  const read = await readMultipart(body, contentType);
  if ("ok" in read) return [];
  return [...read.values()].filter((value) => typeof value !== "string");
}

/** Reads a multipart form, or returns why it is refused: the platform takes any number of parts. */
export async function readMultipart(
  bytes: Uint8Array,
  contentType: string | null,
): Promise<FormData | ReturnType<typeof refused>> {
  // Every part begins after a line break and two hyphens (RFC 2046, section 5.1.1).
  const text = latin1.decode(bytes);
  if (text.split("\n--", MAX_FIELDS + 2).length > MAX_FIELDS + 1) return tooManyFields("form");
  if (hasLongHead(text, boundaryOf(contentType))) {
    return refused("", "multipart", "A part of the form has headers of more than 16,384 bytes.");
  }
  const headers = { "Content-Type": contentType ?? "" };
  const unread = "The body is not the multipart form that its Content-Type announces.";
  const form = new Response(bytes, { headers }).formData();
  return form.catch(() => refused("", "multipart", unread));
}

/** Parses the only field `payload` of a form as JSON, where some senders put it. */
function lonePayload(form: ParsedForm): ParsedPayload {
  if (!form.ok || Object.keys(form.payload).length !== 1) return form;
  const text = Object.hasOwn(form.payload, "payload") ? form.payload.payload : null;
  if (typeof text !== "string") return form;
  return ofJson(parseExactJson(new TextEncoder().encode(text)), "payload");
}

function refused(path: string, rule: string, message: string): { ok: false; faults: Fault[] } {
  return { ok: false, faults: [{ path, rule, message }] };
}

/** Returns the fields of a form or a query as an object. A repeated field becomes an array. */
export function objectOf<Value>(
  fields: Iterable<readonly [string, Value]>,
): Record<string, Value | Value[]> {
  const lists = [...Map.groupBy(fields, ([name]) => name)].map(([name, list]) => {
    const values = list.map(([, value]) => value);
    const [only] = values;
    return [name, only === undefined || values.length > 1 ? values : only] as const;
  });
  // From entries, so that a field named `__proto__` becomes an own property like any other.
  return Object.fromEntries(lists);
}

/** How to parse a body. */
export type Media = "json" | "form" | "multipart" | "text";

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const TYPE = new RegExp(`^\\s*(${TOKEN}/${TOKEN})\\s*(?:;|$)`);
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;
/** US-ASCII is a part of UTF-8. */
const READABLE = /^(?:utf-?8|us-ascii)$/i;

/** Returns how to parse a body of this Content-Type, or null if it is not supported. The default is JSON. */
export function mediaOf(contentType: string | null): Media | null {
  if (contentType === null || contentType.trim() === "") return "json";
  const type = TYPE.exec(contentType)?.[1]?.toLowerCase();
  const [, quoted, plain] = CHARSET.exec(contentType) ?? [];
  if (type === undefined || !READABLE.test(quoted ?? plain ?? "utf-8")) return null;
  if (type === "application/json" || /^application\/.+\+json$/.test(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "multipart/form-data") return "multipart";
  return type.startsWith("text/") ? "text" : null;
}
