import { startDeadline } from "../../../lib/async.ts";
import type { Email, SendResult } from "../../../ports/email.ts";
import { composeMessage } from "../compose.ts";
import type { Connect, SmtpServer } from "./server.ts";
import { prepare, type Reply, replyText, SmtpError, SmtpSession } from "./session.ts";

/** The time up to the end of the message, and then for the reply to it, in milliseconds. */
interface SmtpTimeouts {
  prepareMs: number;
  replyMs: number;
}

/** Their sum stays below a tool's own deadline. */
const TIMEOUTS: SmtpTimeouts = { prepareMs: 40_000, replyMs: 60_000 };

const FAREWELL_MS = 1_000;

export interface SmtpOptions {
  server: SmtpServer;
  connect: Connect;
  now: () => Date;
  timeouts?: SmtpTimeouts;
}

/**
 * Sends an e-mail through an SMTP server, on a new connection. The server must not act on a message
 * before the line that ends it (RFC 5321, section 4.1.1.4): a failure before that line is `refused`, and
 * after it only the server's reply decides.
 */
export async function sendBySmtp(
  mail: Email,
  { server, connect, now, timeouts = TIMEOUTS }: SmtpOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  signal.throwIfAborted();
  const composed = await composeMessage(mail, now());
  if (!composed.ok) return { kind: "refused", reason: composed.fault };
  const envelope = { from: mail.from, to: [...mail.to, ...mail.cc] };
  const opened = await attempt(timeouts.prepareMs, signal, async () =>
    SmtpSession.open(connect, server),
  );
  if (!opened.ok) return { kind: "refused", reason: opened.reason };
  const session = opened.value;
  try {
    const ready = await attempt(timeouts.prepareMs, signal, async (inTime) => {
      await prepare(session, { server, envelope }, inTime);
      await session.write(dotStuffed(composed.message), inTime);
    });
    if (!ready.ok) return { kind: "refused", reason: ready.reason };
    const end = await attempt(timeouts.replyMs, signal, (inTime) => session.command(".", inTime));
    if (!end.ok) return { kind: "uncertain", reason: end.reason };
    // The outcome is known, so QUIT needs no reply and the caller's signal does not stop it.
    await attempt(FAREWELL_MS, new AbortController().signal, (inTime) =>
      session.write("QUIT\r\n", inTime),
    );
    return outcomeOf(end.value, mail.messageId);
  } finally {
    session.close();
  }
}

type Tried<T> = { ok: true; value: T } | { ok: false; reason: string };

async function attempt<T>(
  ms: number,
  signal: AbortSignal,
  work: (inTime: AbortSignal) => Promise<T>,
): Promise<Tried<T>> {
  const deadline = startDeadline(ms, signal);
  try {
    return { ok: true, value: await work(deadline.signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.expired) {
      return { ok: false, reason: `The mail server did not answer within ${ms / 1_000} seconds.` };
    }
    if (error instanceof SmtpError) return { ok: false, reason: error.message };
    throw error;
  } finally {
    deadline.clear();
  }
}

function outcomeOf(reply: Reply, messageId: string): SendResult {
  if (reply.code === 250) return { kind: "sent", messageId };
  const reason = `The mail server answered the message with ${replyText(reply)}`;
  return { kind: reply.code >= 400 && reply.code < 600 ? "refused" : "uncertain", reason };
}

/** Doubles each dot that begins a line; a line of one dot ends the message (RFC 5321, section 4.5.2). */
function dotStuffed(message: string): string {
  return message.replace(/(^|\r\n)\./g, "$1..");
}
