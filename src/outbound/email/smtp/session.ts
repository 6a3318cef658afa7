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
