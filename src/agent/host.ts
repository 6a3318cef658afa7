import type { ExecutionSeed } from "../contract/session.ts";
import type { Settings } from "../env.ts";
import { createGuardedFetch } from "../outbound/guarded-fetch.ts";
import type { LoopHost } from "./loop.ts";
import type { Transition } from "./machine/transition.ts";
import { remoteTools } from "./mcp/remote.ts";
import { createModel } from "./models/registry.ts";
import { createServices } from "./services.ts";
import type { RemoteTools } from "./store/remote-tools.ts";
import type { SessionStore } from "./store/store.ts";
import { toolsOf } from "./tools/registry.ts";

/** The real world for the loop of one execution. Throws the signal's reason when that aborts. */
export async function createLoopHost(parts: {
  seed: ExecutionSeed;
  env: CloudflareEnv;
  settings: Settings;
  store: SessionStore;
  remote: RemoteTools;
  commit: <T>(change: (t: Transition) => T, also?: () => void) => T;
  signal: AbortSignal;
}): Promise<LoopHost> {
  const { seed, env, settings, store, commit, signal } = parts;
  const { services, has } = createServices(env, settings);
  const fetch = createGuardedFetch({
    policy: {
      allowLoopback: settings.ALLOW_LOOPBACK,
      ownHosts: [...seed.serviceHosts, ...settings.SERVICE_HOSTS],
      schemes: ["http", "https"],
    },
    dnsOverHttpsUrl: settings.DNS_OVER_HTTPS_URL === "" ? null : settings.DNS_OVER_HTTPS_URL,
  });
  const world = { env, settings, stored: parts.remote, fetch, signal, commit };
  const remote = await remoteTools(seed, world);
  const { box, descriptions } = toolsOf({ ...seed, has, remote });
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
    earlier: (callId) => store.answer(callId),
    files: (callId) => store.outputs.filesOf(callId),
    services,
    commit,
  };
}
