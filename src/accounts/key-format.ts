import { bytesForBase62, randomBase62 } from "../lib/encoding.ts";
import { codeOf, type Place } from "../lib/place.ts";
import { hasKeyedCheck, keyedCheck } from "../lib/secrets.ts";

const ACCOUNT_DIGITS = 12;
const SECRET_DIGITS = 32;
const CHECK_DIGITS = 6;

const KEY = /^(ph_(?:live|mcp)_((?:[0-9a-f]{2})??[0-9A-Za-z]{12})[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const ACCOUNT_ID = /^acc_((?:[0-9a-f]{2})??[0-9A-Za-z]{12})$/;

/** The number of random bytes in a key, and in an account's id. */
export const KEY_RANDOM_BYTES = bytesForBase62(SECRET_DIGITS);
export const ACCOUNT_RANDOM_BYTES = bytesForBase62(ACCOUNT_DIGITS);

/** Returns a new account id: `acc_`, the code of its place if it has one, and 12 base-62 digits. */
export function newAccountId(random: Uint8Array, place: Place | null = null): string {
  return `acc_${codeOf(place)}${randomBase62(random, ACCOUNT_DIGITS)}`;
}

/** Returns whether a text has the form of an account id. */
export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text);
}

/** What a key is for: the API, or an address of the MCP server. */
export type KeyUse = "live" | "mcp";

/** Returns whether a text is the token of an address of the MCP server, which is no API key. */
export function isMcpToken(text: string): boolean {
  return text.startsWith("ph_mcp_");
}

/**
 * Returns a new key of an account: `ph_live_<account, 12 or 14><random, 32><check, 6>` in base 62, with 190 random
 * bits and 35 of the keyed check. Throws if `accountId` is not an account id.
 */
export async function newKey(
  accountId: string,
  random: Uint8Array,
  idKeys: readonly string[],
  use: KeyUse = "live",
): Promise<string> {
  const account = ACCOUNT_ID.exec(accountId)?.[1];
  if (account === undefined) throw new TypeError("not an account id");
  const stem = `ph_${use}_${account}${randomBase62(random, SECRET_DIGITS)}`;
  return stem + (await keyedCheck(stem, idKeys, inBase62));
}

/** Returns the account that a key names, or null if the text does not have the form of a key. */
export function accountOfKey(text: string): string | null {
  const account = KEY.exec(text)?.[2];
  return account === undefined ? null : `acc_${account}`;
}

/**
 * Returns whether this service issued the key. Mistyped and made-up keys are refused without a look-up;
 * only the account's object can tell whether an issued key is still valid.
 */
export async function isIssuedKey(text: string, idKeys: readonly string[]): Promise<boolean> {
  const [, stem, , check] = KEY.exec(text) ?? [];
  return stem !== undefined && check !== undefined && hasKeyedCheck(stem, check, idKeys, inBase62);
}

const inBase62 = (mac: Uint8Array) =>
  randomBase62(mac.subarray(0, bytesForBase62(CHECK_DIGITS)), CHECK_DIGITS);
