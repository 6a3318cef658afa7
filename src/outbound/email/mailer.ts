import type { Mailer } from "../../agent/tools/send-email/mailer.ts";
import type { Settings } from "../../env.ts";
import { createOutbox } from "./outbox.ts";

/** The way out that this deployment has for e-mail. */
export function createMailer(settings: Settings): Mailer {
  const { EMAIL_FROM: from, EMAIL_ALLOWED_RECIPIENTS: allowedRecipients } = settings;
  return createOutbox({ from, allowedRecipients });
}
