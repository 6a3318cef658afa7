import * as z from "zod";
import {
  type ApiKeyRecord,
  apiKeyCreated,
  apiKeyRecord,
  type createKeyBody,
  type rotateKeyBody,
} from "../contract/account.ts";
import {
  type createMcpServerBody,
  type McpServerRecord,
  mcpServerRecord,
} from "../contract/mcp.ts";
import { type Abortable, eachPage, type Paging } from "./paging.ts";
import type { Transport } from "./transport.ts";

const keyPage = z.object({ keys: z.array(apiKeyRecord), nextCursor: z.string().nullable() });

/** The account's API keys. The text of a key is in the answer that made it, and nowhere else. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createKeyBody>, { signal }: Abortable = {}) {
    return this.#transport.json({ method: "POST", path: "/keys", body, signal }, apiKeyCreated);
  }

  list(query: Paging = {}, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: "/keys", query: { ...query }, signal } as const;
    return this.#transport.json(ask, keyPage);
  }

  /** All of them, the newest first, read page by page. */
  async *all(options: Abortable = {}): AsyncGenerator<ApiKeyRecord, void, void> {
    const read = (place: Paging) => this.list({ ...place, limit: 100 }, options);
    for await (const { keys } of eachPage(read)) yield* keys;
  }

  revoke(keyId: string, { signal }: Abortable = {}) {
    return this.#transport.none({ method: "DELETE", path: at(keyId), signal });
  }

  rotate(keyId: string, body: z.input<typeof rotateKeyBody> = {}, { signal }: Abortable = {}) {
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

  create(body: z.input<typeof createMcpServerBody>, { signal }: Abortable = {}) {
    const ask = { method: "POST", path: "/mcp-servers", body, signal } as const;
    return this.#transport.json(ask, mcpServerRecord);
  }

  list(query: Paging = {}, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: "/mcp-servers", query: { ...query }, signal } as const;
    return this.#transport.json(ask, mcpServerPage);
  }

  /** All of them, the newest first, read page by page. */
  async *all(options: Abortable = {}): AsyncGenerator<McpServerRecord, void, void> {
    const read = (place: Paging) => this.list({ ...place, limit: 100 }, options);
    for await (const { mcpServers } of eachPage(read)) yield* mcpServers;
  }

  delete(serverId: string, { signal }: Abortable = {}) {
    const path = `/mcp-servers/${encodeURIComponent(serverId)}`;
    return this.#transport.none({ method: "DELETE", path, signal });
  }
}
