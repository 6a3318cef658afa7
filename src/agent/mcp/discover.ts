import type { ExecutionSeed } from "../../contract/session.ts";
import { mcpServerOf } from "../../contract/tools/names.ts";
import { counted } from "../../lib/text.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { McpClient, McpServerDirectory, RemoteTool } from "../../ports/mcp.ts";
import { fitTools, toolsOfServer } from "./tool-list.ts";

/** What remote tools depend on. */
export interface McpDependencies {
  directory: McpServerDirectory;
  /** Loads the protocol's client, which executions without servers do not need. */
  client(): Promise<McpClient>;
}

/** The discovered tools, with notes for the log. */
export interface Discovery {
  tools: RemoteTool[];
  notes: string[];
}

type Server = ExecutionSeed["mcpServers"][number];

/**
 * Lists the tools of all servers of an execution, concurrently. A server that fails is noted and adds no
 * tools. Throws only the signal's reason.
 */
export async function discoverTools(
  { mcpServers, tools }: Pick<ExecutionSeed, "mcpServers" | "tools">,
  dependencies: McpDependencies,
  connection: { fetch: GuardedFetch; signal: AbortSignal },
): Promise<Discovery> {
  const found = await Promise.all(
    mcpServers.map((server) => listTools(server, tools, dependencies, connection)),
  );
  const fitted = fitTools(found.flatMap((discovery) => discovery.tools));
  const notes = found.flatMap((discovery) => discovery.notes);
  if (fitted.dropped > 0) {
    notes.push(
      `${fitted.dropped} tools of MCP servers exceed the limit for one model. Name the needed tools in \`tools\`.`,
    );
  }
  return { tools: fitted.tools, notes };
}

async function listTools(
  server: Server,
  allowed: readonly string[],
  { directory, client }: McpDependencies,
  { fetch, signal }: { fetch: GuardedFetch; signal: AbortSignal },
): Promise<Discovery> {
  const { name, serverId } = server;
  const found = await directory(serverId, signal);
  if (found.kind === "removed") return unusable(name, "It was removed from the account.");
  if (found.kind === "unavailable") return unusable(name, found.message);
  const { url, headers } = found;
  const mcp = await client();
  const listed = await mcp.list({ url, headers, fetch, signal });
  if (!listed.ok) return unusable(name, listed.failure.message);
  const { tools, dropped } = toolsOfServer(server, listed.tools, allowed);
  const missing = allowed.filter(
    (reference) =>
      mcpServerOf(reference) === name &&
      reference.slice(`mcp__${name}`.length) !== "" &&
      !tools.some((tool) => tool.name === reference),
  );
  const notes = [`The MCP server ${name} offers ${counted(tools.length, "tool")}.`];
  if (dropped > 0)
    notes.push(
      `${counted(dropped, "tool")} of ${name} cannot be used: too large, wrongly named, or too many.`,
    );
  if (missing.length > 0) notes.push(`The MCP server ${name} has no ${missing.join(", ")}.`);
  return { tools, notes };
}

function unusable(name: string, reason: string): Discovery {
  const note = `The MCP server ${name} cannot be used. The execution continues without its tools. ${reason}`;
  return { tools: [], notes: [note] };
}
