import { type Json, json } from "../../contract/json.ts";
import { parseStrictJson } from "../../lib/strict-json.ts";

/** JSON that somebody has typed, or a sentence that says why it is none. */
export type TypedJson = { ok: true; value: Json } | { ok: false; message: string };

/** Reads JSON as the API would. */
export function typedJson(text: string): TypedJson {
  const read = parseStrictJson(new TextEncoder().encode(text));
  if (read.ok) return { ok: true, value: json.parse(read.value) };
  return { ok: false, message: read.detail.replace(/^The body is/, "This is") };
}

/** JSON for somebody to read and change. */
export function jsonText(value: Json): string {
  return JSON.stringify(value, null, 2);
}
