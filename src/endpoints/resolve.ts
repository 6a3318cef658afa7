import { waitUntil } from "cloudflare:workers";
import { customPath, type EndpointConfig, endpointId } from "../contract/webhooks/endpoint.ts";
import { settingsOf } from "../env.ts";
import { LockedEndpointError, openEndpoint } from "../intake/secrets.ts";
import type { Endpoint } from "../intake/types.ts";
import { logError } from "../lib/log.ts";
import { nearestReplica } from "../records/databases.ts";
import { loadByAddress } from "../records/endpoints.ts";
import { EndpointCache } from "./endpoint-cache.ts";
import { isIssuedEndpointId } from "./endpoint-id.ts";

const cache = new EndpointCache({ now: () => Date.now(), keep: (work) => waitUntil(work) });

/**
 * Returns the endpoint at `/hooks/<address>`, also a deleted one, or null if there is none. It is at most
 * 4 s older than what the nearest replica of D1 has. Throws if D1 fails for an endpoint that is not cached, and a
 * `LockedEndpointError` if its secrets cannot be opened.
 */
export async function resolveEndpoint(
  env: CloudflareEnv,
  address: string,
): Promise<Endpoint | null> {
  const found = await cache.find(address, {
    canExist: async (wanted) =>
      endpointId.safeParse(wanted).success
        ? await isIssuedEndpointId(wanted, settingsOf(env).ID_KEY)
        : customPath.safeParse(wanted).success,
    // A replica may not have a new endpoint yet. What it has is new enough: the inbox knows the newest.
    load: async (wanted) =>
      (await loadByAddress(nearestReplica(env.DB), wanted)) ?? loadByAddress(env.DB, wanted),
    open: (config) => openOrLocked(env, config),
  });
  if (found?.endpoint === null) throw new LockedEndpointError(found.config.endpointId);
  return found?.endpoint ?? null;
}

/** Caches an endpoint, unless the cached one is as new. */
export function rememberEndpoint(endpoint: Endpoint): void {
  cache.remember(endpoint.config, endpoint);
}

/** Caches a configuration that was just written, unless the cached one is as new. */
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
