import { request as open } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { startServer, type TestServer } from "./server.ts";

/** A request on its way through the proxy, or its answer. */
export interface Passing {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What the proxy does to what passes; what it leaves out passes as it is. */
export interface Alterations {
  /** Before the request goes on. */
  request?: (passing: Passing) => Passing;
  /** Before the answer goes back: another status and body. */
  answer?: (passing: Passing, status: number) => { status: number; body: string } | null;
}

/** Starts a proxy before the service at `origin`, which is reached under the proxy's own name. */
export async function startAlteringProxy(
  origin: string,
  { request = (passing) => passing, answer = () => null }: Alterations,
): Promise<TestServer> {
  return startServer(async (incoming, response) => {
    const passing = request({
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: await text(incoming),
    });
    const { "content-length": _length, ...headers } = passing.headers;
    const target = new URL(passing.path, origin).href;
    const outgoing = open(target, { method: passing.method, headers }, async (answered) => {
      const other = answer(passing, answered.statusCode ?? 502);
      const bytes = await buffer(answered);
      const { "transfer-encoding": _encoding, "content-length": _size, ...rest } = answered.headers;
      response.writeHead(other?.status ?? answered.statusCode ?? 502, rest);
      response.end(other?.body ?? bytes);
    });
    outgoing.once("error", () => response.destroy());
    outgoing.end(passing.body);
  });
}
