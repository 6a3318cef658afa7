import * as z from "zod";
import type { AddReply } from "../contract/connections.ts";
import {
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

/** The tools that an execution may use, and the servers that provide some of them. */
export type ToolGrant =
  | { ok: true; tools: string[]; mcpServers: ExecutionSeed["mcpServers"] }
  | { ok: false; missing: { field: "tools" | "approvals"; server: string } };

/** The remote MCP servers of an account: stored in its SQLite, and all of them in memory. */
export class McpServers {
  readonly #sql: SqlStorage;
  #known: Server[] | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(server: NewMcpServer, now: number): AddReply<McpServerRecord> {
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

  /** Removes a server. Returns false if there is none with that id. */
  remove(serverId: string): boolean {
    const removed = this.#sql
      .exec("DELETE FROM mcp_servers WHERE server_id = ? RETURNING 1", serverId)
      .toArray();
    this.#known = null;
    return removed.length > 0;
  }

  /** Drops what is in memory: a change may have been undone. */
  forget(): void {
    this.#known = null;
  }

  ids(): string[] {
    return this.#servers().map(({ server_id }) => server_id);
  }

  /** Replaces sealed headers that are still the same. */
  reseal(serverId: string, before: string, after: string): void {
    this.#sql.exec(
      "UPDATE mcp_servers SET sealed_headers = ? WHERE server_id = ? AND sealed_headers = ?",
      after,
      serverId,
      before,
    );
    this.#known = null;
  }

  /** Returns the addresses and headers of these servers, except those that were removed. */
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
   * Returns the tools that an execution may use: the ones that it names, which must exist, or else all
   * tools and servers of this moment. Servers that are added later are not included.
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

  /** Like `grant`, but skips servers that were removed since they were named. */
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
