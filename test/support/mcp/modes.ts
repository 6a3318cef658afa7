/** How a server speaks: the protocol's current version, or an earlier one with sessions; by JSON or SSE. */
export const MCP_MODES = ["current-json", "current-sse", "earlier-json", "earlier-sse"] as const;
export type McpMode = (typeof MCP_MODES)[number];
