export const MCP_SERVERS = "/dashboard/mcp-servers";

/** Where a server is removed. */
export function removalPath(serverId: string): string {
  return `${MCP_SERVERS}/${encodeURIComponent(serverId)}/remove`;
}
