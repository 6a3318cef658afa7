import type { EndpointConfig, KeptSecret } from "../contract/inbound/endpoint.ts";
import type { Settings } from "../env.ts";
import { open } from "../lib/secrets.ts";
import { type SecretUse, secretContext } from "./secrets.ts";
import type { Endpoint, OpenSecret } from "./types.ts";

/**
 * A secret of an endpoint cannot be opened: its key is no longer in ENCRYPTION_KEY. Nobody can be
 * checked against it, so nobody may come in; the sender is told no more than that it is unavailable.
 */
export class LockedEndpointError extends Error {
  constructor(endpointId: string) {
    super(`The secrets of ${endpointId} cannot be opened: their key is not in ENCRYPTION_KEY.`);
    this.name = "LockedEndpointError";
  }
}

/** An endpoint with its secrets opened. Throws a `LockedEndpointError` when one cannot be. */
export async function openEndpoint(
  config: EndpointConfig,
  { ENCRYPTION_KEY: keys }: Settings,
): Promise<Endpoint> {
  const { endpointId, auth } = config;

  async function opened(sealed: string, use: SecretUse): Promise<string> {
    const plain = await open(sealed, keys, secretContext(endpointId, use));
    if (plain === null) throw new LockedEndpointError(endpointId);
    return plain;
  }

  async function both({ sealed, previous }: KeptSecret, use: SecretUse): Promise<OpenSecret> {
    const current = await opened(sealed, use);
    if (previous === null) return { current, previous: null };
    const value = await opened(previous.sealed, use);
    return { current, previous: { value, validUntil: previous.validUntil } };
  }

  const [token, hmac, headerValues] = await Promise.all([
    auth.token && both(auth.token.secret, "token"),
    auth.hmac && both(auth.hmac.secret, "hmac"),
    Promise.all(
      auth.headers.map(({ name, value }) => value && opened(value.sealed, { header: name })),
    ),
  ]);
  return { config, token, hmac, headerValues };
}
