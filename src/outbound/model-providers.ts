import { ModelError } from "../contract/conversation.ts";
import { type OwnProvider, providerContext, type StoredProvider } from "../contract/models.ts";
import type { Settings } from "../env.ts";
import { open } from "../lib/secrets.ts";
import { OutboundError } from "../ports/fetch.ts";
import { allowedAddress } from "./guarded-fetch.ts";

/** Opens the keys of an account's providers, whose models then reach their own servers only. */
export async function openProviders(
  accountId: string,
  stored: readonly StoredProvider[],
  ownHosts: string[],
  settings: Settings,
): Promise<OwnProvider[]> {
  return Promise.all(
    stored.map(async ({ providerId, name, rule, sealedValue }) => {
      const context = providerContext(accountId, providerId);
      const key = await open(sealedValue, settings.ENCRYPTION_KEY, context);
      const provider = { ...rule, name, connect: connectTo(rule.baseUrl, ownHosts, settings) };
      return key === null
        ? { ...provider, missing: `its key again: that of ${name} can no longer be decrypted` }
        : { ...provider, key };
    }),
  );
}

/** Returns a fetch that reaches one host, by the rules for addresses that users choose. */
function connectTo(
  baseUrl: string,
  ownHosts: string[],
  { ALLOW_LOOPBACK: allowLoopback, DNS_OVER_HTTPS_URL }: Settings,
): typeof fetch {
  const policy = {
    allowLoopback,
    ownHosts,
    schemes: ["https" as const],
    allowedHosts: [new URL(baseUrl).host],
  };
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const options = {
      policy,
      dnsOverHttpsUrl: DNS_OVER_HTTPS_URL ?? null,
      fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
    };
    try {
      await allowedAddress(url, options, init?.signal ?? new AbortController().signal);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const isRefused = error.code === "address_refused";
      throw new ModelError(`The model's server cannot be asked. ${error.message}`, {
        retryable: !isRefused,
        isUnusable: isRefused,
      });
    }
    return fetch(input, init);
  };
}
