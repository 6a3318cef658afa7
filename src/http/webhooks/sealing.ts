import type { KeptSecret } from "../../contract/inbound/endpoint.ts";
import type { Settings } from "../../env.ts";
import {
  newSecret,
  SECRET_BYTES,
  type SecretEncoding,
  type SecretUse,
  secretContext,
} from "../../inbound/secrets.ts";
import { seal } from "../../lib/secrets.ts";
import { last4 } from "../../lib/text.ts";
import { randomBytes } from "../new-key.ts";
import { unavailable } from "../problem.ts";

/** Whose secrets are sealed, by which keys, at which time (epoch milliseconds). */
export interface SealFor {
  endpointId: string;
  settings: Settings;
  now: number;
}

/** A secret that comes in the place of another. */
export interface Replacement {
  /** Made by the service when it is undefined. */
  given: string | undefined;
  /** The one so far; null for none. */
  kept: KeptSecret | null;
  use: "token" | "hmac";
  encoding: SecretEncoding;
  /** How long the one so far is valid beside it (epoch milliseconds). */
  validUntil: number;
}

/**
 * The secret as it is kept from now on; `made` is its text where the service made it. The one before
 * stays known until the next change, so that a sender which still uses it can be told so.
 */
export async function replacedSecret(
  { given, kept, use, encoding, validUntil }: Replacement,
  who: SealFor,
): Promise<{ secret: KeptSecret; made?: string }> {
  const text = given ?? newSecret(encoding, randomBytes(SECRET_BYTES));
  const secret = {
    ...(await sealedValue(text, use, who)),
    previous: kept && { sealed: kept.sealed, validUntil },
  };
  return given === undefined ? { secret, made: text } : { secret };
}

/** A text sealed for one use, with its end where that may be shown. Throws a 503 without a key. */
export async function sealedValue(
  text: string,
  use: SecretUse,
  { endpointId, settings: { ENCRYPTION_KEY } }: SealFor,
): Promise<{ sealed: string; last4: string }> {
  if (ENCRYPTION_KEY.length === 0) {
    throw unavailable("This service has no ENCRYPTION_KEY, so it cannot keep secrets.", 3_600);
  }
  const sealed = await seal(text, ENCRYPTION_KEY, secretContext(endpointId, use));
  return { sealed, last4: last4(text) };
}
