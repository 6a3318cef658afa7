import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A real HTTP server on 127.0.0.1, on a port of its own. */
export interface TestServer {
  origin: string;
  host: string;
  close(): Promise<void>;
}

/**
 * Starts a server that answers with `handler`, over TLS with a certificate, on any port unless one is given;
 * `close` also ends open connections.
 */
export async function startServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: { cert: string; key: string },
  wanted = 0,
): Promise<TestServer> {
  const server = tls === undefined ? createServer(handler) : createTlsServer(tls, handler);
  // By default idle connections are closed after 5 s; a client that uses one at that moment fails.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    origin: `${tls === undefined ? "http" : "https"}://${host}`,
    host,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The whole body of a request, as text. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
