import * as z from "zod";
import { closed, timestamp } from "./fields.ts";
import { mcpServerName } from "./tools/names.ts";

/** Remote MCP servers that one account may register. */
export const MAX_MCP_SERVERS = 20;

/** The body of POST /mcp-servers. The address guard and the rules for headers look at it as well. */
export const createMcpServerBody = closed({
  name: mcpServerName,
  url: z
    .string()
    .min(1)
    .max(2_048)
    .describe("Its Streamable HTTP endpoint. It is shown: a secret belongs into headers."),
  headers: z
    .record(z.string().min(1).max(100), z.string().min(1).max(4_096))
    .refine((headers) => Object.keys(headers).length <= 16, "has more than 16 headers")
    .describe("Sent with every request to the server, for instance Authorization. Write-only.")
    .default({}),
}).meta({ id: "CreateMcpServer" });

/** A registered server as it is shown: of its headers, only the ends of their values. */
export const mcpServerRecord = z
  .object({
    serverId: z.string().describe("Names the server where servers are managed."),
    name: mcpServerName,
    url: z.string().describe("Its Streamable HTTP endpoint."),
    headers: z
      .array(
        z.object({
          name: z.string().describe("The header's name."),
          set: z.literal(true).describe("There is a value."),
          last4: z
            .string()
            .meta({ description: "The value's last four characters; empty for a short value." }),
        }),
      )
      .describe("The headers that are sent with every request."),
    createdAt: timestamp.describe("When it was registered."),
  })
  .meta({ id: "McpServer" });
export type McpServerRecord = z.infer<typeof mcpServerRecord>;

/** What the account stores of a server; the header values are within `sealedHeaders` alone. */
export interface NewMcpServer {
  serverId: string;
  name: string;
  url: string;
  headers: McpServerRecord["headers"];
  /** The header record as JSON, sealed for `mcpHeadersContext`; null for none. */
  sealedHeaders: string | null;
}

export type AddMcpServerReply =
  | { kind: "added"; record: McpServerRecord }
  | { kind: "name_taken" }
  | { kind: "full"; limit: number };

/** How a server is reached: what a session asks for whenever it is about to call it. */
export type McpEndpoint = Pick<NewMcpServer, "serverId" | "url" | "sealedHeaders">;

/** The header record within `sealedHeaders`. */
export const mcpHeaders = z.record(z.string(), z.string());

/** What a server's headers are sealed for: they open for no other server and no other account. */
export function mcpHeadersContext(accountId: string, serverId: string): string {
  return `mcp-headers:${accountId}:${serverId}`;
}
