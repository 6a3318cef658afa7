import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import { settingsOf } from "../../env.ts";
import { openEndpoint } from "../../intake/secrets.ts";
import type { Endpoint } from "../../intake/types.ts";
import { within } from "../../lib/async.ts";
import { logError } from "../../lib/log.ts";
import { LruMap } from "../../lib/lru-map.ts";
import { selectEndpoints } from "../../records/endpoints.ts";

/** Endpoints of an account that are tried, the newest ones. */
const MOST = 100;
const KEPT_MS = 2_000;
const READ_MS = 1_000;
/** Reads of D1 within the window, for all accounts of this isolate: strangers cause them. */
const MAX_READS = 20;
const WINDOW_MS = 10_000;

const known = new LruMap<{ readAt: number; endpoints: Promise<Endpoint[]> }>(50);
let reads: number[] = [];

/**
 * Returns the other endpoints of an endpoint's account with their secrets, to name the one that a refused
 * request was meant for. Returns none while D1 fails or is asked too often.
 */
export async function otherEndpoints(
  env: CloudflareEnv,
  { accountId, endpointId }: EndpointConfig,
): Promise<Endpoint[]> {
  const now = Date.now();
  const kept = known.get(accountId);
  const isKept = kept !== undefined && now - kept.readAt < KEPT_MS;
  const endpoints = isKept ? kept.endpoints : readNow(env, accountId, now);
  if (endpoints === null) return [];
  if (!isKept) known.set(accountId, { readAt: now, endpoints });
  const all = await endpoints;
  return all.filter(({ config }) => config.endpointId !== endpointId);
}

function readNow(env: CloudflareEnv, accountId: string, now: number): Promise<Endpoint[]> | null {
  reads = reads.filter((time) => now - time < WINDOW_MS);
  if (reads.length >= MAX_READS) return null;
  reads.push(now);
  return within("D1", READ_MS, read(env, accountId)).catch((error: unknown) => {
    logError("other endpoints not read", {}, error);
    return [];
  });
}

async function read(env: CloudflareEnv, accountId: string): Promise<Endpoint[]> {
  const { items } = await selectEndpoints(env.DB, accountId, null, MOST);
  const settings = settingsOf(env);
  // One whose secrets cannot be opened is left out.
  const opened = items.map((config) => openEndpoint(config, settings).catch(() => null));
  return (await Promise.all(opened)).filter((endpoint) => endpoint !== null);
}
