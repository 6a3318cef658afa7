import { base62, bytesForBase62, crc32, randomBase62 } from "../lib/encoding.ts";

const ACCOUNT_DIGITS = 12;
const SECRET_DIGITS = 32;
const CHECKSUM_DIGITS = 6;

const KEY = /^(ph_live_([0-9A-Za-z]{12})[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const ACCOUNT_ID = /^acc_([0-9A-Za-z]{12})$/;

/** The number of random bytes in a key, and in an account's id. */
export const KEY_RANDOM_BYTES = bytesForBase62(SECRET_DIGITS);
export const ACCOUNT_RANDOM_BYTES = bytesForBase62(ACCOUNT_DIGITS);

/** Returns a new account id, `acc_<12 base-62 digits>`. */
export function newAccountId(random: Uint8Array): string {
  return `acc_${randomBase62(random, ACCOUNT_DIGITS)}`;
}

/** Returns whether a text has the form of an account id. */
export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text);
}

/**
 * Returns a new key of an account: `ph_live_<account, 12><random, 32><checksum, 6>` in base 62, with 190
 * random bits. Throws if `accountId` is not an account id.
 */
export function newKey(accountId: string, random: Uint8Array): string {
  const account = ACCOUNT_ID.exec(accountId)?.[1];
  if (account === undefined) throw new TypeError("not an account id");
  const stem = `ph_live_${account}${randomBase62(random, SECRET_DIGITS)}`;
  return stem + checksum(stem);
}

/**
 * Returns the account that a key names, or null if the text is no key. The checksum rejects typos and
 * guesses without a look-up; only the account's object can tell whether the key is valid.
 */
export function parseKey(text: string): { accountId: string } | null {
  const [, stem, account, sum] = KEY.exec(text) ?? [];
  if (stem === undefined || sum !== checksum(stem)) return null;
  return { accountId: `acc_${account}` };
}

function checksum(stem: string): string {
  return base62(BigInt(crc32(new TextEncoder().encode(stem))), CHECKSUM_DIGITS);
}
