import * as z from "zod";
import { jsonObject } from "../../contract/json.ts";
import type { RemoteTool } from "../ports/mcp.ts";

const FOUND = "remoteTools";

const toolRow = z.object({
  name: z.string(),
  remote_name: z.string(),
  server_id: z.string(),
  server: z.string(),
  description: z.string(),
  input_schema: z.string().transform((text) => jsonObject.parse(JSON.parse(text))),
  read_only: z.number().transform((flag) => flag === 1),
});

/**
 * The tools of remote servers that an execution has. They are stored once, so that the model sees the
 * same tools in every step, whatever the servers say later.
 */
export class RemoteTools {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** What was found, or null when nobody has looked yet. */
  all(): RemoteTool[] | null {
    if (this.#storage.kv.get(FOUND) === undefined) return null;
    return this.#storage.sql
      .exec("SELECT * FROM remote_tools ORDER BY idx")
      .toArray()
      .map((row) => {
        const { name, remote_name, server_id, server, ...rest } = toolRow.parse(row);
        return {
          name,
          remoteName: remote_name,
          serverId: server_id,
          server,
          description: rest.description,
          inputSchema: rest.input_schema,
          readOnly: rest.read_only,
        };
      });
  }

  /** Stores what was found. To be called once, within a transaction. */
  save(tools: readonly RemoteTool[]): void {
    this.#storage.kv.put(FOUND, true);
    for (const tool of tools) {
      this.#storage.sql.exec(
        `INSERT INTO remote_tools
           (name, remote_name, server_id, server, description, input_schema, read_only)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        tool.name,
        tool.remoteName,
        tool.serverId,
        tool.server,
        tool.description,
        JSON.stringify(tool.inputSchema),
        tool.readOnly ? 1 : 0,
      );
    }
  }
}
