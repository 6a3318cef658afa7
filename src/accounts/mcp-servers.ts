import * as z from "zod";
import {
  type AddMcpServerReply,
  MAX_MCP_SERVERS,
  type McpEndpoint,
  type McpServerRecord,
  mcpServerRecord,
  type NewMcpServer,
} from "../contract/mcp.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { mcpServerOf, serverReference, TOOL_NAMES } from "../contract/tools/names.ts";

const serverRow = z.object({
  server_id: z.string(),
  name: z.string(),
  url: z.string(),
  headers: z.string().transform((text) => mcpServerRecord.shape.headers.parse(JSON.parse(text))),
  sealed_headers: z.string().nullable(),
  created_at: z.number(),
});
type Server = z.infer<typeof serverRow>;

/** The tools that an execution may use, with the servers that some of them belong to. */
export type ToolGrant =
  | { ok: true; tools: string[]; mcpServers: ExecutionSeed["mcpServers"] }
  | { ok: false; missing: { field: "tools" | "approvals"; server: string } };

/** An account's remote MCP servers: in its SQLite, all of them in memory while it lives. */
export class McpServers {
  readonly #sql: SqlStorage;
  #known: Server[] | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(server: NewMcpServer, now: number): AddMcpServerReply {
    const known = this.#servers();
    if (known.some(({ name }) => name === server.name)) return { kind: "name_taken" };
    if (known.length >= MAX_MCP_SERVERS) return { kind: "full", limit: MAX_MCP_SERVERS };
    this.#sql.exec(
      `INSERT INTO mcp_servers (server_id, name, url, headers, sealed_headers, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      server.serverId,
      server.name,
      server.url,
      JSON.stringify(server.headers),
      server.sealedHeaders,
      now,
    );
    this.#known = null;
    const { serverId, name, url, headers } = server;
    const createdAt = new Date(now).toISOString();
    return { kind: "added", record: { serverId, name, url, headers, createdAt } };
  }

  list(): McpServerRecord[] {
    return this.#servers().map(({ server_id: serverId, name, url, headers, created_at }) => ({
      serverId,
      name,
      url,
      headers,
      createdAt: new Date(created_at).toISOString(),
    }));
  }

  /** Removes a server; false when there is none of that id. */
  remove(serverId: string): boolean {
    const removed = this.#sql
      .exec("DELETE FROM mcp_servers WHERE server_id = ? RETURNING 1", serverId)
      .toArray();
    this.#known = null;
    return removed.length > 0;
  }

  /** How these servers are reached; one that was removed is left out. */
  endpoints(serverIds: readonly string[]): McpEndpoint[] {
    return this.#servers()
      .filter(({ server_id }) => serverIds.includes(server_id))
      .map(({ server_id, url, sealed_headers }) => ({
        serverId: server_id,
        url,
        sealedHeaders: sealed_headers,
      }));
  }

  /**
   * What an execution may use: what it names, which must be there, or, when it names nothing, all
   * tools and servers that there are now. A server that comes later is not part of it.
   */
  grant(tools: string[] | null, approvals: readonly string[]): ToolGrant {
    const servers = this.#servers();
    const granted = tools ?? this.#allTools();
    for (const [field, references] of [
      ["tools", granted] as const,
      ["approvals", approvals] as const,
    ]) {
      const unknown = references
        .map(mcpServerOf)
        .find((server) => server !== null && !servers.some(({ name }) => name === server));
      if (unknown != null) return { ok: false, missing: { field, server: unknown } };
    }
    return { ok: true, ...this.grantKnown(granted) };
  }

  /** As `grant`, where it may have been named long ago: servers that are there no more are left out. */
  grantKnown(tools: string[] | null): Pick<ExecutionSeed, "tools" | "mcpServers"> {
    const servers = this.#servers();
    const granted = tools ?? this.#allTools();
    const known = granted.filter((tool) => {
      const server = mcpServerOf(tool);
      return server === null || servers.some(({ name }) => name === server);
    });
    const named = new Set(known.map(mcpServerOf));
    return {
      tools: known,
      mcpServers: servers
        .filter(({ name }) => named.has(name))
        .map(({ server_id: serverId, name }) => ({ serverId, name })),
    };
  }

  #allTools(): string[] {
    return [...TOOL_NAMES, ...this.#servers().map(({ name }) => serverReference(name))];
  }

  #servers(): Server[] {
    this.#known ??= this.#sql
      .exec("SELECT * FROM mcp_servers ORDER BY created_at, server_id")
      .toArray()
      .map((row) => serverRow.parse(row));
    return this.#known;
  }
}
