import type { Json, JsonObject } from "../../../contract/json.ts";
import { valueAt } from "../../../lib/json-values.ts";

const REFERENCE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu;

/** Returns the paths of the references in a text. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, path]) => path ?? "");
}

/** Fills the references of a plain text. */
export function fillText(text: string, scope: JsonObject): string {
  return fill(text, scope, textOf);
}

/** Fills the references of an address; values are encoded, unless one is the whole address. */
export function fillUrl(url: string, scope: JsonObject): string {
  if (url.startsWith("{{")) return fillText(url, scope);
  return fill(url, scope, (value) => encodeURIComponent(textOf(value)));
}

/** Fills the references of a JSON text: one that is a whole string becomes the value itself. */
export function fillJson(text: string, scope: JsonObject): string {
  const whole = text.replace(/"\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}"/gu, (shown, path: string) => {
    const value = valueAt(scope, path);
    return value === undefined ? shown : JSON.stringify(value);
  });
  return fill(whole, scope, (value) => JSON.stringify(textOf(value)).slice(1, -1));
}

function fill(text: string, scope: JsonObject, write: (value: Json) => string): string {
  return text.replace(REFERENCE, (shown, path: string) => {
    const value = valueAt(scope, path);
    return value === undefined ? shown : write(value);
  });
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
