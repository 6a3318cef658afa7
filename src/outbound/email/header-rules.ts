import type { Email } from "../../agent/tools/send-email.ts";
import { emailAddress, headerLine } from "../../contract/tools/write.ts";

/** Keeps automatic responders silent (RFC 3834, section 5). */
export const AUTO_SUBMITTED = { "Auto-Submitted": "auto-generated" };

/** Both sides of a message id, without characters that could end the header or the id (RFC 5322, 3.6.4). */
const MESSAGE_ID = /^[\w.+-]{1,128}@[\w.-]{1,253}$/;

/**
 * Returns why an e-mail must not be composed, or null. Checks all header values again, since
 * the platform's local binding does not reject a line break, with which a text could add headers and
 * recipients.
 */
export function headerError(mail: Email): string | null {
  const { messageId, from, to, cc, replyTo, subject, attachments } = mail;
  if (!MESSAGE_ID.test(messageId)) return "The message id is malformed.";
  const addresses = [from, ...to, ...cc, ...(replyTo === null ? [] : [replyTo])];
  const wrong = addresses.find((address) => !emailAddress.safeParse(address).success);
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is not an e-mail address.`;
  if (!headerLine.safeParse(subject).success) return "The subject is not one line.";
  const file = attachments.find(({ filename }) => !isFilename(filename));
  if (file === undefined) return null;
  return `${JSON.stringify(file.filename)} cannot be the name of an attachment.`;
}

function isFilename(name: string): boolean {
  return headerLine.safeParse(name).success && /^[^/\\]{1,255}$/.test(name) && !/^\.*$/.test(name);
}

/** Returns a media type without its parameters; models choose them, so a malformed one is dropped. */
export function safeMediaType(mediaType: string): string {
  const essence = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isToken = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,63}$/.test(essence);
  // Readers take a multipart or message type for mail of its own.
  if (!isToken || /^(?:multipart|message)\//.test(essence)) return "application/octet-stream";
  return essence.startsWith("text/") ? `${essence}; charset=utf-8` : essence;
}
