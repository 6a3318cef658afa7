import type { AuditEntry } from "../contract/audit.ts";
import type { ConnectionRecord } from "../contract/connections.ts";
import type { ApiKeyCreated, ApiKeyRecord } from "../contract/keys.ts";
import type { McpServerRecord } from "../contract/mcp.ts";
import type { MemberRecord } from "../contract/members.ts";
import type {
  CreateConnectionBody,
  CreateKeyBody,
  CreateMcpServerBody,
  CreateMemberBody,
  RotateKeyBody,
  UpdateMemberBody,
} from "./bodies.ts";
import { type CallOptions, eachPage, type Page, type PageQuery } from "./paging.ts";
import { Collection, List } from "./resource.ts";
import type { Transport } from "./transport.ts";

/** The account's API keys. Only `create` and `rotate` return the text of a key. */
export class Keys extends List<"keys", ApiKeyRecord> {
  constructor(transport: Transport) {
    super(transport, "/keys", "keys");
  }

  create(body: CreateKeyBody, { signal }: CallOptions = {}): Promise<ApiKeyCreated> {
    return this.transport.json({ method: "POST", path: this.path, body, signal });
  }

  revoke(keyId: string, { signal }: CallOptions = {}): Promise<void> {
    return this.transport.none({ method: "DELETE", path: this.at(keyId), signal });
  }

  rotate(
    keyId: string,
    body: RotateKeyBody = {},
    { signal }: CallOptions = {},
  ): Promise<ApiKeyCreated> {
    const path = this.at(keyId, "/rotate");
    return this.transport.json({ method: "POST", path, body, signal });
  }
}

/** The people of the account. */
export class Members extends Collection<"members", MemberRecord, CreateMemberBody> {
  constructor(transport: Transport) {
    super(transport, "/members", "members");
  }

  update(
    memberId: string,
    body: UpdateMemberBody,
    { signal }: CallOptions = {},
  ): Promise<MemberRecord> {
    return this.transport.json({ method: "PATCH", path: this.at(memberId), body, signal });
  }
}

/** Remote MCP servers whose tools the account's agents may use. */
export class McpServers extends Collection<"mcpServers", McpServerRecord, CreateMcpServerBody> {
  constructor(transport: Transport) {
    super(transport, "/mcp-servers", "mcpServers");
  }
}

/** Credentials that the account's agents use and never see. */
export class Connections extends Collection<"connections", ConnectionRecord, CreateConnectionBody> {
  constructor(transport: Transport) {
    super(transport, "/connections", "connections");
  }
}

/** The filters of the audit log; times are ISO 8601. */
export interface AuditFilter {
  action?: string | undefined;
  resource?: string | undefined;
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Who did what in the account. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(
    query: AuditFilter & PageQuery = {},
    { signal }: CallOptions = {},
  ): Promise<Page<"entries", AuditEntry>> {
    return this.#transport.json({ method: "GET", path: "/audit", query: { ...query }, signal });
  }

  /** Iterates over all entries of a filter, newest first, page by page. */
  async *all(
    filter: AuditFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<AuditEntry, void, void> {
    const read = (place: PageQuery) => this.list({ ...filter, ...place, limit: 100 }, options);
    for await (const { entries } of eachPage(read)) yield* entries;
  }
}
