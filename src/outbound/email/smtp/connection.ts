import type { SmtpServer } from "./server.ts";

/** A byte stream to a server. Reads and writes fail when it has broken. */
export interface Connection {
  /** The next bytes, or null when the server has closed its side. */
  read(): Promise<Uint8Array | null>;
  write(bytes: Uint8Array): Promise<void>;
  /** Encrypts from here on, checking the server's certificate; this connection is not used again. */
  startTls(): Connection;
  /** Gives the connection up at once. */
  close(): void;
}

export type Connect = (server: SmtpServer) => Connection;
