const MAX_LINE = 76;
/** Bytes of text in one encoded word: after "Subject: " its line has under 76 characters (RFC 2047, section 2). */
const WORD_BYTES = 39;
const PARAMETER_CHARACTERS = 60;

/** Text as quoted-printable lines (RFC 2045, section 6.7), each line break as CRLF. */
export function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(quotedLine)
    .join("\r\n");
}

function quotedLine(line: string): string {
  const bytes = new TextEncoder().encode(line);
  let written = "";
  let width = 0;
  bytes.forEach((byte, index) => {
    const isLast = index === bytes.length - 1;
    const piece = isPlain(byte, isLast) ? String.fromCharCode(byte) : `=${hex(byte)}`;
    // A soft line break takes the last column.
    if (width + piece.length > (isLast ? MAX_LINE : MAX_LINE - 1)) {
      written += "=\r\n";
      width = 0;
    }
    written += piece;
    width += piece.length;
  });
  return written;
}

/** White space at the end of a line is lost on the way unless it is encoded. */
function isPlain(byte: number, isLast: boolean): boolean {
  if (byte === 0x20 || byte === 0x09) return !isLast;
  return byte > 0x20 && byte < 0x7f && byte !== 0x3d;
}

/** Bytes as lines of base64. */
export function base64Lines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 57) {
    lines.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 57))));
  }
  return lines.join("\r\n");
}

/**
 * A text as a header's value. Anything but short plain ASCII becomes encoded words (RFC 2047); so does
 * text that itself looks like one, which readers would decode into something else.
 */
export function headerText(text: string): string {
  const isSimple = /^[\x21-\x7e](?:[\x20-\x7e]{0,58}[\x21-\x7e])?$/.test(text);
  if (isSimple && !text.includes("=?")) return text;
  return chunks(text, WORD_BYTES)
    .map((bytes) => `=?utf-8?B?${btoa(String.fromCharCode(...bytes))}?=`)
    .join("\r\n ");
}

/** The UTF-8 of a text in pieces, none of which ends within a character. */
function chunks(text: string, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let piece: number[] = [];
  for (const character of text) {
    const bytes = new TextEncoder().encode(character);
    if (piece.length + bytes.length > size) {
      pieces.push(Uint8Array.from(piece));
      piece = [];
    }
    piece.push(...bytes);
  }
  return [...pieces, Uint8Array.from(piece)];
}

/** A parameter of a header, on lines of its own (RFC 2231, sections 3 and 4). */
export function headerParameter(name: string, value: string): string {
  if (/^[\w.-]{1,60}$/.test(value)) return `;\r\n ${name}="${value}"`;
  const encoded = [...new TextEncoder().encode(value)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[\w.-]/.test(character) ? character : `%${hex(byte)}`;
  });
  const parts: string[] = [];
  let part = "utf-8''";
  for (const piece of encoded) {
    if (part.length + piece.length > PARAMETER_CHARACTERS) {
      parts.push(part);
      part = "";
    }
    part += piece;
  }
  return [...parts, part].map((text, index) => `;\r\n ${name}*${index}*=${text}`).join("");
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
