import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { type SignatureScheme, TEMPLATE_PARTS } from "../../contract/webhooks/signature.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import { readPath } from "../mapping/payload-path.ts";

/** The parts of a request that a signature can cover. */
export interface Material {
  method: string;
  url: URL;
  contentType: string | null;
  /** One body, or two if it was compressed: some senders sign before they compress. */
  bodies: Uint8Array[];
  /** The parsed body, for templates with its fields. */
  payload?: PayloadValue | undefined;
  /** For whom the sender signs. */
  audience?: string;
}

/** What a request states beside its body; `signed`: the headers that it says it signs. */
export interface StatedValues {
  id: string;
  timestamp: string;
  signed: SignedHeaderText | null;
}

/** The headers that a request says it signs: the list as sent, and their text. */
export interface SignedHeaderText {
  names: string;
  text: string;
}

/** The query parameter in which Twilio sends the hash of a body that is not a form. */
export const BODY_HASH = "bodySHA256";

const encoder = new TextEncoder();

/** Yields the byte strings that a scheme may have signed, likeliest first; none if it covers no payload. */
export async function* signedMessages(
  { template }: Pick<SignatureScheme, "template">,
  { signed, ...values }: StatedValues,
  material: Material,
): AsyncGenerator<Uint8Array> {
  const parts = partsOf(template);
  const hasUrl = ["url", "decodedUrl", "sortedUrl"].some((part) => parts.includes(part));
  const urls = hasUrl ? urlsOf(material.url) : [""];
  const { method, url: called, payload, audience = "" } = material;
  const headers = signed?.text ?? "";
  const headerNames = signed?.names ?? "";
  const path = `${called.pathname}${called.search}`;
  const coversQuery = hasUrl || parts.includes("path");
  for (const body of coversQuery ? material.bodies : payloadsOf(material)) {
    const sortedParams = await paramsOf(material, body, parts);
    if (sortedParams === null) continue;
    for (const url of urls) {
      const sortedUrl = sortedUrlOf(url, sortedParams);
      const found = { ...values, body, url, path, method, sortedParams, sortedUrl, audience };
      yield fillTemplate(template, { ...found, headers, headerNames }, payload);
    }
  }
}

/** Returns the payload. A GET carries it in its query: a signature over the body would fit any query. */
function payloadsOf({ method, url, bodies }: Material): Uint8Array[] {
  const isInQuery = method === "GET" && url.search.length > 1;
  return isInQuery ? [encoder.encode(url.search.slice(1))] : bodies;
}

/** Returns the called URL with and without the standard port, which proxies add and remove. */
function urlsOf(url: URL): string[] {
  const plain = new URL(url);
  plain.hash = "";
  const rest = plain.href.slice(plain.origin.length);
  const port = url.protocol === "https:" ? 443 : 80;
  const other =
    url.port === ""
      ? `${url.protocol}//${url.hostname}:${port}${rest}`
      : `${url.protocol}//${url.hostname}${rest}`;
  return [plain.href, other];
}

/**
 * Returns a form's fields sorted by name, each name joined with its values, repeated values once. Any
 * other body must be covered by its hash in the URL; if it is not, the result is null.
 */
async function paramsOf(
  { url, contentType }: Material,
  body: Uint8Array,
  parts: string[],
): Promise<string | null> {
  const isSortedUrl = parts.includes("sortedUrl");
  if (!isSortedUrl && !parts.includes("sortedParams")) return "";
  const fields = new URLSearchParams(isForm(contentType) ? new TextDecoder().decode(body) : "");
  if (isSortedUrl) {
    return body.length > 0 && !isForm(contentType) ? null : sorted([...fields], "");
  }
  const hash = url.searchParams.get(BODY_HASH);
  if (hash !== null) return hash.toLowerCase() === (await sha256Hex(body)) ? "" : null;
  if (body.length === 0) return "";
  return isForm(contentType) ? sorted(distinct(fields), "") : null;
}

/** Whether a body of this type is a form, which is signed by its fields. */
export function isForm(contentType: string | null): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? "");
}

type Field = [name: string, value: string];

/** Returns the fields without further ones of the same name and value. */
function distinct(fields: URLSearchParams): Field[] {
  return [...new Map([...fields].map((field) => [JSON.stringify(field), field])).values()];
}

/** Writes fields, sorted by name and value. */
function sorted(fields: Field[], sign: string, separator = ""): string {
  return fields
    .sort(([a, one], [b, other]) => order(a, b) || order(one, other))
    .map(([name, value]) => `${name}${sign}${value}`)
    .join(separator);
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

type TemplatePart = (typeof TEMPLATE_PARTS)[number];

/** Values of a template's parts. */
type PartValues = Record<Exclude<TemplatePart, "body"> | "audience", string> & { body: Uint8Array };

/** Begins a part that is a field of the body. */
export const FIELD = "body.";

const PART = /\{([^{}]*)\}/;

/** Returns the names between braces, in order. */
export function partsOf(template: string): string[] {
  return template.split(PART).filter((_, at) => at % 2 === 1);
}

/** The parts of a scheme that may sign a time. */
export type TimedScheme = Pick<SignatureScheme, "template"> &
  Partial<Pick<SignatureScheme, "signedHeaders" | "timestampHeader">>;

/** Whether a signature covers the time of sending, by its template or by a list of headers. */
export function isTimed({ template, signedHeaders, timestampHeader }: TimedScheme): boolean {
  const isListed = signedHeaders !== undefined && (timestampHeader ?? null) !== null;
  return isListed || partsOf(template).includes("timestamp");
}

/** Whether a name between braces is a field of the body. */
export function isField(name: string): boolean {
  return name.startsWith(FIELD) && name.length > FIELD.length;
}

/** Whether a name between braces is a known part. */
export function isPart(name: string): name is TemplatePart {
  return TEMPLATE_PARTS.some((part) => part === name);
}

/** Returns the signed bytes. */
function fillTemplate(
  template: string,
  values: PartValues,
  payload: PayloadValue | undefined,
): Uint8Array {
  const pieces = template.split(PART).map((piece, at) => {
    const value = at % 2 === 0 ? piece : partText(piece, values, payload);
    return typeof value === "string" ? encoder.encode(value) : value;
  });
  return concat(pieces.filter(({ length }) => length > 0));
}

function partText(
  part: string,
  values: PartValues,
  payload: PayloadValue | undefined,
): string | Uint8Array {
  if (part.startsWith(FIELD)) return fieldText(payload, part.slice(FIELD.length));
  if (part === "audience") return values.audience;
  if (part === "decodedUrl") return decodedUrl(values.url);
  if (part === "crc32") return String(crc32(values.body));
  return isPart(part) ? values[part] : `{${part}}`;
}

/** The escapes of `:/?@!$'()*,;`, which HubSpot decodes. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

const decodedUrl = (url: string): string =>
  url.replace(DECODED, (escaped) => decodeURIComponent(escaped));

/** Returns the URL as Plivo signs it: with the fields of its query sorted and decoded, then those of a form. */
function sortedUrlOf(url: string, sortedParams: string): string {
  const [address = "", query = ""] = url.split("?", 2);
  const fields = sorted([...new URLSearchParams(query)], "=", "&");
  const mark = fields === "" && sortedParams === "" ? "" : "?";
  const dot = fields === "" || sortedParams === "" ? "" : ".";
  return `${address}${mark}${fields}${dot}${sortedParams}`;
}

/** Returns a field of the body as text; nothing where it is missing. */
function fieldText(payload: PayloadValue | undefined, path: string): string {
  const value = payload === undefined ? undefined : readPath(payload, path);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

/** Joins arrays; a single one is returned as it is, so that a body is not copied. */
function concat(pieces: Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}
