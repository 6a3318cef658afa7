import type { Settings } from "../../env.ts";
import type { Mailer } from "../../ports/tools.ts";
import { createBindingMailer } from "./binding.ts";
import { headerError } from "./header-rules.ts";

/** The sender of e-mail that is not delivered. */
const OUTBOX_SENDER = "agent@prompthook.local";

/** Creates this deployment's mailer: SMTP if it is configured, else the binding, else the outbox. */
export function createMailer(
  settings: Settings,
  binding: SendEmail | undefined,
  /** Whom the account may write to; null for what the deployment allows. */
  recipients: readonly string[] | null,
): Mailer {
  const { EMAIL_FROM: from = null, EMAIL_ALLOWED_RECIPIENTS, SMTP_URL } = settings;
  const options = { from, allowedRecipients: recipients ?? EMAIL_ALLOWED_RECIPIENTS };
  if (SMTP_URL !== undefined) return createSmtpMailer(SMTP_URL, options);
  if (binding !== undefined) return createBindingMailer(binding, options);
  return createOutbox({ ...options, from: from ?? OUTBOX_SENDER });
}

/** Creates a mailer that accepts e-mail and delivers none; the output of the tool call keeps it. */
export function createOutbox(options: Pick<Mailer, "from" | "allowedRecipients">): Mailer {
  return {
    route: "outbox",
    ...options,
    async send(mail, signal) {
      signal.throwIfAborted();
      const fault = headerError(mail);
      if (fault !== null) return { kind: "refused", reason: fault };
      return { kind: "sent", messageId: mail.messageId };
    },
  };
}

/** Creates a mailer on the SMTP server of a URL; the SMTP code loads with the first e-mail. */
function createSmtpMailer(
  url: string,
  options: Pick<Mailer, "from" | "allowedRecipients">,
): Mailer {
  return {
    route: "smtp",
    ...options,
    async send(mail, signal) {
      const { parseSmtpUrl, sendBySmtp } = await import("./smtp.ts");
      const parsed = parseSmtpUrl(url);
      if (!parsed.ok) return { kind: "refused", reason: parsed.message };
      return sendBySmtp(mail, { server: parsed.server, now: () => new Date() }, signal);
    },
  };
}
