import type { EmailRoute } from "../../../contract/tools/send-email.ts";
import type { MadeFile } from "../tool.ts";

/** A mail with all that is in it. */
export interface Mail {
  /** Without the angle brackets. The same when this very call is sent again. */
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  replyTo: string | null;
  subject: string;
  text: string;
  attachments: MadeFile[];
}

/** What became of a mail. A reason is a sentence that the user may read; it holds no secret. */
export type Dispatch =
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
  send(mail: Mail, signal: AbortSignal): Promise<Dispatch>;
}
