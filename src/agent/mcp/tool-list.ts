import type { Json, JsonObject } from "../../contract/json.ts";
import { covers, serverReference } from "../../contract/tools/names.ts";
import { isObject } from "../../lib/json-values.ts";
import type { OfferedTool, RemoteTool } from "../ports/mcp.ts";
import { isWithinDepth } from "../tools/process-data/json.ts";
import { cutAt, storedBytes, visible } from "../tools/text.ts";

/** All definitions go to the model with every step; it pays for each of them, each time. */
const MAX_TOOLS = 100;
const MAX_DEFINITION_BYTES = 128 * 1024;

/** Tools of one server that are looked at: to name them apart takes time with their square. */
const MAX_OFFERED = 1_000;

const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_SCHEMA_BYTES = 16 * 1024;
/** Deeper schemas could exhaust the stack of whoever walks them. */
const MAX_SCHEMA_DEPTH = 48;

export interface FittedTools {
  tools: RemoteTool[];
  /** Offered tools that the allow-list covers, or that nobody looked at, and that were left out. */
  dropped: number;
}

/** The tools of one server that an execution may use, named for it. */
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
        description: cutAt(visible(description).trim(), MAX_DESCRIPTION_LENGTH),
        inputSchema: sanitizeSchema(inputSchema),
        readOnly,
      }),
    );
  return { tools, dropped: covered.length - tools.length + offered.length - seen.length };
}

/** As many tools as a model can be shown, those of the servers registered first before the others. */
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

/** Models take names of so many letters, digits, `_` and `-`. */
const MAX_TOOL_NAME_LENGTH = 64;

/**
 * What the agent calls the tools of a server, in their order. Other characters become `_`, long names
 * are cut, and names that would then be the same are numbered. A name that needs no change is never
 * taken by another: an allow-list or an approval that names it means this very tool.
 */
export function nameTools(server: string, remoteNames: readonly string[]): string[] {
  const prefix = `${serverReference(server)}__`;
  const room = MAX_TOOL_NAME_LENGTH - prefix.length;
  const plain = remoteNames.map((name) => name.replace(/[^\w-]/g, "_").slice(0, room) || "tool");
  const taken = new Set(remoteNames.filter((name, index) => name === plain[index]));
  const used = new Set<string>();
  return remoteNames.map((name, index) => {
    const wanted = plain[index] ?? "tool";
    const own = name === wanted && !used.has(wanted);
    const chosen = own
      ? wanted
      : freeName(wanted, room, (text) => taken.has(text) || used.has(text));
    used.add(chosen);
    return prefix + chosen;
  });
}

function freeName(wanted: string, room: number, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? "" : `_${n}`;
    const name = wanted.slice(0, room - suffix.length) + suffix;
    if (!isTaken(name)) return name;
  }
}

const MAX_TEXT_LENGTH = 300;

/** Keywords whose values are data, not schemas: what stands in them is compared as it is. */
const DATA = new Set(["const", "enum", "default", "examples"]);

/**
 * A stranger's schema whose descriptions hold no invisible characters and are short: models read them,
 * and a long one would be a place for instructions. What the schema accepts stays the same.
 */
export function sanitizeSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isText = (key === "description" || key === "title") && typeof value === "string";
      if (isText) return [key, cutAt(visible(value).trim(), MAX_TEXT_LENGTH)];
      return [key, DATA.has(key) ? value : plain(value)];
    }),
  );
}

function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? sanitizeSchema(value) : value;
}
