import { isLoopbackHost } from "../../../lib/http.ts";

/** A mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** When encryption begins. `none` is for loopback alone, where nobody can read the traffic. */
  tls: "implicit" | "starttls" | "none";
  login: { user: string; password: string } | null;
}

export type SmtpUrl = { ok: true; server: SmtpServer } | { ok: false; message: string };

/** Parses `smtps://user:password@host:465` or `smtp://...:587`. The message contains no part of the URL. */
export function parseSmtpUrl(text: string): SmtpUrl {
  const url = URL.parse(text);
  const secure = url?.protocol === "smtps:";
  if (url === null || !(secure || url.protocol === "smtp:") || url.hostname === "") {
    return wrong("it must be smtps://user:password@host:465 or smtp://user:password@host:587");
  }
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === null || password === null) {
    return wrong("a % in the user name or the password must be written as %25");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  // Plain spellings only: any other one counts as a remote host, which must encrypt.
  const plain = isLoopbackHost(url.hostname) ? "none" : "starttls";
  const login = user === "" ? null : { user, password };
  return { ok: true, server: { host, port, tls: secure ? "implicit" : plain, login } };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function wrong(why: string): SmtpUrl {
  return { ok: false, message: `SMTP_URL is invalid: ${why}.` };
}

/** A byte stream to a server. Reads and writes fail once it is broken. */
export interface Connection {
  /** Returns the next bytes, or null when the server has closed its side. */
  read(): Promise<Uint8Array | null>;
  write(bytes: Uint8Array): Promise<void>;
  /** Checks the server's certificate and encrypts; do not use this connection afterwards. */
  startTls(): Connection;
  /** Closes the connection at once. */
  close(): void;
}

export type Connect = (server: SmtpServer) => Connection;
