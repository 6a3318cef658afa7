import { encodeWord } from "nodemailer/lib/mime-funcs";
import MimeNode from "nodemailer/lib/mime-node";
import type { Email } from "../../agent/tools/send-email.ts";
import type { OutputFile } from "../../contract/tools/call.ts";
import { AUTO_SUBMITTED, headerError, safeMediaType } from "./header-rules.ts";

/** A message in ASCII with CRLF line ends, or why the e-mail must not be composed. */
export type Composed = { ok: true; message: string } | { ok: false; fault: string };

/** Composes a message (RFC 5322, with MIME parts by RFC 2045 to 2049). */
export async function composeMessage(mail: Email, now: Date): Promise<Composed> {
  const fault = headerError(mail);
  if (fault !== null) return { ok: false, fault };
  const message = await rootOf(mail).setHeader(headersOf(mail, now)).build();
  return { ok: true, message: new TextDecoder().decode(message) };
}

/** Content is bytes and text alone: no path is read and no address fetched. */
const OPTIONS = { disableFileAccess: true, disableUrlAccess: true, newline: "win" };

function rootOf({ text, attachments }: Email): MimeNode {
  const body = text.replace(/\r\n?/g, "\n");
  if (attachments.length === 0) {
    return new MimeNode("text/plain; charset=utf-8", OPTIONS).setContent(body);
  }
  const root = new MimeNode("multipart/mixed", OPTIONS);
  root.createChild("text/plain; charset=utf-8").setContent(body);
  for (const file of attachments) addAttachment(root, file);
  return root;
}

function addAttachment(root: MimeNode, { filename, mediaType, bytes }: OutputFile): void {
  root
    .createChild(safeMediaType(mediaType), { filename })
    .setHeader({
      "Content-Transfer-Encoding": "base64",
      "Content-Disposition": "attachment",
    })
    .setContent(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function headersOf(mail: Email, now: Date) {
  const { messageId, from, to, cc, replyTo, subject } = mail;
  return {
    Date: now,
    From: from,
    To: to,
    Cc: cc,
    ...(replyTo === null ? {} : { "Reply-To": replyTo }),
    Subject: { prepared: true, foldLines: true, value: encodedSubject(subject) },
    "Message-ID": `<${messageId}>`,
    ...AUTO_SUBMITTED,
  };
}

/**
 * Returns a subject as it is when it is short and plain, and in encoded words (RFC 2047) otherwise. The
 * library passes on text that itself looks like an encoded word, which readers decode into other text.
 */
function encodedSubject(subject: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]{0,58}[\x21-\x7e])?$/.test(subject);
  return isPlain && !subject.includes("=?") ? subject : encodeWord(subject, "B", 52);
}
