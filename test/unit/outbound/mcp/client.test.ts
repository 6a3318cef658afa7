import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { createGuardedFetch } from "../../../../src/outbound/guarded-fetch.ts";
import { mcpClient } from "../../../../src/outbound/mcp/client.ts";
import { OutboundError, type OutboundRequest } from "../../../../src/ports/fetch.ts";
import type { McpConnection, McpProgress } from "../../../../src/ports/mcp.ts";
import { MCP_MODES, type McpMode } from "../../../support/mcp/modes.ts";
import { type BoxState, startMcpServers } from "../../../support/mcp/server.ts";
import { startServer } from "../../../support/server.ts";
import { untilEnd } from "../../../support/until-end.ts";

const servers = await untilEnd(startMcpServers());

const fetch = createGuardedFetch({
  policy: { allowLoopback: true, ownHosts: ["127.0.0.1:1"], schemes: ["https"] },
  dnsOverHttpsUrl: null,
});

function connection(url: string, changes: Partial<McpConnection> = {}): McpConnection {
  return { url, headers: {}, fetch, signal: new AbortController().signal, ...changes };
}

const callOf = (remoteName: string, input = {}) => ({
  tool: { remoteName, inputSchema: { type: "object" } },
  arguments: input,
  idempotencyKey: "execution:call",
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
});

/** A server whose every answer is this one. */
async function withAnswer<T>(
  answer: { status: number; headers?: Record<string, string>; body?: string },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = await startServer((_, response) => {
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? "");
  });
  try {
    return await use(`${server.origin}/mcp`);
  } finally {
    await server.close();
  }
}

/** A box of its own at a server of a kind: its address, and what it was asked. */
function place(mode: McpMode) {
  const box = randomUUID();
  const seen = async (query = ""): Promise<BoxState> =>
    JSON.parse(await (await globalThis.fetch(`${servers.origin}/seen/${box}?${query}`)).text());
  const hold = (on: boolean) =>
    globalThis.fetch(`${servers.origin}/hold/${box}?on=${on}`, { method: "PUT" });
  return { url: `${servers.origin}/mcp/${mode}/${box}`, seen, hold };
}

describe.each(MCP_MODES)("with a server of the kind %s", (mode) => {
  it("lists its tools", async () => {
    const { url, seen } = place(mode);
    const listed = await mcpClient.list(connection(url));
    if (!listed.ok) throw new Error(listed.failure.message);
    expect(listed.result).toContainEqual({
      name: "add_note",
      description: "Adds a note.",
      inputSchema: expect.objectContaining({ type: "object", required: ["text"] }),
      readOnly: false,
    });
    expect(listed.result.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toContain(
      "look_up",
    );
    expect((await seen()).sessions).toBe(0);
  });

  it("calls a tool with its arguments and its key, once, and leaves no session behind", async () => {
    const { url, seen } = place(mode);
    const reply = await mcpClient.call(
      connection(url, { headers: { Authorization: "Bearer t" } }),
      callOf("add_note", { text: "Called." }),
    );
    expect(reply).toEqual({
      ok: true,
      result: { content: [{ type: "text", text: "Notes: 1" }], isError: false },
    });
    const { calls, methods, sessions } = await seen();
    expect(calls).toMatchObject([
      {
        tool: "add_note",
        arguments: { text: "Called." },
        meta: {
          "prompthook/idempotencyKey": "execution:call",
          traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        },
        authorization: "Bearer t",
      },
    ]);
    expect(sessions).toBe(0);
    expect(methods).not.toContain("GET");
    expect(methods.includes("DELETE")).toBe(mode.startsWith("earlier"));
  });

  it("distinguishes a tool's failure, its structured content, and an unknown tool", async () => {
    const { url } = place(mode);
    expect(await mcpClient.call(connection(url), callOf("fail"))).toMatchObject({
      ok: true,
      result: { isError: true, content: [{ text: "The customer is locked." }] },
    });
    expect(await mcpClient.call(connection(url), callOf("report"))).toMatchObject({
      ok: true,
      result: { structuredContent: { rows: [{ month: "May", sales: 3 }] } },
    });
    const absent = await mcpClient.call(connection(url), callOf("nothing"));
    if (absent.ok) expect(absent.result.isError).toBe(true);
    else expect(absent.failure).toMatchObject({ code: "tool_error", mayHaveTakenEffect: false });
  });
});

describe.each(["current-json", "earlier-sse"] as const)(
  "a call to a server of the kind %s",
  (mode) => {
    it("is read only up to the size limit", async () => {
      const { url } = place(mode);
      expect(await mcpClient.call(connection(url), callOf("endless"))).toMatchObject({
        ok: false,
        failure: { code: "too_large", mayHaveTakenEffect: true },
      });
    });

    it("is uncertain if it is interrupted", async () => {
      const { url, seen } = place(mode);
      expect(await mcpClient.call(connection(url), callOf("vanish"))).toMatchObject({
        ok: false,
        failure: { code: "network", mayHaveTakenEffect: true },
      });
      expect((await seen()).calls).toHaveLength(1);
    });

    it("closes the connection at an abort", async () => {
      const { url, seen, hold } = place(mode);
      await hold(true);
      const stop = new AbortController();
      const reply = mcpClient.call(
        connection(url, { signal: stop.signal }),
        callOf("look_up", { id: "c1" }),
      );
      await seen("calls=1");
      const reason = new Error("stopped");
      stop.abort(reason);
      await expect(reply).rejects.toBe(reason);
      expect((await seen("gone")).calls).toHaveLength(1);
    });
  },
);

describe("a call that reports progress", () => {
  it.each(["current-sse", "earlier-sse"] as const)(
    "passes it on during the call, at %s",
    async (mode) => {
      const { url, hold } = place(mode);
      await hold(true);
      const { promise: progress, resolve: onProgress } = Promise.withResolvers<McpProgress>();
      const reply = mcpClient.call(connection(url, { onProgress }), callOf("count"));
      expect(await progress).toEqual({ progress: 1, total: 2, message: "Half\nof it" });
      await hold(false);
      expect(await reply).toMatchObject({ result: { content: [{ text: "Counted." }] } });
    },
  );

  /** Calls a tool of a server whose answer to the call is `answer`, under a clock that is set by hand. */
  function callAt(
    answer: (request: OutboundRequest, id: string | number) => Promise<string>,
    given: Partial<McpConnection> = {},
  ) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const serverInfo = { name: "slow", version: "1" };
    const hello = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
    const error = { code: -32_601, message: "Method not found" };
    const scripted: McpConnection["fetch"] = async (request) => {
      const { id, method } = z
        .object({ id: z.union([z.string(), z.number()]).optional(), method: z.string() })
        .parse(JSON.parse(request.body ?? ""));
      const isCall = method === "tools/call" && id !== undefined;
      const known = method === "initialize" ? { result: hello } : { error };
      const body = isCall
        ? await answer(request, id)
        : id === undefined
          ? ""
          : JSON.stringify({ jsonrpc: "2.0", id, ...known });
      const headers = new Headers({
        "content-type": body.startsWith("data:") ? "text/event-stream" : "application/json",
      });
      const bytes = new TextEncoder().encode(body);
      return { url: request.url, status: body === "" ? 202 : 200, headers, bytes, cut: false };
    };
    const connected = connection("https://slow.example", { ...given, fetch: scripted });
    return mcpClient.call(connected, callOf("slow"));
  }
  const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
  const params = { progressToken: 1, progress: 1 };
  const report = event({ method: "notifications/progress", params });

  it.each(["as an event", "as JSON"])(
    "keeps every digit of a long id in its answer %s",
    async (form) => {
      const reply = await callAt(async (_, id) => {
        const result = { content: [], structuredContent: { id: "9007199254740993" } };
        const answer = event({ id, result }).replace('"9007199254740993"', "9007199254740993");
        return form === "as JSON" ? answer.slice("data: ".length) : answer;
      });
      expect(reply).toMatchObject({ result: { structuredContent: { id: "9007199254740993" } } });
    },
  );

  it("has the credentials of its headers hidden where the server echoes them", async () => {
    const reports: McpProgress[] = [];
    const headers = { Authorization: "Bearer s3cret-token", "X-Key": "another-one" };
    const told = { progressToken: 1, progress: 1, message: "as s3cret-token" };
    const reply = await callAt(
      async ({ onBytes }, id) => {
        const heard = event({ method: "notifications/progress", params: told });
        onBytes?.(new TextEncoder().encode(heard));
        const text = "Bearer s3cret-token and another-one are wrong";
        return event({ id, result: { content: [{ type: "text", text }], isError: true } });
      },
      { headers, onProgress: (each) => void reports.push(each) },
    );
    const content = [{ type: "text", text: "[redacted] and [redacted] are wrong" }];
    expect(reply).toMatchObject({ result: { content } });
    expect(reports).toEqual([{ progress: 1, message: "as [redacted]" }]);
  });

  it("restarts its timeout after each report, even one in pieces", async () => {
    const reply = await callAt(async ({ onBytes, signal }, id) => {
      for (let sent = 0; sent < 3; sent += 1) {
        for (const part of [report.slice(0, 30), report.slice(30)]) {
          onBytes?.(new TextEncoder().encode(part));
        }
        vi.advanceTimersByTime(80_000);
        signal.throwIfAborted();
      }
      return event({ id, result: { content: [] } });
    });
    expect(reply).toEqual({ ok: true, result: { content: [], isError: false } });
  });

  it.each([
    ["after the last report", 90_000, 1],
    ["however often it reports", 80_000, 8],
  ])("ends %s", async (_, pause, reports) => {
    const reply = await callAt(async ({ onBytes, signal, timeoutMs }) => {
      const limit = AbortSignal.any([signal, aborted(timeoutMs)]);
      for (let sent = 0; sent < reports; sent += 1) {
        onBytes?.(new TextEncoder().encode(report));
        vi.advanceTimersByTime(pause);
      }
      expect(limit.aborted).toBe(true);
      throw new OutboundError("timeout", "too late");
    });
    expect(reply).toMatchObject({ failure: { code: "timeout", mayHaveTakenEffect: true } });
  });
});

function aborted(ms: number): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(), ms);
  return late.signal;
}

describe("a faulty server", () => {
  it.each([
    [401, "unauthorized"],
    [403, "unauthorized"],
    [301, "http_error"],
    [404, "http_error"],
    [500, "http_error"],
  ])("is reported by its status %d as not called", async (status, code) => {
    const headers = { location: "https://elsewhere.example/mcp" };
    await withAnswer({ status, headers }, async (url) => {
      const failure = { code, message: expect.stringContaining(String(status)) };
      expect(await mcpClient.list(connection(url))).toMatchObject({ ok: false, failure });
      expect(await mcpClient.call(connection(url), callOf("add_note"))).toMatchObject({
        ok: false,
        failure: { ...failure, mayHaveTakenEffect: false },
      });
    });
  });

  it.each([
    ["text/html", "<h1>Hello</h1>"],
    ["application/json", "{"],
    ["application/json", '{"jsonrpc": "2.0"}'],
    ["text/event-stream", ""],
    ["text/event-stream", "data: {}\n\n"],
    ["text/event-stream", "id: 1\nretry: 1\ndata:\n\n"],
  ])("is reported at once by an answer of %s %j", async (type, body) => {
    const headers = { "content-type": type };
    await withAnswer({ status: 200, headers, body }, async (url) => {
      expect(await mcpClient.list(connection(url))).toMatchObject({ ok: false });
    });
  });

  it("is not reached if the guard forbids it or nobody listens", async () => {
    expect(await mcpClient.list(connection("http://127.0.0.1:1/mcp"))).toMatchObject({
      failure: { code: "address_refused", mayHaveTakenEffect: false },
    });
    const { origin, close } = await startServer(() => {});
    await close();
    expect(await mcpClient.list(connection(origin))).toMatchObject({
      failure: { code: "network" },
    });
  });
});
