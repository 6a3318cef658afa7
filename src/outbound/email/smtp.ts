import type { Mailer } from "../../agent/ports/email.ts";

/** Sends by the SMTP server of this URL; what speaks to it is loaded with the first mail. */
export function createSmtpMailer(
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
