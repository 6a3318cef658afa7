import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { readText, startServer } from "../server.ts";
import { Watched } from "../watched.ts";
import { crmServer } from "./tools.ts";

/** One call of a tool, as the server saw it. */
interface SeenCall {
  tool: string;
  arguments: unknown;
  meta: Record<string, unknown>;
  authorization: string | null;
  /** Whether the client went away before it had its answer. */
  gone: boolean;
}

export interface BoxState {
  /** Every request's protocol method, or its HTTP method when it has none. */
  methods: string[];
  calls: SeenCall[];
  /** Sessions that were opened and not ended. */
  sessions: number;
}

class Box extends Watched {
  readonly methods: string[] = [];
  readonly calls: SeenCall[] = [];
  readonly sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  holds = false;
  notes = 0;
}

/**
 * Real MCP servers for tests, made with the official SDK. `/mcp/<mode>/<box>` is a server of its own;
 * with `?token=` it asks for that bearer token. Tests tell it to hold its answers
 * (`PUT /hold/<box>?on=true`) and read what came (`GET /seen/<box>?calls=n`, which waits for the n-th
 * call; with `gone`, until a caller has gone away).
 */
export async function startMcpServers() {
  const boxes = new Map<string, Box>();

  function box(name: string): Box {
    const known = boxes.get(name) ?? new Box();
    boxes.set(name, known);
    return known;
  }

  function serverOf(to: Box) {
    return crmServer({
      released: () => to.until(() => !to.holds),
      added: () => {
        to.notes += 1;
        return to.notes;
      },
    });
  }

  async function serve(mode: string, to: Box, request: IncomingMessage, response: ServerResponse) {
    const text = await readText(request);
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    note(to, request, response, body);
    if (to.calls.at(-1)?.tool === "vanish") {
      response.destroy();
      return;
    }
    const isSse = mode.endsWith("sse");
    if (mode.startsWith("current")) {
      const handler = createMcpHandler(() => serverOf(to), {
        legacy: "reject",
        responseMode: isSse ? "sse" : "auto",
      });
      const { method = "", url = "" } = request;
      await toNodeHandler(handler)(Object.assign(request, { method, url }), response, body);
      return;
    }
    const sessionId = String(request.headers["mcp-session-id"] ?? "");
    const known = to.sessions.get(sessionId);
    if (known !== undefined) {
      await known.handleRequest(request, response, body);
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: !isSse,
      onsessioninitialized: (id) => {
        to.sessions.set(id, transport);
      },
      onsessionclosed: (id) => {
        to.sessions.delete(id);
        to.changed();
      },
    });
    await serverOf(to).connect(transport);
    await transport.handleRequest(request, response, body);
  }

  const server = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://box");
    const [, what, ...rest] = pathname.split("/");
    const to = box(rest.at(-1) ?? "");
    const done =
      what === "mcp"
        ? isAllowed(request, searchParams.get("token"))
          ? serve(rest[0] ?? "", to, request, response)
          : refuse(response)
        : what === "hold"
          ? hold(to, searchParams.get("on") === "true", response)
          : tell(to, searchParams, response);
    done.catch(() => response.destroy());
  });
  return server;
}

function isAllowed({ headers }: IncomingMessage, token: string | null): boolean {
  return token === null || headers.authorization === `Bearer ${token}`;
}

async function refuse(response: ServerResponse): Promise<void> {
  response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
}

interface Incoming {
  method?: string;
  params?: {
    name?: string;
    arguments?: unknown;
    _meta?: Record<string, unknown>;
  };
}

function note(to: Box, request: IncomingMessage, response: ServerResponse, body: unknown): void {
  const { method, params = {} } = (body ?? {}) as Incoming;
  to.methods.push(method ?? request.method ?? "");
  if (method === "tools/call") {
    const call: SeenCall = {
      tool: params.name ?? "",
      arguments: params.arguments,
      meta: params._meta ?? {},
      authorization: request.headers.authorization ?? null,
      gone: false,
    };
    to.calls.push(call);
    response.on("close", () => {
      call.gone = !response.writableFinished;
      to.changed();
    });
  }
  to.changed();
}

async function hold(to: Box, on: boolean, response: ServerResponse): Promise<void> {
  to.holds = on;
  to.changed();
  response.end();
}

async function tell(to: Box, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const { calls, methods, sessions } = to;
  await to.until(
    () =>
      calls.length >= Number(query.get("calls")) &&
      (!query.has("gone") || calls.some(({ gone }) => gone)),
  );
  const state: BoxState = { calls, methods, sessions: sessions.size };
  response.setHeader("content-type", "application/json").end(JSON.stringify(state));
}
