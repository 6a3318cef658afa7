import type { Json, JsonObject } from "../../contract/json.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { covers, mcpServerOf, serverReference } from "../../contract/tools/names.ts";
import { isObject, mapMembers } from "../../lib/json-values.ts";
import { counted } from "../../lib/text.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { McpClient, McpServerDirectory, OfferedTool, RemoteTool } from "../../ports/mcp.ts";
import { escapeMarksInText } from "../models/prompt/text.ts";
import { isWithinDepth } from "../tools/process-data/json.ts";
import { cutAt, storedBytes, visible } from "../tools/text.ts";

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
  const { tools, dropped } = toolsOfServer(server, listed.result, allowed);
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

/** Every step sends all definitions to the model, which bills each of them. */
const MAX_TOOLS = 100;
const MAX_DEFINITION_BYTES = 128 * 1024;

/** Tools of one server that are read: making their names distinct takes quadratic time. */
const MAX_OFFERED = 1_000;

const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_SCHEMA_BYTES = 16 * 1024;
/** Deeper schemas could exhaust the stack of the code that walks them. */
const MAX_SCHEMA_DEPTH = 48;

export interface FittedTools {
  tools: RemoteTool[];
  /** The number of tools that were left out although the allow-list covers them, or were not read. */
  dropped: number;
}

/** Returns the tools of one server that an execution may use, under their names for the agent. */
export function toolsOfServer(
  server: { serverId: string; name: string },
  offered: readonly OfferedTool[],
  allowed: readonly string[],
): FittedTools {
  const seen = offered.slice(0, MAX_OFFERED);
  const names = nameTools(
    server.name,
    seen.map(({ name }) => name),
  );
  const covered = seen.flatMap((tool, index) => {
    const name = names[index];
    return name !== undefined && covers(allowed, name) ? [{ name, tool }] : [];
  });
  const tools = covered
    .filter(({ tool }) => isUsable(tool))
    .map(
      ({ name, tool: { name: remoteName, description, inputSchema, readOnly } }): RemoteTool => ({
        name,
        remoteName,
        serverId: server.serverId,
        server: server.name,
        description: harmless(description, MAX_DESCRIPTION_LENGTH),
        inputSchema: sanitizeSchema(inputSchema),
        readOnly,
      }),
    );
  return { tools, dropped: covered.length - tools.length + offered.length - seen.length };
}

/** Keeps the tools that fit one model call; servers registered first take precedence. */
export function fitTools(tools: readonly RemoteTool[]): FittedTools {
  let bytes = 0;
  const kept = tools.slice(0, MAX_TOOLS).filter(({ name, description, inputSchema }) => {
    bytes += storedBytes([name, description, inputSchema]);
    return bytes <= MAX_DEFINITION_BYTES;
  });
  return { tools: kept, dropped: tools.length - kept.length };
}

function isUsable({ name, inputSchema }: OfferedTool): boolean {
  return (
    name.length > 0 &&
    name.length <= MAX_NAME_LENGTH &&
    isWithinDepth(inputSchema, MAX_SCHEMA_DEPTH) &&
    storedBytes(inputSchema) <= MAX_SCHEMA_BYTES
  );
}

/** The longest tool name, in letters, digits, `_` and `-`, that models accept. */
const MAX_TOOL_NAME_LENGTH = 64;

/**
 * Returns the agent's names for the tools of a server, in order. Other characters become `_`, long names
 * are cut, and equal names are numbered. A name that needs no change is never given to another tool: an
 * allow-list or an approval that names it means this tool.
 */
export function nameTools(server: string, remoteNames: readonly string[]): string[] {
  const prefix = `${serverReference(server)}__`;
  const room = MAX_TOOL_NAME_LENGTH - prefix.length;
  const plain = remoteNames.map((name) => name.replace(/[^\w-]/g, "_").slice(0, room) || "tool");
  const taken = new Set(remoteNames.filter((name, index) => name === plain[index]));
  const used = new Set<string>();
  return remoteNames.map((name, index) => {
    const cleaned = plain[index] ?? "tool";
    const isOwn = name === cleaned && !used.has(cleaned);
    const chosen = isOwn
      ? cleaned
      : freeName(cleaned, room, (text) => taken.has(text) || used.has(text));
    used.add(chosen);
    return prefix + chosen;
  });
}

function freeName(base: string, room: number, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? "" : `_${n}`;
    const name = base.slice(0, room - suffix.length) + suffix;
    if (!isTaken(name)) return name;
  }
}

/** Returns an untrusted text as a model may read it among its instructions: short, and with no mark in it. */
const harmless = (text: string, most: number) =>
  escapeMarksInText(cutAt(visible(text).trim(), most));

const MAX_TEXT_LENGTH = 300;

/** Keywords whose values are data, not schemas, and are compared unchanged. */
const DATA = new Set(["const", "enum", "default", "examples"]);

/**
 * Shortens the descriptions of an untrusted schema and removes invisible characters from them: models
 * read them, and a long one could carry instructions. What the schema accepts stays the same.
 */
export function sanitizeSchema(schema: JsonObject): JsonObject {
  return mapMembers(schema, (value, key) => {
    const isText = (key === "description" || key === "title") && typeof value === "string";
    if (isText) return harmless(value, MAX_TEXT_LENGTH);
    return DATA.has(key) ? value : plain(value);
  });
}

function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? sanitizeSchema(value) : value;
}
