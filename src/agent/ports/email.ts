import type { OutputFile } from "../../contract/tools/call.ts";
import { type EmailRoute, emailAddress, headerLine } from "../../contract/tools/send-email.ts";

/** An e-mail. */
export interface Email {
  /** The message id without angle brackets. A repeated call has the same. */
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string | null;
  subject: string;
  text: string;
  attachments: OutputFile[];
}

/** The result of sending an e-mail. A reason is a sentence for the user, without secrets. */
export type SendResult =
  | { kind: "sent"; messageId: string }
  /** It certainly reached nobody. */
  | { kind: "refused"; reason: string }
  /** It was sent without a response. */
  | { kind: "uncertain"; reason: string };

/** Sends the e-mail of this deployment. */
export interface Mailer {
  readonly route: EmailRoute;
  /** The sender of every e-mail. */
  readonly from: string;
  /** The recipients that the operator allows in `EMAIL_ALLOWED_RECIPIENTS`. */
  readonly allowedRecipients: readonly string[];
  /** Returns within two minutes; throws only the signal's reason and internal errors. */
  send(mail: Email, signal: AbortSignal): Promise<SendResult>;
}

/** Both sides of a message id, without characters that could end the header or the id (RFC 5322, 3.6.4). */
const MESSAGE_ID = /^[\w.+-]{1,128}@[\w.-]{1,253}$/;

/**
 * Returns why an e-mail must not be composed, or null. All header values are checked here again: neither
 * the libraries nor the platform's local binding reject a line break, by which a text could add headers
 * and recipients.
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
