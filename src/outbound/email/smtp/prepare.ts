import type { SmtpServer } from "./server.ts";
import { type Reply, SmtpError, type SmtpSession } from "./session.ts";

/** The sender and the recipients of a message. */
export interface Envelope {
  from: string;
  to: string[];
}

/**
 * Takes a session up to the message: greeting, encryption, login, envelope and DATA. Throws an
 * `SmtpError`; the server has accepted nothing then.
 */
export async function prepare(
  session: SmtpSession,
  { server, envelope }: { server: SmtpServer; envelope: Envelope },
  signal: AbortSignal,
): Promise<void> {
  const { from, to } = envelope;
  expect(220, await session.reply(signal), "the connection");
  const hello = `EHLO ${from.slice(from.lastIndexOf("@") + 1)}`;
  let offered = expect(250, await session.command(hello, signal), "EHLO");
  if (server.tls === "starttls") {
    if (!offers(offered, "STARTTLS")) {
      throw new SmtpError(
        "The mail server offers no encryption, so neither login nor e-mail was sent. Set SMTP_URL to a server that offers STARTTLS, or to an smtps URL.",
      );
    }
    expect(220, await session.command("STARTTLS", signal), "STARTTLS");
    session.startTls();
    // Extensions offered before encryption no longer count (RFC 3207, section 4.2).
    offered = expect(250, await session.command(hello, signal), "EHLO");
  }
  if (server.login !== null) await logIn(session, server.login, offered, signal);
  expect(250, await session.command(`MAIL FROM:<${from}>`, signal), `the sender ${from}`);
  for (const address of to) {
    const reply = await session.command(`RCPT TO:<${address}>`, signal);
    if (reply.code !== 251) expect(250, reply, `the recipient ${address}`);
  }
  expect(354, await session.command("DATA", signal), "DATA");
}

async function logIn(
  session: SmtpSession,
  { user, password }: { user: string; password: string },
  offered: Reply,
  signal: AbortSignal,
): Promise<void> {
  let reply: Reply;
  if (offers(offered, "AUTH", "PLAIN")) {
    reply = await session.command(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, signal);
  } else if (offers(offered, "AUTH", "LOGIN")) {
    reply = await session.command("AUTH LOGIN", signal);
    if (reply.code === 334) reply = await session.command(base64(user), signal);
    if (reply.code === 334) reply = await session.command(base64(password), signal);
  } else {
    throw new SmtpError("The mail server offers neither PLAIN nor LOGIN authentication.");
  }
  if (reply.code === 235) return;
  // The code alone: some servers repeat the refused command, and with it the password.
  throw new SmtpError(
    `The mail server refused the login with ${reply.code}. The operator must check SMTP_URL.`,
  );
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Returns whether a reply to EHLO names an extension, with this word among its parameters. */
function offers({ lines }: Reply, extension: string, parameter?: string): boolean {
  return lines.some((line) => {
    const [name, ...parameters] = line.toUpperCase().split(/[ =]+/);
    return name === extension && (parameter === undefined || parameters.includes(parameter));
  });
}

function expect(code: number, reply: Reply, what: string): Reply {
  if (reply.code === code) return reply;
  throw new SmtpError(`The mail server answered ${what} with ${replyText(reply)}`);
}

/** Returns a reply as text to show: visible ASCII, and its first 200 characters. */
export function replyText({ code, lines }: Reply): string {
  const text = lines
    .join(" ")
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim();
  return `${code} ${text.slice(0, 200)}`.trim().replace(/\.?$/, ".");
}
