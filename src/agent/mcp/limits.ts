import { covers } from "../../contract/tools/names.ts";
import type { OfferedTool, RemoteTool } from "../ports/mcp.ts";
import { storedBytes } from "../tools/page/limits.ts";
import { cutAt, visible } from "../tools/page/text.ts";
import { isWithinDepth } from "../tools/process-data/json/shape.ts";
import { toolNames } from "./names.ts";
import { plainSchema } from "./schema-texts.ts";

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

export interface Kept {
  tools: RemoteTool[];
  /** Offered tools that the allow-list covers, or that nobody looked at, and that were left out. */
  dropped: number;
}

/** The tools of one server that an execution may use, named for it. */
export function toolsOfServer(
  server: { serverId: string; name: string },
  offered: readonly OfferedTool[],
  allowed: readonly string[],
): Kept {
  const seen = offered.slice(0, MAX_OFFERED);
  const names = toolNames(
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
        inputSchema: plainSchema(inputSchema),
        readOnly,
      }),
    );
  return { tools, dropped: covered.length - tools.length + offered.length - seen.length };
}

/** As many tools as a model can be shown, those of the servers registered first before the others. */
export function fitTools(tools: readonly RemoteTool[]): Kept {
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
