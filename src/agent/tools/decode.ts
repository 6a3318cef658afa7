/** How far into a page its encoding must be declared, by the HTML standard. */
const PRESCAN_BYTES = 1_024;

/**
 * Turns a body into text, by the order of the Encoding and HTML standards: a byte order mark, then
 * the charset of the Content-Type, then what the first 1,024 bytes declare. Without any of them it
 * is UTF-8 when it is valid as such, else windows-1252. A character cut in two at the end is dropped.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? declaredIn(bytes);
  return (
    tryDecode(bytes, label ?? "utf-8", label !== null) ??
    tryDecode(bytes, "windows-1252", true) ??
    new TextDecoder().decode(bytes)
  );
}

/** Null when the encoding is unknown, or when `lenient` is false and a byte does not fit it. */
function tryDecode(bytes: Uint8Array, label: string, lenient: boolean): string | null {
  try {
    return new TextDecoder(label, { fatal: !lenient, ignoreBOM: false }).decode(bytes, {
      stream: true,
    });
  } catch {
    return null;
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return null;
}

function charsetOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? "")?.[1] ?? null;
}

/** What `<meta charset>`, `<meta http-equiv>` or an XML declaration says. */
function declaredIn(bytes: Uint8Array): string | null {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, PRESCAN_BYTES));
  const label =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1] ??
    null;
  // What was just read as ASCII cannot be UTF-16; the standard takes it to mean UTF-8.
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}
