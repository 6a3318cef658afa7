import { headerError, type Mailer } from "../../agent/ports/email.ts";

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
