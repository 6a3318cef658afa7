import type { OutputFile } from "../contract/tools/call.ts";
import type { EmailRoute } from "../contract/tools/send-email.ts";

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
  /** The sender of every e-mail; null while the operator has not set one. */
  readonly from: string | null;
  /** The recipients that the operator allows the account, or all accounts. */
  readonly allowedRecipients: readonly string[];
  /** Returns within two minutes; throws only the signal's reason and internal errors. */
  send(mail: Email, signal: AbortSignal): Promise<SendResult>;
}
