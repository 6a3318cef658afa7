import type { Mailer } from "../../agent/ports/email.ts";
import type { Settings } from "../../env.ts";
import { createBindingMailer } from "./binding.ts";
import { createOutbox } from "./outbox.ts";
import { createSmtpMailer } from "./smtp.ts";

/** The way out that this deployment has for e-mail: SMTP where it is set, the binding, or the outbox. */
export function createMailer(settings: Settings, binding: SendEmail | undefined): Mailer {
  const { EMAIL_FROM: from, EMAIL_ALLOWED_RECIPIENTS: allowedRecipients, SMTP_URL } = settings;
  const options = { from, allowedRecipients };
  if (SMTP_URL !== undefined) return createSmtpMailer(SMTP_URL, options);
  if (binding !== undefined) return createBindingMailer(binding, options);
  return createOutbox(options);
}
