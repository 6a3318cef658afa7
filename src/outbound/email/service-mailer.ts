import type { Email, SendResult } from "../../agent/tools/send-email.ts";
import type { Settings } from "../../env.ts";
import { composeMessage } from "./compose.ts";
import { localOutbox } from "./local-outbox.ts";
import { createMailer } from "./mailer.ts";

const LOCAL_SENDER = "prompthook@localhost.local";

/** Sends e-mail of the service itself, such as links for signing in. */
export interface ServiceMailer {
  /** Sends a mail; one that has an `id` has the same Message-ID in each attempt. */
  send(mail: Pick<Email, "subject" | "text"> & { to: string; id?: string }): Promise<SendResult>;
}

/**
 * Creates the mailer of the service; null where no e-mail is set up. A local start without one writes its
 * mails to the folder `outbox` of its state. What agents may send to does not matter here.
 */
export function createServiceMailer(
  env: object & { EMAIL?: SendEmail },
  settings: Settings,
): ServiceMailer | null {
  const mailer = createMailer(settings, env.EMAIL, null);
  const outbox = localOutbox(env);
  const isDelivered = mailer.route !== "outbox" && mailer.from !== null;
  if (!isDelivered && outbox === null) return null;
  return {
    async send({ to, id = crypto.randomUUID(), ...message }) {
      const from = mailer.from ?? LOCAL_SENDER;
      const messageId = `${id}@${from.slice(from.indexOf("@") + 1)}`;
      const plain = { messageId, from, to: [to], cc: [], replyTo: null, attachments: [] };
      const mail: Email = { ...plain, ...message };
      if (isDelivered || outbox === null) return mailer.send(mail, AbortSignal.timeout(60_000));
      const now = new Date();
      const composed = await composeMessage(mail, now);
      if (!composed.ok) return { kind: "refused", reason: composed.fault };
      await outbox.write(now, messageId, composed.message);
      return { kind: "sent", messageId };
    },
  };
}
