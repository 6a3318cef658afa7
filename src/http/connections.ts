import {
  connectionContext,
  connectionRecord,
  createConnectionBody,
} from "../contract/connections.ts";
import {
  createMcpServerBody,
  type McpServerRecord,
  mcpHeadersContext,
  mcpServerRecord,
} from "../contract/mcp.ts";
import { type Settings, settingsOf } from "../env.ts";
import { last4 } from "../lib/text.ts";
import { refusedHeaders } from "../outbound/guarded-fetch.ts";
import { assertAddress, sealSecret, serviceHosts } from "./agent-settings.ts";
import { apiKey } from "./authentication.ts";
import { invalid } from "./problem.ts";
import { added, callAccount, changeAccount, randomId, resource } from "./resource.ts";

// The headers of an MCP server are credentials, too.
const auth = apiKey("keys:admin", "management");

const connection = resource({
  path: "/api/v1/connections",
  name: "Connection",
  one: "a connection",
  id: "connectionId",
  record: connectionRecord,
  reader: auth,
});

export const connectionRoutes = [
  connection.create({
    description:
      "Stores a credential that the service adds to requests of an execution's tools to these hosts, over https. An execution uses the connections that its trigger or workflow names. The value is stored encrypted and never shown: not to the agent, and not in prompts, events, results, callbacks or logs. Answers that echo it, as it is or encoded in a usual way, have it removed.",
    body: createConnectionBody,
    bodyExample: {
      name: "crm",
      hosts: ["api.crm.example"],
      pathPrefix: "/v2",
      header: "Authorization",
      value: "Bearer a-token-of-yours-3xYz",
    },
    async handler({ http, caller, body: { name, value, pathPrefix, ...rule } }) {
      const refusal = refusedHeaders({ [rule.header]: value });
      if (refusal) throw invalid("header", "headers", refusal);
      const connectionId = randomId("con_");
      const context = connectionContext(caller.accountId, connectionId);
      const stored = {
        connectionId,
        name,
        rule: { ...rule, pathPrefix: pathPrefix ?? null },
        sealedValue: await sealSecret(value, context, settingsOf(http.env)),
      };
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.addConnection(stored, actor),
      );
      return added(reply, "a connection", name);
    },
  }),
  connection.list(
    "Returns the account's connections without their values, newest first.",
    (http, caller) => callAccount(http, caller, (account) => account.listConnections()),
  ),
  connection.remove(
    "Executions that use it continue without the credential from their next step.",
    ({ http, caller, id }) =>
      changeAccount(http, caller, (account, actor) => account.removeConnection(id, actor)),
  ),
];

const server = resource({
  path: "/api/v1/mcp-servers",
  name: "McpServer",
  one: "an MCP server",
  id: "serverId",
  record: mcpServerRecord,
  reader: auth,
});

export const mcpServerRoutes = [
  server.create({
    description: "Makes the tools of a remote MCP server available as `mcp__<name>__<tool>`.",
    body: createMcpServerBody,
    bodyExample: {
      name: "crm",
      url: "https://crm.example/mcp",
      headers: { Authorization: "Bearer a-token-of-yours-3xYz" },
    },
    async handler({ http, caller, body: { name, url, headers } }) {
      const settings = settingsOf(http.env);
      const serverId = randomId("mcp_");
      const context = mcpHeadersContext(caller.accountId, serverId);
      const stored = {
        serverId,
        name,
        url: assertAddress("url", url, serviceHosts(http.req.url, settings), settings),
        headers: Object.entries(headers).map(([header, value]) => shownHeader(header, value)),
        sealedHeaders: await sealHeaders(headers, context, settings),
      };
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.addMcpServer(stored, actor),
      );
      return added(reply, "an MCP server", name);
    },
  }),
  server.list("Returns the account's MCP servers, newest first.", (http, caller) =>
    callAccount(http, caller, (account) => account.listMcpServers()),
  ),
  server.remove("Active executions can no longer call its tools.", ({ http, caller, id }) =>
    changeAccount(http, caller, (account, actor) => account.removeMcpServer(id, actor)),
  ),
];

/** Headers that the protocol sets. */
const PROTOCOL_HEADERS =
  /^(?:accept|content-type|last-event-id|user-agent|traceparent|mcp-.*|webhook-.*)$/i;

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
  if (names.length === 0) return null;
  return sealSecret(JSON.stringify(headers), context, settings);
}
