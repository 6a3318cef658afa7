import * as z from "zod";
import type { Email, Mailer, SendResult } from "../../agent/tools/send-email.ts";
import type { Settings } from "../../env.ts";
import { startDeadline, unlessAborted } from "../../lib/async.ts";
import { AUTO_SUBMITTED, headerError, safeMediaType } from "./header-rules.ts";

type MailerOptions = Pick<Mailer, "from" | "allowedRecipients">;

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

/** Refuses e-mail whose headers have line breaks, which the platform's local stand-in accepts. */
const checked =
  (send: Mailer["send"]): Mailer["send"] =>
  async (mail, signal) => {
    signal.throwIfAborted();
    const fault = headerError(mail);
    return fault === null ? send(mail, signal) : { kind: "refused", reason: fault };
  };

/** Creates a mailer that accepts e-mail and delivers none; the output of the tool call keeps it. */
export function createOutbox(options: MailerOptions): Mailer {
  const send = checked(async ({ messageId }) => ({ kind: "sent", messageId }));
  return { route: "outbox", ...options, send };
}

/** Creates a mailer on the SMTP server of a URL; the SMTP code loads with the first e-mail. */
function createSmtpMailer(url: string, options: MailerOptions): Mailer {
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

const TIMEOUT_MS = 60_000;

/** Failures before the platform accepts an e-mail; after any other one a recipient may have received it. */
const REFUSALS: ReadonlySet<string> = new Set([
  "E_VALIDATION_ERROR",
  "E_FIELD_MISSING",
  "E_TOO_MANY_RECIPIENTS",
  "E_SENDER_NOT_VERIFIED",
  "E_SENDER_DOMAIN_NOT_AVAILABLE",
  "E_RECIPIENT_NOT_ALLOWED",
  "E_RECIPIENT_SUPPRESSED",
  "E_CONTENT_TOO_LARGE",
  "E_RATE_LIMIT_EXCEEDED",
  "E_DAILY_LIMIT_EXCEEDED",
  "E_HEADER_NOT_ALLOWED",
  "E_HEADER_VALUE_INVALID",
]);

const coded = z.object({ code: z.string().regex(/^E_[A-Z_]{1,60}$/) });

/** Creates a mailer on Cloudflare's e-mail binding, which composes the message and chooses its id. */
export function createBindingMailer(
  binding: Pick<SendEmail, "send">,
  options: MailerOptions,
): Mailer {
  const send = checked(async (mail, signal) => {
    const deadline = startDeadline(TIMEOUT_MS, signal);
    try {
      const message = builderOf(mail);
      const sent = await unlessAborted(deadline.signal, () => binding.send(message));
      return { kind: "sent", messageId: sent.messageId };
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(error);
    } finally {
      deadline.clear();
    }
  });
  return { route: "binding", ...options, send };
}

function builderOf(mail: Email): EmailMessageBuilder {
  const { from, to, cc, replyTo, subject, text, attachments } = mail;
  return {
    from,
    to,
    ...(cc.length === 0 ? {} : { cc }),
    ...(replyTo === null ? {} : { replyTo }),
    subject,
    text,
    headers: AUTO_SUBMITTED,
    attachments: attachments.map(({ filename, mediaType, bytes }) => ({
      disposition: "attachment",
      filename,
      type: safeMediaType(mediaType),
      content: bytes,
    })),
  };
}

/** Names the code alone: the message may quote account data of the platform. */
function failureOf(error: unknown): SendResult {
  const { code } = coded.safeParse(error).data ?? {};
  if (code !== undefined && REFUSALS.has(code)) {
    return {
      kind: "refused",
      reason: `The platform's e-mail service refused the e-mail with ${code}.`,
    };
  }
  const how = code === undefined ? "did not respond" : `failed with ${code}`;
  return { kind: "uncertain", reason: `The platform's e-mail service ${how}.` };
}
