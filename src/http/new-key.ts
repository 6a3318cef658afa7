import { KEY_RANDOM_BYTES, newKey } from "../accounts/keys.ts";
import type { NewKey } from "../contract/account.ts";
import { bytesForBase62, randomBase62, sha256Hex } from "../lib/encoding.ts";

const KEY_ID_DIGITS = 16;

/** A key that was just made: `apiKey` for its holder, shown once; the rest for the account. */
export interface MintedKey {
  apiKey: string;
  stored: Pick<NewKey, "keyId" | "keyHash" | "last4">;
}

/** Makes a new key of an account. */
export async function mintKey(accountId: string): Promise<MintedKey> {
  const apiKey = newKey(accountId, randomBytes(KEY_RANDOM_BYTES));
  const id = randomBase62(randomBytes(bytesForBase62(KEY_ID_DIGITS)), KEY_ID_DIGITS);
  const stored = {
    keyId: `key_${id}`,
    keyHash: await sha256Hex(apiKey),
    last4: apiKey.slice(-4),
  };
  return { apiKey, stored };
}

/** Bytes that nobody can foretell. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
