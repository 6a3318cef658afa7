import type { ExecutionSeed } from "../../contract/session.ts";
import { mcpServerOf } from "../../contract/tools/names.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { RemoteTool } from "../ports/mcp.ts";
import { fitTools, toolsOfServer } from "./limits.ts";
import type { McpParts } from "./tool.ts";

/** The tools that were found, and what there is to tell about them, in words for the log. */
export interface Discovery {
  tools: RemoteTool[];
  notes: string[];
}

type Server = ExecutionSeed["mcpServers"][number];

/**
 * Asks an execution's servers, all at once, what tools they have. One that does not answer is noted,
 * and its tools are not there; the signal's abort alone is thrown.
 */
export async function discover(
  { mcpServers, tools }: Pick<ExecutionSeed, "mcpServers" | "tools">,
  parts: McpParts,
  way: { fetch: GuardedFetch; signal: AbortSignal },
): Promise<Discovery> {
  const found = await Promise.all(mcpServers.map((server) => ask(server, tools, parts, way)));
  const fitted = fitTools(found.flatMap((discovery) => discovery.tools));
  const notes = found.flatMap((discovery) => discovery.notes);
  if (fitted.dropped > 0) {
    notes.push(
      `${fitted.dropped} tools of MCP servers are more than a model can be shown: name the needed ones in tools.`,
    );
  }
  return { tools: fitted.tools, notes };
}

async function ask(
  server: Server,
  allowed: readonly string[],
  { directory, client }: McpParts,
  { fetch, signal }: { fetch: GuardedFetch; signal: AbortSignal },
): Promise<Discovery> {
  const { name, serverId } = server;
  const found = await directory(serverId, signal);
  if (found.kind === "removed") return without(name, "It was removed from the account.");
  if (found.kind === "unavailable") return without(name, found.message);
  const { url, headers } = found;
  const mcp = await client();
  const listed = await mcp.list({ url, headers, fetch, signal });
  if (!listed.ok) return without(name, listed.failure.message);
  const { tools, dropped } = toolsOfServer(server, listed.tools, allowed);
  const missing = allowed.filter(
    (reference) =>
      mcpServerOf(reference) === name &&
      reference.slice(`mcp__${name}`.length) !== "" &&
      !tools.some((tool) => tool.name === reference),
  );
  const notes = [`The MCP server ${name} offers ${counted(tools.length)}.`];
  if (dropped > 0)
    notes.push(`${counted(dropped)} of ${name} cannot be used: too large, misnamed, or too many.`);
  if (missing.length > 0) notes.push(`The MCP server ${name} has no ${missing.join(", ")}.`);
  return { tools, notes };
}

function without(name: string, reason: string): Discovery {
  const note = `The MCP server ${name} cannot be used; the work goes on without its tools. ${reason}`;
  return { tools: [], notes: [note] };
}

function counted(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}
