import type { IncomingHttpHeaders } from "node:http";
import { afterEach, expect, it } from "vitest";
import { forward, forwardAddress } from "../../../src/cli/tail/forward.ts";
import { Output } from "../../../src/cli/terminal.ts";
import { type LogEntry, logEntry } from "../../../src/contract/webhooks/log.ts";
import { testTerminal } from "../../support/cli/terminal.ts";
import { loggedRequest } from "../../support/logged.ts";
import { readText, startServer, type TestServer } from "../../support/server.ts";

let server: TestServer | undefined;
afterEach(() => server?.close());

/** Forwards these entries to a local server that answers 201, and returns what it got and what was printed. */
async function forwarded(entries: LogEntry[], address?: string) {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  server = await startServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body: await readText(request) });
    response.writeHead(201).end();
  });
  const terminal = testTerminal();
  const call = { output: new Output(terminal, true), signal: terminal.interrupted };
  const news = entries.map((entry) => ({ kind: "received" as const, entry }));
  const read = async (requestId: string) => {
    const entry = entries.find((each) => each.requestId === requestId);
    if (entry === undefined) throw new Error(requestId);
    return entry;
  };
  await forward(call, news, forwardAddress(address ?? `${server.origin}/hook?a=1`), read, () => 0);
  const lines = terminal.shown("stdout").trim().split("\n").filter(Boolean);
  return { seen, printed: lines.map((line) => JSON.parse(line)) };
}

const entryOf = (changes: Partial<LogEntry>) =>
  logEntry.parse({ ...loggedRequest({}).entry, status: "running", ...changes });

it("sends a copy with method, query, headers and body, without what is redacted or of the connection", async () => {
  const { seen, printed } = await forwarded([
    entryOf({
      method: "POST",
      query: { tag: ["x", "y"] },
      headers: {
        "content-type": "application/json",
        "content-length": "999",
        "x-github-event": "push",
        "x-hub-signature-256": "[redacted]",
      },
      body: '{"n":12345678901234567890}',
    }),
  ]);
  expect(seen).toMatchObject([
    {
      method: "POST",
      url: "/hook?a=1&tag=x&tag=y",
      headers: { "content-type": "application/json", "x-github-event": "push" },
      body: '{"n":12345678901234567890}',
    },
  ]);
  expect(seen[0]?.headers).not.toHaveProperty("x-hub-signature-256");
  expect(printed).toMatchObject([{ status: 201, error: null }]);
});

it("leaves out what the endpoint rejected, and goes on after a server that is away", async () => {
  const { seen } = await forwarded([entryOf({ status: "rejected" })]);
  expect(seen).toEqual([]);
  const { printed } = await forwarded([entryOf({}), entryOf({})], "http://127.0.0.1:1/");
  expect(printed).toMatchObject([
    { status: null, error: expect.any(String) },
    { status: null, error: expect.any(String) },
  ]);
});
