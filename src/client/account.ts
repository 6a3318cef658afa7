import * as z from "zod";
import {
  type ConnectionRecord,
  connectionRecord,
  type createConnectionBody,
} from "../contract/connections.ts";
import {
  type ApiKeyRecord,
  apiKeyCreated,
  apiKeyRecord,
  type createKeyBody,
  type rotateKeyBody,
} from "../contract/keys.ts";
import {
  type createMcpServerBody,
  type McpServerRecord,
  mcpServerRecord,
} from "../contract/mcp.ts";
import { type CallOptions, eachPage, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

const keyPage = z.object({ keys: z.array(apiKeyRecord), nextCursor: z.string().nullable() });

/** The account's API keys. Only `create` and `rotate` return the text of a key. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createKeyBody>, { signal }: CallOptions = {}) {
    return this.#transport.json({ method: "POST", path: "/keys", body, signal }, apiKeyCreated);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/keys", query: { ...query }, signal } as const;
    return this.#transport.json(request, keyPage);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<ApiKeyRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { keys } of eachPage(read)) yield* keys;
  }

  revoke(keyId: string, { signal }: CallOptions = {}) {
    return this.#transport.none({ method: "DELETE", path: at(keyId), signal });
  }

  rotate(keyId: string, body: z.input<typeof rotateKeyBody> = {}, { signal }: CallOptions = {}) {
    const path = `${at(keyId)}/rotate`;
    return this.#transport.json({ method: "POST", path, body, signal }, apiKeyCreated);
  }
}

function at(keyId: string): string {
  return `/keys/${encodeURIComponent(keyId)}`;
}

const mcpServerPage = z.object({
  mcpServers: z.array(mcpServerRecord),
  nextCursor: z.string().nullable(),
});

/** Remote MCP servers whose tools the account's agents may use. */
export class McpServers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createMcpServerBody>, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: "/mcp-servers", body, signal } as const;
    return this.#transport.json(request, mcpServerRecord);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/mcp-servers", query: { ...query }, signal } as const;
    return this.#transport.json(request, mcpServerPage);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<McpServerRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { mcpServers } of eachPage(read)) yield* mcpServers;
  }

  delete(serverId: string, { signal }: CallOptions = {}) {
    const path = `/mcp-servers/${encodeURIComponent(serverId)}`;
    return this.#transport.none({ method: "DELETE", path, signal });
  }
}

const connectionPage = z.object({
  connections: z.array(connectionRecord),
  nextCursor: z.string().nullable(),
});

/** Credentials that the account's agents use and never see. */
export class Connections {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createConnectionBody>, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: "/connections", body, signal } as const;
    return this.#transport.json(request, connectionRecord);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/connections", query: { ...query }, signal } as const;
    return this.#transport.json(request, connectionPage);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<ConnectionRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { connections } of eachPage(read)) yield* connections;
  }

  delete(connectionId: string, { signal }: CallOptions = {}) {
    const path = `/connections/${encodeURIComponent(connectionId)}`;
    return this.#transport.none({ method: "DELETE", path, signal });
  }
}
