import { accountStub } from "../../accounts/stub.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import type { Settings } from "../../env.ts";
import type { Transition } from "../machine/transition.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { RemoteTools } from "../store/remote-tools.ts";
import type { BoxedTool } from "../tools/tool.ts";
import { createDirectory } from "./directory.ts";
import { discover } from "./discover.ts";
import { boxedTool, type McpParts } from "./tool.ts";

/**
 * The tools of the servers that an execution may use. They are looked for before its first step and
 * stored; from then on they are the same, so that after a crash the model finds what it had.
 */
export async function remoteTools(
  seed: ExecutionSeed,
  world: {
    env: CloudflareEnv;
    settings: Settings;
    stored: RemoteTools;
    fetch: GuardedFetch;
    signal: AbortSignal;
    /** Applies a change, and stores what `also` stores in the same transaction. */
    commit(change: (t: Transition) => void, also: () => void): void;
  },
): Promise<BoxedTool[]> {
  if (seed.mcpServers.length === 0) return [];
  const { env, settings, stored, signal } = world;
  const { accountId } = seed;
  const parts: McpParts = {
    directory: createDirectory(
      () => accountStub(env, accountId),
      accountId,
      settings.ENCRYPTION_KEY,
    ),
    client: async () => (await import("../../outbound/mcp/client.ts")).mcpClient,
  };
  const known = stored.all();
  if (known !== null) return known.map((tool) => boxedTool(tool, parts));
  const { tools, notes } = await discover(seed, parts, world);
  signal.throwIfAborted();
  world.commit(
    (t) => {
      for (const message of notes) t.event("log", { message });
    },
    () => stored.save(tools),
  );
  return tools.map((tool) => boxedTool(tool, parts));
}
