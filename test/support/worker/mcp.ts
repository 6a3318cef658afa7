import { inject } from "vitest";
import * as z from "zod";
import { mcpHeadersContext } from "../../../src/contract/mcp.ts";
import { seal } from "../../../src/lib/secret-box.ts";
import type { McpMode } from "../mcp/modes.ts";
import type { BoxState } from "../mcp/server.ts";
import { workerBindings } from "./bindings.ts";
import type { TestAccount } from "./objects.ts";

const state: z.ZodType<BoxState> = z.object({
  methods: z.array(z.string()),
  calls: z.array(
    z.object({
      tool: z.string(),
      arguments: z.unknown(),
      meta: z.record(z.string(), z.unknown()),
      authorization: z.string().nullable(),
      gone: z.boolean(),
    }),
  ),
  sessions: z.int(),
});

/** An MCP server in the outside world; see `../mcp/server.ts`. */
export function mcpServer(mode: McpMode = "current-json") {
  const base = inject("mcpServersUrl");
  const name = crypto.randomUUID();
  const seen = async (query: string) =>
    state.parse(await (await fetch(`${base}/seen/${name}?${query}`)).json());
  return {
    url: `${base}/mcp/${mode}/${name}`,
    /** Whether the tools that act wait with their answers. */
    hold: async (on: boolean) => {
      await fetch(`${base}/hold/${name}?on=${on}`, { method: "PUT" });
    },
    /** What has come, once there are so many calls. */
    seen: (calls = 0) => seen(`calls=${calls}`),
    /** Waits until a caller has gone away without an answer. */
    deserted: () => seen("gone"),
  };
}

/** Registers a server on an account, as its route does. */
export async function register(
  { api, accountId }: TestAccount,
  name: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const serverId = `mcp_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const keys = [workerBindings("").ENCRYPTION_KEY ?? ""];
  const sealedHeaders = await seal(
    JSON.stringify(headers),
    keys,
    mcpHeadersContext(accountId, serverId),
  );
  const shown = Object.keys(headers).map((header) => ({
    name: header,
    set: true as const,
    last4: "",
  }));
  const reply = await api.addMcpServer({ serverId, name, url, headers: shown, sealedHeaders });
  if (reply.kind !== "added") throw new Error(`not added: ${reply.kind}`);
  return serverId;
}
