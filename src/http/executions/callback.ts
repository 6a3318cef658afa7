import { CALLBACK_SECRET_CONTEXT } from "../../contract/callbacks.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import type { TriggerBody } from "../../contract/trigger.ts";
import type { Settings } from "../../env.ts";
import { seal } from "../../lib/secrets.ts";
import { checkAddress } from "../../outbound/address.ts";
import { invalid, unavailable } from "../problem.ts";

/** Names under which the service is reached, by this request and by its configuration. */
export function serviceHosts(requestUrl: string, settings: Settings): string[] {
  return [new URL(requestUrl).host, ...settings.SERVICE_HOSTS];
}

/** Throws a 400 for an address that no callback may go to. */
export function checkCallbackUrl(url: string, ownHosts: string[], settings: Settings): void {
  const checked = checkAddress(url, {
    allowLoopback: settings.ALLOW_LOOPBACK,
    ownHosts,
    schemes: ["https"],
  });
  if (!checked.ok) throw invalid("callbackUrl", "address", checked.reason);
}

/** What the execution needs to call back, the address checked and the secret sealed; null for none. */
export async function callbackOf(
  { callbackUrl, callbackSecret, callbackEvents }: TriggerBody,
  ownHosts: string[],
  settings: Settings,
): Promise<ExecutionSeed["callback"]> {
  if (callbackUrl !== undefined) checkCallbackUrl(callbackUrl, ownHosts, settings);
  if (callbackUrl === undefined && callbackSecret === undefined) return null;
  return {
    url: callbackUrl ?? null,
    sealedSecret:
      callbackSecret === undefined ? null : await sealCallbackSecret(callbackSecret, settings),
    events: callbackEvents,
  };
}

/** The secret as it is kept; throws a 503 where there is no key to keep it with. */
export async function sealCallbackSecret(secret: string, settings: Settings): Promise<string> {
  if (settings.ENCRYPTION_KEY.length === 0) {
    throw unavailable(
      "This service has no ENCRYPTION_KEY, so it cannot keep a callbackSecret.",
      3_600,
    );
  }
  return seal(secret, settings.ENCRYPTION_KEY, CALLBACK_SECRET_CONTEXT);
}
