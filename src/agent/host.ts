import type { ExecutionSeed } from "../contract/session.ts";
import type { Settings } from "../env.ts";
import { createGuardedFetch } from "../outbound/guarded-fetch.ts";
import type { LoopHost } from "./loop.ts";
import type { Transition } from "./machine/transition.ts";
import { createModel } from "./models/registry.ts";
import { createServices } from "./services.ts";
import type { SessionStore } from "./store/store.ts";
import { toolsOf } from "./tools/registry.ts";

/** The real world for the loop of one execution. */
export function createLoopHost(parts: {
  seed: ExecutionSeed;
  env: CloudflareEnv;
  settings: Settings;
  store: SessionStore;
  commit: <T>(change: (t: Transition) => T) => T;
}): LoopHost {
  const { seed, env, settings, store, commit } = parts;
  const { services, has } = createServices(env, settings);
  const { box, descriptions } = toolsOf({ ...seed, has, remote: [] });
  return {
    seed,
    model: createModel(seed.model, { settings, bindings: env }, seed.executionId),
    modelTimeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
    tools: box,
    toolDescriptions: descriptions,
    fetch: createGuardedFetch({
      policy: {
        allowLoopback: settings.ALLOW_LOOPBACK,
        ownHosts: [...seed.serviceHosts, ...settings.SERVICE_HOSTS],
        schemes: ["http", "https"],
      },
      dnsOverHttpsUrl: settings.DNS_OVER_HTTPS_URL === "" ? null : settings.DNS_OVER_HTTPS_URL,
    }),
    now: () => Date.now(),
    random: () => Math.random(),
    turns: () => store.turns(),
    earlier: (callId) => store.answer(callId),
    files: (callId) => store.outputs.filesOf(callId),
    services,
    commit,
  };
}
