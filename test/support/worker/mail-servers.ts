import type { TestProject } from "vitest/node";
import { readText, startServer } from "../server.ts";
import { LOGIN } from "../smtp/login.ts";
import { type SinkOptions, type SmtpSink, startSmtpSink } from "../smtp/sink.ts";

/**
 * The mail servers of the Worker's tests, on loopback: the one that the Worker is set to use, and more
 * that tests, which run in the Worker, ask for (`POST /` with its options answers its port) and look
 * into (`GET /<port>`; with `?left`, once its client has gone).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sinks = new Map<string, SmtpSink>();

  async function start(options: SinkOptions): Promise<number> {
    const sink = await startSmtpSink(options);
    sinks.set(String(sink.port), sink);
    return sink.port;
  }

  const server = await startServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://mail");
    response.setHeader("content-type", "application/json");
    if (request.method === "POST") {
      const options = JSON.parse(await readText(request)) as SinkOptions;
      response.end(JSON.stringify(await start(options)));
      return;
    }
    const sink = sinks.get(pathname.slice(1));
    if (sink === undefined) {
      response.writeHead(404).end();
      return;
    }
    if (searchParams.has("left")) await sink.left;
    response.end(JSON.stringify({ mails: sink.mails, written: sink.written() }));
  });
  const port = await start({});
  const login = `${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.pass)}`;
  project.provide("mailServersUrl", server.origin);
  project.provide("smtpUrl", `smtp://${login}@127.0.0.1:${port}`);
  return async () => {
    await Promise.all([server.close(), ...[...sinks.values()].map((sink) => sink.close())]);
  };
}
