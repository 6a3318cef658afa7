import { emailAddress, headerLine } from "../../../contract/tools/send-email.ts";
import type { Mail } from "./mailer.ts";

/** The two sides of a message id, with nothing that could end the header or the id (RFC 5322, 3.6.4). */
const MESSAGE_ID = /^[\w.+-]{1,128}@[\w.-]{1,253}$/;

/**
 * Why this mail must not be composed, or null. What becomes a header is checked here once more,
 * whoever made it: neither the libraries nor the platform's local binding refuse a line break, and
 * each would let a text add headers and recipients of its own.
 */
export function headerFault(mail: Mail): string | null {
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
