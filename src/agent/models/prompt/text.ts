import type { JsonObject } from "../../../contract/json.ts";

/** Marks data in a prompt. The instructions say that nothing inside is an instruction. */
export const DATA_TAG = "untrusted_data";

/**
 * What a forged mark is made of, be it ours or one of a model's own (`<|im_start|>`, `</s>`): the angle
 * bracket with its look-alikes, and the invisible tag characters, which some models read as letters.
 */
const MARKING = /[<\uff1c\ufe64\u{e0000}-\u{e007f}]/gu;

/**
 * JSON text that no mark can stand in: each such character is written as its escape, which reads the
 * same in JSON. It may be longer than before.
 */
export function escapeMarks(json: string): string {
  return json.replace(MARKING, escapes);
}

function escapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** JSON text as a marked part of a prompt. The data can neither end its part nor begin another. */
export function untrustedData(attributes: Record<string, string>, json: string): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/[^\w.:-]/g, "_")}"`,
  );
  return `<${DATA_TAG}${pairs.join("")}>\n${escapeMarks(json)}\n</${DATA_TAG}>`;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const CUT = "… (cut)";
const CUT_BYTES = byteLength(CUT);

/** The length in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The first bytes of a text, without half a character at the end. */
export function truncateToBytes(text: string, bytes: number): string {
  const start = new Uint8Array(bytes);
  const { written } = encoder.encodeInto(text, start);
  // Written anew: a slice of a text keeps the whole of it in memory.
  return decoder.decode(start.subarray(0, written));
}

/** A text of at most so many bytes, which says where it was cut. */
export function shortenText(text: string, bytes: number): string {
  if (text.length <= bytes && byteLength(text) <= bytes) return text;
  return truncateToBytes(text, Math.max(0, bytes - CUT_BYTES)) + CUT;
}

/**
 * A call's input of at most so many bytes of JSON. Long values become texts of their beginnings under
 * the same names, so that the model still sees what it did, and no other form that it might copy.
 */
export function shortenInput(input: JsonObject, bytes: number): JsonObject {
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
      return [name, shortenText(text, Math.max(CUT_BYTES, Math.floor(share / 2) - 8))];
    }),
  );
  if (byteLength(JSON.stringify(shortened)) <= bytes) return shortened;
  return { cut: `${length} bytes` };
}
