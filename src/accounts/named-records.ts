import * as z from "zod";
import {
  type AddReply,
  type ConnectionRecord,
  connectionRule,
  MAX_CONNECTIONS,
  type NewConnection,
} from "../contract/connections.ts";
import {
  MAX_MCP_SERVERS,
  type McpServerRecord,
  mcpServerRecord,
  type NewMcpServer,
} from "../contract/mcp.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { mcpServerOf, serverReference, TOOL_NAMES } from "../contract/tools/names.ts";
import { columnOf, jsonColumn, KnownTable, type Row, rowShape } from "../durable/rows.ts";
import { iso } from "../lib/instants.ts";
import type { Resealer } from "../lib/resealer.ts";

/** A record as its row has it, with its id. */
type Named<Key extends string> = Row & Readonly<Record<Key | "name", string>>;

/** A table of an account's object whose records have a name of their own and a sealed secret. */
export abstract class NamedRecords<
  Key extends string,
  Known extends Named<Key>,
  Shown,
> extends KnownTable<Key, Known> {
  protected abstract readonly row: z.ZodType<Known>;
  /** The field of the secret, which is null in a record without one. */
  protected abstract readonly secret: string;
  /** The most that an account may have. */
  protected abstract readonly limit: number;

  /** Returns a record as the API shows it, without its secret. */
  protected abstract shown(record: Known): Shown;

  protected override read(): Known[] {
    const order = `created_at, ${columnOf(this.key)}`;
    return this.rows(this.row, `SELECT * FROM ${this.table} ORDER BY ${order}`);
  }

  list(): Shown[] {
    return this.all().map((record) => this.shown(record));
  }

  /** Adds a record, unless its name is taken or there are too many. */
  protected put(record: Named<Key>): AddReply<Shown> {
    const { limit } = this;
    if (this.all().some(({ name }) => name === record.name)) return { kind: "name_taken" };
    if (this.all().length >= limit) return { kind: "full", limit };
    return { kind: "added", record: this.shown(this.added(record)) };
  }

  /** Returns these records, except those that were removed. */
  among(ids: readonly string[]): Known[] {
    return this.all().filter((record) => ids.includes(record[this.key]));
  }

  /** Seals each secret anew in the context of its record, unless it was changed meanwhile. */
  async reseal(sealer: Resealer, contextOf: (id: string) => string): Promise<void> {
    const isSame = `${columnOf(this.key)} = ? AND ${columnOf(this.secret)} = ?`;
    for (const record of this.all()) {
      const { [this.key]: id, [this.secret]: before } = record;
      if (typeof before !== "string") continue;
      const after = await sealer.reseal(before, contextOf(id));
      if (after !== before) this.update(this.table, { [this.secret]: after }, isSame, id, before);
      this.forget();
    }
  }
}

const connectionRow = rowShape({
  connectionId: z.string(),
  name: z.string(),
  rule: jsonColumn(connectionRule),
  sealedValue: z.string(),
  createdAt: z.number(),
});
type Connection = z.infer<typeof connectionRow>;

/** The connections of an account: credentials that its executions may use. */
export class Connections extends NamedRecords<"connectionId", Connection, ConnectionRecord> {
  protected override readonly table = "connections";
  protected override readonly key = "connectionId";
  protected override readonly row = connectionRow;
  protected override readonly secret = "sealedValue";
  protected override readonly limit = MAX_CONNECTIONS;

  protected override shown({ rule, sealedValue: _, createdAt, ...named }: Connection) {
    return { ...named, ...rule, createdAt: iso(createdAt) };
  }

  add(connection: NewConnection, createdAt: number) {
    return this.put({ ...connection, createdAt });
  }

  /** Returns the first of these names that no connection has, or null. */
  missing(names: readonly string[]): string | null {
    return names.find((name) => this.called([name]).length === 0) ?? null;
  }

  /** Returns the connections with these names. One that replaces a removed one has its name. */
  called(names: readonly string[]): Connection[] {
    return this.all().filter(({ name }) => names.includes(name));
  }

  /** Returns what an execution keeps of the names: all, so that it learns which connection was removed. */
  references(names: readonly string[]): ExecutionSeed["connections"] {
    return names.map((name) => ({
      connectionId: this.called([name])[0]?.connectionId ?? "",
      name,
    }));
  }
}

const serverRow = rowShape({
  serverId: z.string(),
  name: z.string(),
  url: z.string(),
  headers: jsonColumn(mcpServerRecord.shape.headers),
  sealedHeaders: z.string().nullable(),
  createdAt: z.number(),
});
type Server = z.infer<typeof serverRow>;

/** The remote MCP servers of an account. */
export class McpServers extends NamedRecords<"serverId", Server, McpServerRecord> {
  protected override readonly table = "mcp_servers";
  protected override readonly key = "serverId";
  protected override readonly row = serverRow;
  protected override readonly secret = "sealedHeaders";
  protected override readonly limit = MAX_MCP_SERVERS;

  protected override shown({ sealedHeaders: _, createdAt, ...server }: Server) {
    return { ...server, createdAt: iso(createdAt) };
  }

  add(server: NewMcpServer, createdAt: number) {
    return this.put({ ...server, createdAt });
  }

  /** Returns the first server of these tools that the account lacks, or null. */
  missing(tools: readonly string[]): string | null {
    return tools.map(mcpServerOf).find((server) => !this.#has(server)) ?? null;
  }

  /**
   * Returns the tools that an execution may use: the ones that it names, without those of removed servers, or
   * else all tools and servers of this moment. Servers that are added later are not included.
   */
  grant(tools: string[] | null): Pick<ExecutionSeed, "tools" | "mcpServers"> {
    const all = [...TOOL_NAMES, ...this.all().map(({ name }) => serverReference(name))];
    const known = (tools ?? all).filter((tool) => this.#has(mcpServerOf(tool)));
    const named = new Set(known.map(mcpServerOf));
    const servers = this.all().filter(({ name }) => named.has(name));
    return { tools: known, mcpServers: servers.map(({ serverId, name }) => ({ serverId, name })) };
  }

  /** Whether the account has the server of a tool; null is the service. */
  #has(server: string | null): boolean {
    return server === null || this.all().some(({ name }) => name === server);
  }
}
