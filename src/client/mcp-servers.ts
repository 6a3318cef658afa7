import * as z from "zod";
import {
  type createMcpServerBody,
  type McpServerRecord,
  mcpServerRecord,
} from "../contract/mcp.ts";
import { type Abortable, eachPage, type Paging } from "./pages.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ mcpServers: z.array(mcpServerRecord), nextCursor: z.string().nullable() });

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
    return this.#transport.json(ask, page);
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
