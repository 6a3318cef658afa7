import * as z from "zod";
import type { AddReply } from "../contract/connections.ts";
import {
  createMcpServerBody,
  type McpServerRecord,
  mcpHeadersContext,
  mcpServerRecord,
} from "../contract/mcp.ts";
import { accountStub } from "../durable/stubs.ts";
import { type Settings, settingsOf } from "../env.ts";
import { last4 } from "../lib/text.ts";
import { refusedHeaders } from "../outbound/headers.ts";
import { actorOf } from "./actor.ts";
import { assertAddress, sealSecret, serviceHosts } from "./agent-settings.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import { randomId } from "./keys.ts";
import { listRoute, pageOf } from "./list.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const SERVERS = "/api/v1/mcp-servers";
const SERVER_ID_DIGITS = 16;

const serverParams = z.object({
  serverId: z
    .string()
    .regex(/^mcp_[0-9A-Za-z]{16}$/)
    .describe("The id of the server: `mcp_` and 16 letters and digits."),
});
// The headers of a server are credentials.
const auth = apiKey("keys:admin", "management");

const example: McpServerRecord = {
  serverId: "mcp_4kQ0mYb2Zt7RcX1a",
  name: "crm",
  url: "https://crm.example/mcp",
  headers: [{ name: "Authorization", set: true, last4: "3xYz" }],
  createdAt: "2026-11-20T09:30:00.000Z",
};

const create = route({
  method: "POST",
  path: SERVERS,
  operationId: "createMcpServer",
  tag: "MCP servers",
  summary: "Add an MCP server",
  description:
    "Makes the tools of a remote MCP server available to the account's agents as `mcp__<name>__<tool>`. Header values are stored encrypted and never returned.",
  auth,
  body: jsonBody(createMcpServerBody, {
    name: "crm",
    url: "https://crm.example/mcp",
    headers: { Authorization: "Bearer a-token-of-yours-3xYz" },
  }),
  response: jsonResponse(201, "The server.", mcpServerRecord, example),
  problems: ["conflict"],
  async handler({ http, caller, body: { name, url, headers } }) {
    const settings = settingsOf(http.env);
    const serverId = randomId("mcp_", SERVER_ID_DIGITS);
    const server = {
      serverId,
      name,
      url: assertAddress("url", url, serviceHosts(http.req.url, settings), settings),
      headers: Object.entries(headers).map(([header, value]) => shownHeader(header, value)),
      sealedHeaders: await sealHeaders(
        headers,
        mcpHeadersContext(caller.accountId, serverId),
        settings,
      ),
    };
    const reply = await callOnce(() =>
      accountStub(http.env, caller.accountId).addMcpServer(server, actorOf(http, caller)),
    );
    return { value: recordOf(reply, name) };
  },
});

const list = listRoute({
  path: SERVERS,
  operationId: "listMcpServers",
  tag: "MCP servers",
  summary: "List MCP servers",
  description: "Returns the account's MCP servers, newest first.",
  auth,
  items: "mcpServers",
  page: "McpServerPage",
  item: mcpServerRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listMcpServers());
    return pageOf(all, limit, after, ({ createdAt, serverId }) => ({
      createdAt: Date.parse(createdAt),
      id: serverId,
    }));
  },
});

const remove = route({
  method: "DELETE",
  path: `${SERVERS}/:serverId`,
  operationId: "deleteMcpServer",
  tag: "MCP servers",
  summary: "Remove an MCP server",
  description: "Active executions can no longer call its tools.",
  auth,
  params: serverParams,
  response: noContent("The server is removed."),
  problems: ["not_found"],
  async handler({ http, caller, params: { serverId } }) {
    const isKnown = await callOnce(() =>
      accountStub(http.env, caller.accountId).removeMcpServer(serverId, actorOf(http, caller)),
    );
    if (!isKnown) throw notFound();
    return { value: undefined };
  },
});

/** Headers that the protocol sets. */
const PROTOCOL_HEADERS =
  /^(?:accept|content-type|last-event-id|user-agent|traceparent|mcp-.*|webhook-.*)$/i;

function checkHeaders(headers: Record<string, string>): void {
  const refusal = refusedHeaders(headers);
  if (refusal) throw invalid("headers", "headers", refusal);
  const names = Object.keys(headers);
  const reserved = names.find((name) => PROTOCOL_HEADERS.test(name));
  if (reserved !== undefined) {
    throw invalid(`headers.${reserved}`, "headers", "is set by the protocol; remove it");
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalid("headers", "headers", "must not name a header twice");
  }
}

/** Returns a header with the end of its value, as responses show it. */
export function shownHeader(name: string, value: string): McpServerRecord["headers"][number] {
  return { name, set: true, last4: last4(value) };
}

/** Returns headers as JSON, checked and sealed; null for none. */
export async function sealHeaders(
  headers: Record<string, string>,
  context: string,
  settings: Settings,
): Promise<string | null> {
  checkHeaders(headers);
  if (Object.keys(headers).length === 0) return null;
  return sealSecret(JSON.stringify(headers), context, settings);
}

function recordOf(reply: AddReply<McpServerRecord>, name: string): McpServerRecord {
  switch (reply.kind) {
    case "added":
      return reply.record;
    case "name_taken":
      throw new HttpProblem(
        "conflict",
        `The account already has an MCP server named ${name}. Choose another name.`,
      );
    case "full":
      throw new HttpProblem(
        "conflict",
        `The account has ${reply.limit} MCP servers, which is the limit. Remove a server first.`,
      );
  }
}

export const mcpServerRoutes = [create, list, remove];
