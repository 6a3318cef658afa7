import { gzipSync } from "node:zlib";

const ZEROS = new Uint8Array(1_048_576);

/** Concatenated gzip data, of `megabytes` of zeros: about a thousandth of it on the wire. */
export function bomb(megabytes: number): Uint8Array {
  return gzip(new Uint8Array(megabytes * ZEROS.length));
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
