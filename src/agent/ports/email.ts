import type { OutputFile } from "../../contract/tools/call.ts";
import { type EmailRoute, emailAddress, headerLine } from "../../contract/tools/send-email.ts";

/** A mail with all that is in it. */
export interface Email {
  /** Without the angle brackets. The same when this very call is sent again. */
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string | null;
  subject: string;
  text: string;
  attachments: OutputFile[];
}

/** What became of a mail. A reason is a sentence that the user may read; it holds no secret. */
export type SendResult =
  | { kind: "sent"; messageId: string }
  /** It surely reached nobody. */
  | { kind: "refused"; reason: string }
  /** It was handed over, and no answer came. */
  | { kind: "uncertain"; reason: string };

/** How this deployment's e-mail leaves. */
export interface Mailer {
  readonly route: EmailRoute;
  /** The sender of every mail. */
  readonly from: string;
  /** Whom the operator lets agents write to, as `EMAIL_ALLOWED_RECIPIENTS` has it. */
  readonly allowedRecipients: readonly string[];
  /** Answers within two minutes; throws only the signal's reason, and our own faults. */
  send(mail: Email, signal: AbortSignal): Promise<SendResult>;
}

/** The two sides of a message id, with nothing that could end the header or the id (RFC 5322, 3.6.4). */
const MESSAGE_ID = /^[\w.+-]{1,128}@[\w.-]{1,253}$/;

/**
 * Why this mail must not be composed, or null. What becomes a header is checked here once more,
 * whoever made it: neither the libraries nor the platform's local binding refuse a line break, and
 * each would let a text add headers and recipients of its own.
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
