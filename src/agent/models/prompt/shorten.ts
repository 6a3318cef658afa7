import type { JsonObject } from "../../../contract/json.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const CUT = "… (cut)";
const CUT_BYTES = byteLength(CUT);

/** The length in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The first bytes of a text, without half a character at the end. */
export function head(text: string, bytes: number): string {
  const start = new Uint8Array(bytes);
  const { written } = encoder.encodeInto(text, start);
  // Written anew: a slice of a text keeps the whole of it in memory.
  return decoder.decode(start.subarray(0, written));
}

/** A text of at most so many bytes, which says where it was cut. */
export function shortText(text: string, bytes: number): string {
  if (text.length <= bytes && byteLength(text) <= bytes) return text;
  return head(text, Math.max(0, bytes - CUT_BYTES)) + CUT;
}

/**
 * A call's input of at most so many bytes of JSON. Long values become texts of their beginnings under
 * the same names, so that the model still sees what it did, and no other form that it might copy.
 */
export function shortInput(input: JsonObject, bytes: number): JsonObject {
  const length = byteLength(JSON.stringify(input));
  if (length <= bytes) return input;
  const names = Object.keys(input);
  const share = Math.floor(bytes / Math.max(1, names.length)) - Math.max(...names.map(byteLength));
  const shortened = Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const json = JSON.stringify(value);
      if (byteLength(json) <= share - 8) return [name, value];
      const text = typeof value === "string" ? value : json;
      // Written as JSON again, quotes and line ends take up to twice the room.
      return [name, shortText(text, Math.max(CUT_BYTES, Math.floor(share / 2) - 8))];
    }),
  );
  if (byteLength(JSON.stringify(shortened)) <= bytes) return shortened;
  return { cut: `${length} bytes` };
}
