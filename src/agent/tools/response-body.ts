import { orElse } from "../../lib/or-else.ts";

/** Returns an address without its query, which may hold keys, for display. */
export function urlWithoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "an invalid address";
}

/** Returns the media type in lower case without its parameters, or an empty text. */
export function mediaTypeOf(headers: Headers): string {
  const [first = ""] = (headers.get("content-type") ?? "").split(/[;,]/, 1);
  return first.trim().toLowerCase();
}

export function isHtml(mediaType: string): boolean {
  return mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

export function isJson(mediaType: string): boolean {
  return /^(application|text)\/([\w.+-]+\+)?json$/.test(mediaType);
}

const TEXT_APPLICATION =
  /^application\/(?:[\w.+-]+\+xml|xml|(?:x-)?(?:csv|ecmascript|javascript|ndjson|sh|www-form-urlencoded|yaml)|graphql|json-seq|sql|toml)$/;

/** Whether a body of this type is readable text. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || isJson(mediaType) || TEXT_APPLICATION.test(mediaType);
}

/** The HTML standard requires a page to declare its encoding within these bytes. */
const PRESCAN_BYTES = 1_024;

/**
 * Decodes a body in the order of the Encoding and HTML standards: a byte order mark, the charset of the
 * Content-Type, the declaration in the first 1,024 bytes. Without a known one it is UTF-8 if valid, else
 * windows-1252. An incomplete character at the end is dropped.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const stated = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? "")?.[1];
  const labels = [markOf(bytes), stated, declaredIn(bytes)].filter((each) => each != null);
  const label = labels.find((each) => tryDecode(new Uint8Array(), each, true) !== null);
  return (
    tryDecode(bytes, label ?? "utf-8", label !== undefined) ??
    tryDecode(bytes, "windows-1252", true) ??
    new TextDecoder().decode(bytes)
  );
}

/** Returns null if the encoding is unknown, or if a byte is invalid and `lenient` is false. */
function tryDecode(bytes: Uint8Array, label: string, lenient: boolean): string | null {
  return orElse(() => {
    const decoder = new TextDecoder(label, { fatal: !lenient, ignoreBOM: false });
    // As a stream, so that an incomplete character at the end is no error.
    return decoder.decode(bytes, { stream: true });
  }, null);
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return null;
}

/** Returns the charset of `<meta charset>`, `<meta http-equiv>` or an XML declaration. */
function declaredIn(bytes: Uint8Array): string | null {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, PRESCAN_BYTES));
  const label =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1] ??
    null;
  // A declaration readable as ASCII cannot be UTF-16; the standard reads it as UTF-8.
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}
