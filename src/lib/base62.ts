import { toHex } from "./hex.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A whole number in base 62, padded with zeros to `length`; it must fit. */
export function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, "0");
}

/** How many random bytes `randomBase62` needs for `length` digits. */
export function bytesForBase62(length: number): number {
  return Math.ceil(bitsOf(length) / 8);
}

/**
 * `length` base-62 digits from random bytes: as many whole bits as the digits hold, so that every
 * value is equally likely (a remainder by 62 would favour some digits).
 */
export function randomBase62(random: Uint8Array, length: number): string {
  const bits = bitsOf(length);
  if (random.length * 8 < bits) throw new RangeError(`${length} digits need ${bits} random bits.`);
  return base62(BigInt.asUintN(bits, BigInt(`0x${toHex(random)}`)), length);
}

const bitsOf = (length: number): number => Math.floor(length * Math.log2(62));
