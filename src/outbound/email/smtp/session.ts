import { unlessAborted } from "../../../lib/async.ts";
import type { Connect, Connection, SmtpServer } from "./server.ts";

/** The server, or the way to it, failed. The message may be shown to the user. */
export class SmtpError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SmtpError";
  }
}

/** A whole answer of the server. */
export interface Reply {
  code: number;
  lines: string[];
}

/** What a server may say in one answer; one that says more is not a mail server. */
const MAX_REPLY_BYTES = 64 * 1024;
const NO_SMTP = "The mail server answered something that is not SMTP.";
const BROKEN = "The mail server could not be reached, or broke off.";

/** Speaks SMTP's commands and replies (RFC 5321, sections 4.1 and 4.2) over a connection. */
export class SmtpSession {
  #connection: Connection;
  #received = "";

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Opens a connection, which is not yet established; fails with an `SmtpError`. */
  static open(connect: Connect, server: SmtpServer): SmtpSession {
    return new SmtpSession(connected(() => connect(server)));
  }

  /** Sends one line and reads the answer to it. */
  async command(line: string, signal: AbortSignal): Promise<Reply> {
    // The schemas have refused this long before; a second command would be the server's to run.
    if (/[^\x20-\x7e]/.test(line)) throw new Error("an SMTP command is one line of ASCII");
    await this.write(`${line}\r\n`, signal);
    return this.reply(signal);
  }

  /** Sends ASCII text as it is. */
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
    // What came before encryption may be someone else's, and must not be read as if it were safe.
    if (this.#received !== "")
      throw new SmtpError("The mail server spoke before encryption began.");
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
      // At its end a stream answers at once, for ever: to read on would never end.
      if (bytes === null) throw new SmtpError(BROKEN);
      this.#received += new TextDecoder("latin1").decode(bytes);
    }
  }
}

/** The runtime's own messages stay inside: they can name parts of the network. */
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
