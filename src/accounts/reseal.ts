import { connectionContext } from "../contract/connections.ts";
import { mcpHeadersContext } from "../contract/mcp.ts";
import { Resealer } from "../lib/resealer.ts";
import type { Connections } from "./connections.ts";
import type { Ledger } from "./ledger.ts";
import type { McpServers } from "./mcp-servers.ts";

/** Seals the secrets of an account's MCP servers and connections with the first of these keys; null for no account. */
export async function resealAll(
  account: { ledger: Ledger; mcpServers: McpServers; connections: Connections } | null,
  keys: string[],
): Promise<{ count: number; lost: number }> {
  if (account === null) return { count: 0, lost: 0 };
  const { mcpServers, connections, ledger } = account;
  const { accountId } = ledger.record();
  const sealer = new Resealer(keys);
  for (const { serverId, sealedHeaders } of mcpServers.endpoints(mcpServers.ids())) {
    if (sealedHeaders === null) continue;
    const after = await sealer.reseal(sealedHeaders, mcpHeadersContext(accountId, serverId));
    if (after !== sealedHeaders) mcpServers.reseal(serverId, sealedHeaders, after);
  }
  for (const { connectionId, sealedValue } of connections.sealed(connections.ids())) {
    const after = await sealer.reseal(sealedValue, connectionContext(accountId, connectionId));
    if (after !== sealedValue) connections.reseal(connectionId, sealedValue, after);
  }
  return { count: sealer.count, lost: sealer.lost };
}
