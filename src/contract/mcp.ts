import * as z from "zod";
import {
  closed,
  listOf,
  open,
  secretHeaders,
  shownHeaders,
  textUpTo,
  timestamp,
} from "./fields.ts";
import { apiKeyRecord, SCOPES, scope } from "./keys.ts";
import { label } from "./operators.ts";
import { mcpServerName } from "./tools/names.ts";
import { endpointId } from "./webhooks/endpoint.ts";

/** Remote MCP servers that one account may register. */
export const MAX_MCP_SERVERS = 20;

/** The body of POST /mcp-servers. The address guard and the header rules check it as well. */
export const createMcpServerBody = closed({
  name: mcpServerName,
  url: textUpTo(2_048)
    .meta({ format: "uri" })
    .describe("The Streamable HTTP endpoint. Responses show it: put secrets in `headers`."),
  headers: secretHeaders.default({}),
}).meta({ id: "CreateMcpServer" });

/** A registered server as the API shows it, with the ends of its header values. */
export const mcpServerRecord = open({
  serverId: z.string().describe("The id of the server."),
  name: mcpServerName,
  url: z.string().describe("The Streamable HTTP endpoint of the server."),
  headers: shownHeaders,
  createdAt: timestamp.describe("When the server was added."),
}).meta({ id: "McpServer" });
export type McpServerRecord = z.infer<typeof mcpServerRecord>;

/** A server as the account stores it. Only `sealedHeaders` contains the header values. */
export interface NewMcpServer {
  serverId: string;
  name: string;
  url: string;
  headers: McpServerRecord["headers"];
  /** The header record as JSON, sealed for `mcpHeadersContext`; null for none. */
  sealedHeaders: string | null;
}

/** The address and headers of a server, which a session requests before each call. */
export type McpEndpoint = Pick<NewMcpServer, "serverId" | "url" | "sealedHeaders">;

/** The header record within `sealedHeaders`. */
export const mcpHeaders = z.record(z.string(), z.string());

/** Returns the context under which a server's headers are sealed; no other server or account can open them. */
export function mcpHeadersContext(accountId: string, serverId: string): string {
  return `mcp-headers:${accountId}:${serverId}`;
}

/** The beginning of a token's id, by which it differs from an API key. */
export const MCP_TOKEN_PREFIX = "mct_";

const endpointIds = listOf(endpointId, 100, 1).describe("The endpoints that it reaches.");

/** The body of POST /mcp-tokens. */
export const createMcpTokenBody = closed({
  name: label,
  scopes: listOf(scope, SCOPES.length, 1).describe("What clients of the address may do."),
  endpointIds: endpointIds.optional(),
}).meta({ id: "CreateMcpToken" });

/** A token in a list. Its address is shown once, when it is created. */
export const mcpTokenRecord = open({
  tokenId: z.string().describe("The id of the token."),
  ...apiKeyRecord.omit({ keyId: true, expiresAt: true }).shape,
  endpointIds: endpointIds.nullable(),
}).meta({ id: "McpToken" });
export type McpTokenRecord = z.infer<typeof mcpTokenRecord>;

export const mcpTokenCreated = mcpTokenRecord
  .extend({
    url: z.string().describe("The address, shown once. Anyone who has it can use the server."),
  })
  .meta({ id: "McpTokenCreated" });
