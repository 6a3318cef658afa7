import { waitUntil } from "cloudflare:workers";
import type { EndpointConfig } from "../contract/inbound/endpoint.ts";
import { settingsOf } from "../env.ts";
import { logError } from "../lib/log.ts";
import { loadByAddress } from "../records/endpoints.ts";
import { EndpointCache } from "./endpoint-cache.ts";
import { LockedEndpointError, openEndpoint } from "./secrets.ts";
import type { Endpoint } from "./types.ts";

const cache = new EndpointCache({ now: () => Date.now(), keep: (work) => waitUntil(work) });

/**
 * The endpoint at `/hooks/<address>`, a deleted one too; null where there is none. It is at most 4 s
 * old while D1 answers. Throws while D1 does not tell of one that is not known, and a
 * `LockedEndpointError` for one whose secrets cannot be opened.
 */
export async function resolveEndpoint(
  env: CloudflareEnv,
  address: string,
): Promise<Endpoint | null> {
  const found = await cache.find(address, {
    load: (wanted) => loadByAddress(env.DB, wanted),
    open: (config) => openOrLocked(env, config),
  });
  switch (found.kind) {
    case "endpoint":
      return found.endpoint;
    case "locked":
      throw new LockedEndpointError(found.endpointId);
    case "unknown":
      return null;
  }
}

/** Takes over an endpoint, unless what this isolate knows of it is as new. */
export function rememberEndpoint(endpoint: Endpoint): void {
  cache.remember(endpoint.config, endpoint);
}

/** Takes over a configuration that was just written, unless what this isolate knows is as new. */
export async function rememberConfig(env: CloudflareEnv, config: EndpointConfig): Promise<void> {
  cache.remember(config, await openOrLocked(env, config));
}

async function openOrLocked(env: CloudflareEnv, config: EndpointConfig): Promise<Endpoint | null> {
  try {
    return await openEndpoint(config, settingsOf(env));
  } catch (error) {
    if (!(error instanceof LockedEndpointError)) throw error;
    logError("endpoint locked", { endpointId: config.endpointId }, error);
    return null;
  }
}
