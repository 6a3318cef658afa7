import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { LOGIN } from "./login.ts";
import { type Fault, startProxy } from "./proxy.ts";

/** A mail as the server took it. */
interface TakenMail {
  /** The envelope. */
  from: string;
  to: string[];
  /** The message, byte for byte, as Latin-1. */
  raw: string;
  secure: boolean;
  /** Who had logged in, if anybody. */
  user: string | null;
}

export interface SinkOptions {
  /** What goes wrong between the client and the server. */
  fault?: Fault;
  /** Speaks TLS from the first byte, under a certificate that nobody signed. */
  implicitTls?: boolean;
  /** Offers neither STARTTLS nor, with it, any secrecy. */
  hideStartTls?: boolean;
  loginOnly?: boolean;
}

/** A real SMTP server on loopback that keeps what it takes, behind a proxy that can spoil things. */
export async function startSmtpSink(options: SinkOptions = {}) {
  const mails: TakenMail[] = [];
  const server = new SMTPServer({
    secure: options.implicitTls ?? false,
    disabledCommands: options.hideStartTls ? ["STARTTLS"] : [],
    authMethods: options.loginOnly ? ["LOGIN"] : ["PLAIN", "LOGIN"],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // It would warn of its certificate, which nobody signed: that is what it is for here.
    logger: false,
    onAuth({ username, password }, _session, done) {
      const known = username === LOGIN.user && password === LOGIN.pass;
      done(known ? null : new Error("no such login"), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith("nobody@") ? new Error("No such user here") : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("latin1"),
          secure: session.secure,
          user: typeof session.user === "string" ? session.user : null,
        });
        done();
      });
    },
  });
  // A client that breaks off, or that distrusts the certificate, is what some tests are about.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: serverPort } = server.server.address() as AddressInfo;
  const proxy = await startProxy(serverPort, options.fault ?? null);
  return {
    port: proxy.port,
    mails,
    /** All that clients wrote before any encryption. */
    written: () => proxy.written(),
    /** Resolves once a connection of a client has come to its end. */
    left: proxy.left,
    close: async () => {
      await proxy.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type SmtpSink = Awaited<ReturnType<typeof startSmtpSink>>;
