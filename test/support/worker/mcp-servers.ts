import type { TestProject } from "vitest/node";
import { startMcpServers } from "../mcp/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    mcpServersUrl: string;
  }
}

/** Starts the MCP servers of the Worker's tests; answers how to end them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await startMcpServers();
  project.provide("mcpServersUrl", servers.origin);
  return servers.close;
}
