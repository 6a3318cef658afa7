import type { AccountApi } from "../../contract/account.ts";
import { mcpHeaders, mcpHeadersContext } from "../../contract/mcp.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { mcpServerOf } from "../../contract/tools/names.ts";
import { unlessAborted, within } from "../../lib/async.ts";
import { open } from "../../lib/secrets.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { McpClient, RemoteTool } from "../ports/mcp.ts";
import { fitTools, toolsOfServer } from "./tool-list.ts";

const TIMEOUT_MS = 10_000;

/** How a server is reached at this moment, or why it is not. */
export type ServerLookup =
  | { kind: "found"; url: string; headers: Record<string, string> }
  | { kind: "removed" }
  | { kind: "unavailable"; message: string };

/**
 * Where the servers of an execution's account are looked up, anew for each use. Throws when the account
 * cannot be asked, and the signal's reason when that aborts.
 */
export type McpServerDirectory = (serverId: string, signal: AbortSignal) => Promise<ServerLookup>;

/**
 * Asks the account, which forgets a server at once when it is removed; an execution keeps neither
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
      const message = "Its headers can no longer be decrypted: register it again.";
      return { kind: "unavailable", message };
    }
    return { kind: "found", url, headers: mcpHeaders.parse(JSON.parse(opened)) };
  };
}

/** What remote tools need to run. */
export interface McpDependencies {
  directory: McpServerDirectory;
  /** Loads the protocol's client: executions without servers do without it. */
  client(): Promise<McpClient>;
}

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
export async function discoverTools(
  { mcpServers, tools }: Pick<ExecutionSeed, "mcpServers" | "tools">,
  parts: McpDependencies,
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
  { directory, client }: McpDependencies,
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
