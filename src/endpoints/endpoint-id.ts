import { endpointId } from "../contract/webhooks/endpoint.ts";
import { toHex } from "../lib/encoding.ts";
import { codeOf, type Place } from "../lib/place.ts";
import { hasKeyedCheck, keyedCheck } from "../lib/secrets.ts";

/** The number of random bytes in an id: nobody guesses 128 bits, and the first 40 tag executions. */
export const ENDPOINT_RANDOM_BYTES = 16;
const CHECK_BYTES = 4;
const CHECK_DIGITS = 2 * CHECK_BYTES;

/**
 * Returns a new endpoint id: `ep_`, the code of its account's place if that has one, the random bytes and 32
 * bits of the keyed check, in hex.
 */
export async function newEndpointId(
  random: Uint8Array,
  idKeys: readonly string[],
  place: Place | null = null,
): Promise<string> {
  if (random.length !== ENDPOINT_RANDOM_BYTES) throw new RangeError("an id has 16 random bytes");
  const stem = `ep_${codeOf(place)}${toHex(random)}`;
  return stem + (await keyedCheck(stem, idKeys, inHex));
}

/** Returns whether this service issued the id. Made-up ids are refused without a look-up. */
export async function isIssuedEndpointId(
  text: string,
  idKeys: readonly string[],
): Promise<boolean> {
  if (!endpointId.safeParse(text).success) return false;
  const stem = text.slice(0, -CHECK_DIGITS);
  return await hasKeyedCheck(stem, text.slice(-CHECK_DIGITS), idKeys, inHex);
}

const inHex = (mac: Uint8Array) => toHex(mac.subarray(0, CHECK_BYTES));
