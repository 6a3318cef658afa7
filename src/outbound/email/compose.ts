import { type Email, headerError } from "../../agent/ports/email.ts";
import type { OutputFile } from "../../contract/tools/call.ts";
import { base64Lines, headerParameter, headerText, quotedPrintable } from "./encode.ts";

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
