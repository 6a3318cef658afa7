import type { Mailer } from "../../agent/ports/email.ts";
import type { Settings } from "../../env.ts";
import { createBindingMailer } from "./binding.ts";
import { headerError } from "./header-rules.ts";

/** The way out that this deployment has for e-mail: SMTP where it is set, the binding, or the outbox. */
export function createMailer(settings: Settings, binding: SendEmail | undefined): Mailer {
  const { EMAIL_FROM: from, EMAIL_ALLOWED_RECIPIENTS: allowedRecipients, SMTP_URL } = settings;
  const options = { from, allowedRecipients };
  if (SMTP_URL !== undefined) return createSmtpMailer(SMTP_URL, options);
  if (binding !== undefined) return createBindingMailer(binding, options);
  return createOutbox(options);
}

/** Takes mail and delivers none: the tool's own output, in the execution's result, is what is kept. */
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

/** Sends by the SMTP server of this URL; what speaks to it is loaded with the first mail. */
function createSmtpMailer(
  url: string,
  options: Pick<Mailer, "from" | "allowedRecipients">,
): Mailer {
  return {
    route: "smtp",
    ...options,
    async send(mail, signal) {
      const [{ parseSmtpUrl }, { sendBySmtp }, { connectSocket }] = await Promise.all([
        import("./smtp/server.ts"),
        import("./smtp/send.ts"),
        import("./smtp/socket.ts"),
      ]);
      const parsed = parseSmtpUrl(url);
      if (!parsed.ok) return { kind: "refused", reason: parsed.message };
      const { server } = parsed;
      return sendBySmtp(mail, { server, connect: connectSocket, now: () => new Date() }, signal);
    },
  };
}
