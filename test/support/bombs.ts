import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";

const MEGABYTE = 1_048_576;
const HEADER = gzipSync("").subarray(0, 10);
const LAST_BLOCK = Uint8Array.of(3, 0);

/**
 * Returns gzip data of `megabytes` of zeros: about a thousandth of it on the wire. A gigabyte is made sooner
 * of a part that is there many `times`.
 */
export function bomb(megabytes: number, times = 1): Uint8Array<ArrayBuffer> {
  const zeros = new Uint8Array((megabytes / times) * MEGABYTE);
  // It needs nothing of what came before, so that it may be repeated.
  const part = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH });
  const parts = Array.from({ length: times }, () => part);
  const checksum = parts.reduce((sum) => crc32(zeros, sum), 0);
  const trailer = Uint32Array.of(checksum, megabytes * MEGABYTE);
  const bytes = [HEADER, ...parts, LAST_BLOCK, new Uint8Array(trailer.buffer)];
  return new Uint8Array(Buffer.concat(bytes));
}

/** The same, with a trailer that declares another inflated length. */
export function lyingBomb(megabytes: number, declared: number): Uint8Array {
  return declaring(bomb(megabytes), declared);
}

/** Returns a copy of gzip data whose trailer declares another inflated length. */
export function declaring(data: Uint8Array, declared: number): Uint8Array {
  const bytes = new Uint8Array(data);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, declared, true);
  return bytes;
}

export function gzip(data: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(data));
}
