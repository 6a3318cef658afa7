import { Buffer } from "node:buffer";
import type { JsonObject } from "../../../contract/json.ts";
import { mapMembers } from "../../../lib/json-values.ts";

/** The tag of data in a prompt, which the instructions declare to contain no instructions. */
export const DATA_TAG = "untrusted_data";

/**
 * The characters of a forged mark, ours or a model's own (`<|im_start|>`, `</s>`): the angle bracket with
 * its look-alikes, and the invisible tag characters, which some models read as letters.
 */
const MARKING = /[<\uff1c\ufe64\u{e0000}-\u{e007f}]/gu;

/** Escapes the characters of marks in JSON text, which keeps its meaning. It may become longer. */
export function escapeMarks(json: string): string {
  return json.replace(MARKING, escapes);
}

function escapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Escapes the characters of marks in plain text as HTML does. */
export function escapeMarksInText(text: string): string {
  return text.replace(MARKING, (mark) => (mark === "<" ? "&lt;" : `&#${mark.codePointAt(0)};`));
}

/**
 * Returns the length that an escaped text had, or less: a text that contains `&lt;` itself counts shorter,
 * and an escape that is cut at the end does not count.
 */
export function escapedLength(text: string): number {
  return text.replace(/&(?:lt|#\d+);/g, "<").replace(/&[#\w]{0,8}$/, "").length;
}

/** Marks text as data of a prompt. The data can neither end its part nor start another. */
export function untrustedData(attributes: Record<string, string>, json: string): string {
  const pairs = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replace(/[^\w.:-]/g, "_")}"`,
  );
  return `<${DATA_TAG}${pairs.join("")}>\n${escapeMarks(json)}\n</${DATA_TAG}>`;
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const CUT = "… (cut)";
const CUT_BYTES = byteLength(CUT);

/** Returns the length in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Cuts a text to its first bytes without splitting a character. */
export function truncateToBytes(text: string, bytes: number): string {
  const start = new Uint8Array(bytes);
  const { written } = new TextEncoder().encodeInto(text, start);
  // Copied, as a slice of a text keeps all of it in memory.
  return decoder.decode(start.subarray(0, written));
}

/** Cuts a text to a length in bytes, with a mark at the cut. */
export function shortenText(text: string, bytes: number): string {
  if (text.length <= bytes && byteLength(text) <= bytes) return text;
  return truncateToBytes(text, Math.max(0, bytes - CUT_BYTES)) + CUT;
}

/**
 * Shortens a call's input to a length in bytes of JSON. Long values become the start of their text under
 * the same names, so that the model sees what it did, in no other form that it might copy.
 */
export function shortenInput(input: JsonObject, bytes: number): JsonObject {
  if (bytes === Number.POSITIVE_INFINITY) return input;
  const length = byteLength(JSON.stringify(input));
  if (length <= bytes) return input;
  const names = Object.keys(input);
  const share = Math.floor(bytes / Math.max(1, names.length)) - Math.max(...names.map(byteLength));
  const shortened = mapMembers(input, (value) => {
    const json = JSON.stringify(value);
    if (byteLength(json) <= share - 8) return value;
    const text = typeof value === "string" ? value : json;
    // In JSON, quotes and line ends take up to twice the room.
    return shortenText(text, Math.max(CUT_BYTES, Math.floor(share / 2) - 8));
  });
  if (byteLength(JSON.stringify(shortened)) <= bytes) return shortened;
  return { cut: `${length} bytes` };
}
