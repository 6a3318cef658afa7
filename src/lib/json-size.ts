/** The most member names and the most values in a JSON text: to read more takes longer than 100 ms. */
export const MAX_JSON_NAMES = 40_000;
export const MAX_JSON_VALUES = 60_000;

const PAYLOAD = { names: MAX_JSON_NAMES, values: MAX_JSON_VALUES };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Returns what the bytes of a JSON text have too many of, or null. Counts without parsing, since parsing
 * is what takes long, and stops at the limit.
 */
export function tooManyIn(bytes: Uint8Array, most = PAYLOAD): "names" | "values" | null {
  let names = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COLON) names += 1;
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) values += 1;
    if (names > most.names) return "names";
    if (values > most.values) return "values";
  }
  return null;
}

/** Returns the position of the quote that ends the string at `start`; the length if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}
