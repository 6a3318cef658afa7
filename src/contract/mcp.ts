import * as z from "zod";
import { closed, open, secretHeaders, shownHeaders, textUpTo, timestamp } from "./fields.ts";
import { mcpServerName } from "./tools/names.ts";

/** Remote MCP servers that one account may register. */
export const MAX_MCP_SERVERS = 20;

/** The body of POST /mcp-servers. The address guard and the header rules check it as well. */
export const createMcpServerBody = closed({
  name: mcpServerName,
  url: textUpTo(2_048)
    .meta({ format: "uri" })
    .describe(
      "The Streamable HTTP endpoint of the server. It is shown in responses, so put secrets in `headers`.",
    ),
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
