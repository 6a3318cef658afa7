import type { ExecutionSeed } from "../contract/session.ts";
import { accountStub } from "../durable/stubs.ts";
import type { Settings } from "../env.ts";
import { lazyRenderer } from "../outbound/browser/lazy.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import { createSheetsClient } from "../outbound/google/sheets.ts";
import { createGuardedFetch } from "../outbound/guarded-fetch.ts";
import type { LoopDependencies } from "./loop.ts";
import type { Transition } from "./machine/transition.ts";
import { createServerDirectory, discoverTools, type McpDependencies } from "./mcp/discover.ts";
import { createRemoteTool } from "./mcp/tool.ts";
import { createModel } from "./models/registry.ts";
import type { GuardedFetch } from "./ports/fetch.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { RemoteTools, SessionStore } from "./store/session-store.ts";
import { createToolset } from "./tools/registry.ts";
import { FUEL } from "./tools/run-code/limits.ts";
import type { AnyTool, Capabilities, ToolPorts } from "./tools/tool.ts";

/** The real world for the loop of one execution. Throws the signal's reason when that aborts. */
export async function createLoopDependencies(parts: {
  seed: ExecutionSeed;
  env: CloudflareEnv;
  settings: Settings;
  store: SessionStore;
  remote: RemoteTools;
  commit: <T>(change: (t: Transition) => T, also?: () => void) => T;
  signal: AbortSignal;
}): Promise<LoopDependencies> {
  const { seed, env, settings, store, commit, signal } = parts;
  const { services, has } = createToolPorts(env, settings);
  const fetch = createGuardedFetch({
    policy: {
      allowLoopback: settings.ALLOW_LOOPBACK,
      ownHosts: [...seed.serviceHosts, ...settings.SERVICE_HOSTS],
      schemes: ["http", "https"],
    },
    dnsOverHttpsUrl: settings.DNS_OVER_HTTPS_URL === "" ? null : settings.DNS_OVER_HTTPS_URL,
  });
  const world = { env, settings, stored: parts.remote, fetch, signal, commit };
  const remote = await loadRemoteTools(seed, world);
  const { box, descriptions } = createToolset({ ...seed, capabilities: has, remote });
  return {
    seed,
    model: createModel(seed.model, { settings, bindings: env }, seed.executionId),
    modelTimeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
    tools: box,
    toolDescriptions: descriptions,
    fetch,
    now: () => Date.now(),
    random: () => Math.random(),
    turns: () => store.turns(),
    answer: (callId) => store.answer(callId),
    files: (callId) => store.outputs.filesOf(callId),
    ports: services,
    commit,
  };
}

/** What the tools have of the world in this deployment. */
export function createToolPorts(
  env: CloudflareEnv,
  settings: Settings,
): { services: ToolPorts; has: Capabilities } {
  return {
    services: {
      renderer: env.BROWSER ? lazyRenderer(env.BROWSER) : null,
      mailer: createMailer(settings, env.EMAIL),
      sandbox: workerSandbox,
      sheets: createSheetsClient(settings),
    },
    has: { browser: env.BROWSER !== undefined },
  };
}

let sandbox: Sandbox | null = null;

/** The sandbox of a Worker. Its engine is loaded and compiled at the first use, not at the start. */
export const workerSandbox: Sandbox = {
  async run(program) {
    const [{ createSandbox }, { default: engine }] = await Promise.all([
      import("./tools/run-code/sandbox.ts"),
      import("./tools/run-code/quickjs.wasm"),
    ]);
    sandbox ??= createSandbox(engine, FUEL);
    return sandbox.run(program);
  },
};

/**
 * The tools of the servers that an execution may use. They are looked for before its first step and
 * stored; from then on they are the same, so that after a crash the model finds what it had.
 */
export async function loadRemoteTools(
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
): Promise<AnyTool[]> {
  if (seed.mcpServers.length === 0) return [];
  const { env, settings, stored, signal } = world;
  const { accountId } = seed;
  const parts: McpDependencies = {
    directory: createServerDirectory(
      () => accountStub(env, accountId),
      accountId,
      settings.ENCRYPTION_KEY,
    ),
    client: async () => (await import("../outbound/mcp/client.ts")).mcpClient,
  };
  const known = stored.all();
  if (known !== null) return known.map((tool) => createRemoteTool(tool, parts));
  const { tools, notes } = await discoverTools(seed, parts, world);
  signal.throwIfAborted();
  world.commit(
    (t) => {
      for (const message of notes) t.event("log", { message });
    },
    () => stored.save(tools),
  );
  return tools.map((tool) => createRemoteTool(tool, parts));
}
