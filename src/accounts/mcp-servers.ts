import * as z from "zod";
import {
  MAX_MCP_SERVERS,
  type McpEndpoint,
  type McpServerRecord,
  mcpServerRecord,
  type NewMcpServer,
} from "../contract/mcp.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { mcpServerOf, serverReference, TOOL_NAMES } from "../contract/tools/names.ts";
import { jsonColumn } from "../durable/rows.ts";
import { NamedRecords, namedRow } from "./named-records.ts";

const row = namedRow.extend({
  url: z.string(),
  headers: jsonColumn(mcpServerRecord.shape.headers),
});
type Server = z.infer<typeof row>;

/** The tools that an execution may use, and the servers that provide some of them. */
type ToolGrant =
  | { ok: true; tools: string[]; mcpServers: ExecutionSeed["mcpServers"] }
  | { ok: false; missing: { field: "tools" | "approvals"; server: string } };

/** The remote MCP servers of an account. */
export class McpServers extends NamedRecords<Server, McpServerRecord> {
  protected override readonly of = {
    table: "mcp_servers",
    idColumn: "server_id",
    sealedColumn: "sealed_headers",
    row,
    own: ({ url, headers }: Server) => ({ url, headers }),
    limit: MAX_MCP_SERVERS,
    shown: recordOf,
  };

  add({ serverId: id, sealedHeaders, ...given }: NewMcpServer, createdAt: number) {
    return this.put({ id, sealedValue: sealedHeaders, ...given, createdAt });
  }

  /** Returns the addresses and headers of these servers, except those that were removed. */
  endpoints(serverIds: readonly string[]): McpEndpoint[] {
    return this.among(serverIds).map(({ id, url, sealedValue }) => {
      return { serverId: id, url, sealedHeaders: sealedValue };
    });
  }

  /**
   * Returns the tools that an execution may use: the ones that it names, which must exist, or else all
   * tools and servers of this moment. Servers that are added later are not included.
   */
  grant(tools: string[] | null, approvals: readonly string[]): ToolGrant {
    const granted = tools ?? this.#allTools();
    for (const [field, references] of [
      ["tools", granted] as const,
      ["approvals", approvals] as const,
    ]) {
      const server = references.map(mcpServerOf).find((name) => !this.#has(name));
      if (server != null) return { ok: false, missing: { field, server } };
    }
    return { ok: true, ...this.grantKnown(granted) };
  }

  /** Like `grant`, but skips servers that were removed since they were named. */
  grantKnown(tools: string[] | null): Pick<ExecutionSeed, "tools" | "mcpServers"> {
    const known = (tools ?? this.#allTools()).filter((tool) => this.#has(mcpServerOf(tool)));
    const named = new Set(known.map(mcpServerOf));
    const servers = this.all().filter(({ name }) => named.has(name));
    return { tools: known, mcpServers: servers.map(({ id, name }) => ({ serverId: id, name })) };
  }

  /** Whether the account has the server of a tool; null is the service. */
  #has(server: string | null): boolean {
    return server === null || this.all().some(({ name }) => name === server);
  }

  #allTools(): string[] {
    return [...TOOL_NAMES, ...this.all().map(({ name }) => serverReference(name))];
  }
}

function recordOf({ id, name, url, headers, createdAt }: Server): McpServerRecord {
  return { serverId: id, name, url, headers, createdAt: new Date(createdAt).toISOString() };
}
