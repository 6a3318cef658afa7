import { unlessAborted } from "../../../lib/async.ts";
import type { Connect, Connection, SmtpServer } from "./server.ts";

/** A failure of the server or the connection. The message may be shown to the user. */
export class SmtpError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SmtpError";
  }
}

/** A complete reply of the server. */
export interface Reply {
  code: number;
  lines: string[];
}

/** The most bytes of one reply; a server that sends more is not a mail server. */
const MAX_REPLY_BYTES = 64 * 1024;
const NO_SMTP = "The reply of the mail server is not SMTP.";
const BROKEN = "The mail server could not be reached, or closed the connection.";

/** Sends SMTP commands and reads replies (RFC 5321, sections 4.1 and 4.2) over a connection. */
export class SmtpSession {
  #connection: Connection;
  #received = "";

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Opens a session on a connection that is still being established. Throws an `SmtpError`. */
  static open(connect: Connect, server: SmtpServer): SmtpSession {
    return new SmtpSession(connected(() => connect(server)));
  }

  /** Sends one line and returns the reply. */
  async command(line: string, signal: AbortSignal): Promise<Reply> {
    // The schemas refuse such text earlier; the server would run a second command.
    if (/[^\x20-\x7e]/.test(line)) throw new Error("an SMTP command is one line of ASCII");
    await this.write(`${line}\r\n`, signal);
    return this.reply(signal);
  }

  /** Sends ASCII text unchanged. */
  async write(text: string, signal: AbortSignal): Promise<void> {
    await guarded(signal, () => this.#connection.write(new TextEncoder().encode(text)));
  }

  async reply(signal: AbortSignal): Promise<Reply> {
    const lines: string[] = [];
    let size = 0;
    for (;;) {
      const line = await this.#line(signal);
      size += line.length;
      const [, code, separator, text = ""] = /^(\d{3})(?:([ -])(.*))?$/s.exec(line) ?? [];
      if (code === undefined || size > MAX_REPLY_BYTES) throw new SmtpError(NO_SMTP);
      lines.push(text);
      if (separator !== "-") return { code: Number(code), lines };
    }
  }

  startTls(): void {
    // Bytes from before the encryption may come from an attacker, so no reply may contain them.
    if (this.#received !== "")
      throw new SmtpError("The mail server sent data before encryption began.");
    this.#connection = connected(() => this.#connection.startTls());
  }

  close(): void {
    this.#connection.close();
  }

  async #line(signal: AbortSignal): Promise<string> {
    for (;;) {
      const end = this.#received.indexOf("\n");
      if (end !== -1) {
        const line = this.#received.slice(0, end).replace(/\r$/, "");
        this.#received = this.#received.slice(end + 1);
        return line;
      }
      if (this.#received.length > MAX_REPLY_BYTES) throw new SmtpError(NO_SMTP);
      const bytes = await guarded(signal, () => this.#connection.read());
      // A stream at its end answers every read at once, so that this loop would never end.
      if (bytes === null) throw new SmtpError(BROKEN);
      this.#received += new TextDecoder("latin1").decode(bytes);
    }
  }
}

/** Hides the runtime's own messages, which can name parts of the network. */
async function guarded<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  try {
    return await unlessAborted(signal, start);
  } catch {
    signal.throwIfAborted();
    throw new SmtpError(BROKEN);
  }
}

function connected(open: () => Connection): Connection {
  try {
    return open();
  } catch {
    throw new SmtpError(BROKEN);
  }
}

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
