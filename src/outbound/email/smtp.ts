import { connect as connectPlain } from "node:net";
import { Readable } from "node:stream";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import * as z from "zod";
import type { Email, SendResult } from "../../agent/tools/send-email.ts";
import { startDeadline, unlessAborted } from "../../lib/async.ts";
import { unescapedOrNull } from "../../lib/encoding.ts";
import { isLoopbackHost } from "../../lib/http.ts";
import { composeMessage } from "./compose.ts";

/** A mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** When encryption begins. `none` is for loopback alone, where nobody can read the traffic. */
  tls: "implicit" | "starttls" | "none";
  login: { user: string; pass: string } | null;
}

export type SmtpUrl = { ok: true; server: SmtpServer } | { ok: false; message: string };

/** Parses `smtps://user:password@host:465` or `smtp://...:587`. The message contains no part of the URL. */
export function parseSmtpUrl(text: string): SmtpUrl {
  const url = URL.parse(text);
  const secure = url?.protocol === "smtps:";
  if (url === null || !(secure || url.protocol === "smtp:") || url.hostname === "") {
    return wrong("it must be smtps://user:password@host:465 or smtp://user:password@host:587");
  }
  const user = unescapedOrNull(url.username);
  const pass = unescapedOrNull(url.password);
  if (user === null || pass === null) {
    return wrong("a % in the user name or the password must be written as %25");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  // Plain spellings only: any other one counts as a remote host, which must encrypt.
  const plain = isLoopbackHost(url.hostname) ? "none" : "starttls";
  const login = user === "" ? null : { user, pass };
  return { ok: true, server: { host, port, tls: secure ? "implicit" : plain, login } };
}

function wrong(why: string): SmtpUrl {
  return { ok: false, message: `SMTP_URL is invalid: ${why}.` };
}

export interface SmtpOptions {
  server: SmtpServer;
  now: () => Date;
  /** The time up to the end of the message, and then for the reply to it, in milliseconds. */
  timeoutMs?: number;
  /** How certificates are checked, where that is not the usual way. */
  tls?: ConnectionOptions;
}

/** Twice this stays below a tool's own deadline. */
const TIMEOUT_MS = 50_000;
const FAREWELL_MS = 1_000;

/**
 * Sends an e-mail through an SMTP server, on a new connection. The server must not act on a message
 * before the line that ends it (RFC 5321, section 4.1.1.4): a failure before the whole message was written is
 * `refused`, and after that only the server's reply decides.
 */
export async function sendBySmtp(
  mail: Email,
  { server, now, timeoutMs = TIMEOUT_MS, tls = {} }: SmtpOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  signal.throwIfAborted();
  const composed = await composeMessage(mail, now());
  if (!composed.ok) return { kind: "refused", reason: composed.fault };
  const { from, to, cc, messageId } = mail;
  const { message: text } = composed;
  const envelope: Envelope = { from, to: [...to, ...cc] };
  const deadline = startDeadline(timeoutMs, signal);
  const connection = connectionTo(server, from, tls);
  let isWritten = false;
  async function* written() {
    // A message that not all recipients can have goes to none: the library would send it.
    const [refusal] = envelope.rejectedErrors ?? [];
    if (refusal !== undefined) throw refusal;
    yield text;
    isWritten = true;
    deadline.restart();
  }
  const message = Readable.from(written());
  try {
    await unlessAborted(deadline.signal, () =>
      transmit(connection, { login: server.login, envelope, message }),
    );
    connection.quit();
    return { kind: "sent", messageId };
  } catch (error) {
    signal.throwIfAborted();
    const reason = deadline.expired
      ? `The mail server did not answer within ${timeoutMs / 1_000} seconds.`
      : reasonOf(error);
    return { kind: isWritten && !isRefusal(error) ? "uncertain" : "refused", reason };
  } finally {
    deadline.clear();
    connection.close();
  }
}

/** The sender and the recipients of a message; the library adds the refusals of recipients. */
interface Envelope {
  from: string;
  to: string[];
  rejectedErrors?: Error[];
}

/** Prepares a connection that encrypts and checks the server's certificate, except on loopback. */
function connectionTo(
  { host, port, tls }: SmtpServer,
  from: string,
  options: ConnectionOptions,
): SMTPConnection {
  const isSecure = tls === "implicit";
  return new SMTPConnection({
    host,
    port,
    // The library would look the name up by itself, which the runtime does when it connects.
    connection: isSecure ? connectTls({ host, port, ...options }) : connectPlain({ host, port }),
    secure: isSecure,
    secured: isSecure,
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    tls: options,
    name: from.slice(from.lastIndexOf("@") + 1),
    socketCloseTimeout: FAREWELL_MS,
  });
}

/** Sends a message. Throws the library's error, or that of `message`. */
async function transmit(
  connection: SMTPConnection,
  {
    login,
    envelope,
    message,
  }: { login: SmtpServer["login"]; envelope: Envelope; message: Readable },
): Promise<void> {
  const failed = new Promise<never>((_, reject) => connection.on("error", reject));
  const step = (start: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => {
        start((error) => (error ? reject(error) : resolve()));
      }),
    ]);
  await step((done) => connection.connect(done));
  if (login !== null) await step((done) => connection.login(login, done));
  await step((done) => connection.send(envelope, message, done));
}

/** An error of the library: its own code, and the server's reply if it was one. */
const smtpError = z.object({
  code: z.string().catch(""),
  response: z.string().catch(""),
  responseCode: z.int().catch(0),
  recipient: z.string().optional().catch(undefined),
});

function isRefusal(error: unknown): boolean {
  const { responseCode = 0 } = smtpError.safeParse(error).data ?? {};
  return responseCode >= 400 && responseCode < 600;
}

/** Returns a failure as a sentence for the user. The runtime's own messages can name parts of the network. */
function reasonOf(error: unknown): string {
  const { code, response, responseCode, recipient } = smtpError.parse(error);
  if (code === "") throw error;
  if (code === "EAUTH" && response === "") {
    return "SMTP_URL has a user name without a password. The operator must add it.";
  }
  if (code === "EAUTH" && responseCode > 0) {
    // The code alone: some servers repeat the refused command, and with it the password.
    return `The mail server refused the login with ${responseCode}. The operator must check SMTP_URL.`;
  }
  if (code === "ETLS") {
    return "The mail server offers no encryption, so neither login nor e-mail was sent. Set SMTP_URL to a server that offers STARTTLS, or to an smtps URL.";
  }
  if (response === "") return "The mail server could not be reached, or closed the connection.";
  if (responseCode === 0) return "The reply of the mail server is not SMTP.";
  const asked = recipient === undefined ? "" : ` the recipient ${recipient}`;
  return `The mail server answered${asked} with ${shown(response)}`;
}

/** Returns a reply as text to show: visible ASCII, and its first 200 characters. */
function shown(reply: string): string {
  const text = reply.replace(/[^\x20-\x7e]+/g, " ").trim();
  return text.slice(0, 200).replace(/\.?$/, ".");
}
