import { type Email, headerError } from "../../agent/ports/email.ts";
import type { OutputFile } from "../../contract/tools/call.ts";

/** Tells automatic answerers to stay silent (RFC 3834, section 5). */
export const AUTO_SUBMITTED = { "Auto-Submitted": "auto-generated" };

/** A mail as it goes over the wire, in ASCII with CRLF throughout, or why it must not be composed. */
export type Composed = { ok: true; message: string } | { ok: false; fault: string };

/** Composes a mail (RFC 5322, with MIME parts by RFC 2045 to 2049). */
export function composeMessage(mail: Email, now: Date): Composed {
  const fault = headerError(mail);
  if (fault !== null) return { ok: false, fault };
  const headers = Object.entries(headersOf(mail, now)).map(([name, value]) => `${name}: ${value}`);
  const text = `${TEXT_HEADERS}\r\n\r\n${quotedPrintable(mail.text)}\r\n`;
  if (mail.attachments.length === 0) {
    return { ok: true, message: `${headers.join("\r\n")}\r\n${text}` };
  }
  // Neither quoted-printable nor base64 has "=_" in it, so no part can hold the boundary.
  const boundary = `=_${mail.messageId.slice(0, 32).replace(/\W/g, "_")}`;
  const parts = [text, ...mail.attachments.map(attachmentPart)];
  const message = [
    ...headers,
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...parts.map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
    "",
  ];
  return { ok: true, message: message.join("\r\n") };
}

const TEXT_HEADERS =
  "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable";

function headersOf(mail: Email, now: Date): Record<string, string> {
  const { messageId, from, to, cc, replyTo, subject } = mail;
  return {
    Date: now.toUTCString().replace("GMT", "+0000"),
    From: from,
    To: addressList(to),
    ...(cc.length === 0 ? {} : { Cc: addressList(cc) }),
    ...(replyTo === null ? {} : { "Reply-To": replyTo }),
    Subject: headerText(subject),
    "Message-ID": `<${messageId}>`,
    ...AUTO_SUBMITTED,
    "MIME-Version": "1.0",
  };
}

/** One address to a line: a line of a header ends at 998 characters (RFC 5322, section 2.1.1). */
function addressList(addresses: string[]): string {
  return addresses.join(",\r\n ");
}

function attachmentPart({ filename, mediaType, bytes }: OutputFile): string {
  const headers = [
    `Content-Type: ${safeMediaType(mediaType)}`,
    "Content-Transfer-Encoding: base64",
    `Content-Disposition: attachment${headerParameter("filename", filename)}`,
  ];
  return `${headers.join("\r\n")}\r\n\r\n${base64Lines(bytes)}\r\n`;
}

/** A media type without its parameters; models choose them, so one that is not well formed is dropped. */
export function safeMediaType(mediaType: string): string {
  const essence = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isToken = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,63}$/.test(essence);
  // A multipart or message type would be read as mail of its own.
  if (!isToken || /^(?:multipart|message)\//.test(essence)) return "application/octet-stream";
  return essence.startsWith("text/") ? `${essence}; charset=utf-8` : essence;
}

const MAX_LINE = 76;
/** Bytes of text in one encoded word: after "Subject: " its line has under 76 characters (RFC 2047, section 2). */
const WORD_BYTES = 39;
const PARAMETER_CHARACTERS = 60;

/** Text as quoted-printable lines (RFC 2045, section 6.7), each line break as CRLF. */
function quotedPrintable(text: string): string {
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
function base64Lines(bytes: Uint8Array): string {
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
function headerText(text: string): string {
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
function headerParameter(name: string, value: string): string {
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
