import type { AccountApi } from "../../contract/account.ts";
import { mcpHeaders, mcpHeadersContext } from "../../contract/mcp.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { mcpServerOf } from "../../contract/tools/names.ts";
import { unlessAborted, within } from "../../lib/async.ts";
import { open } from "../../lib/secrets.ts";
import { counted } from "../../lib/text.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { McpClient, RemoteTool } from "../../ports/mcp.ts";
import { fitTools, toolsOfServer } from "./tool-list.ts";

const TIMEOUT_MS = 10_000;

/** How to reach a server now, or why it cannot be reached. */
export type ServerLookup =
  | { kind: "found"; url: string; headers: Record<string, string> }
  | { kind: "removed" }
  | { kind: "unavailable"; message: string };

/**
 * Looks up a server of the execution's account, anew for each use. Throws if the account cannot be
 * reached, and the signal's reason when it aborts.
 */
export type McpServerDirectory = (serverId: string, signal: AbortSignal) => Promise<ServerLookup>;

/**
 * Looks servers up at the account, which forgets a removed server at once; an execution stores neither
 * addresses nor headers.
 */
export function createServerDirectory(
  account: () => Pick<AccountApi, "mcpEndpoints">,
  accountId: string,
  encryptionKeys: string[],
): McpServerDirectory {
  return async (serverId, signal) => {
    const [endpoint] = await unlessAborted(signal, () =>
      within("the account", TIMEOUT_MS, account().mcpEndpoints([serverId])),
    );
    if (endpoint === undefined) return { kind: "removed" };
    const { url, sealedHeaders } = endpoint;
    if (sealedHeaders === null) return { kind: "found", url, headers: {} };
    const context = mcpHeadersContext(accountId, serverId);
    const opened = await open(sealedHeaders, encryptionKeys, context);
    if (opened === null) {
      const message = "Its headers can no longer be decrypted. Register the server again.";
      return { kind: "unavailable", message };
    }
    return { kind: "found", url, headers: mcpHeaders.parse(JSON.parse(opened)) };
  };
}

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
