import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";

/** What a reference such as `{{page}}` stands for. */
export type Referenced =
  | { kind: "url"; url: string; label: string }
  | { kind: "email"; address: string }
  | { kind: "number"; value: number; unit: string }
  | { kind: "quote"; value: string }
  | { kind: "data"; data: string; format: "csv" | "json" | "text" };

const REFERENCE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/uy;

/** Returns the value of an input that is referenced at a place of the text, and the length of the reference. */
export function referenceAt(
  text: string,
  at: number,
  inputs: JsonObject | null,
): { length: number; value: Referenced } | null {
  REFERENCE.lastIndex = at;
  const [whole, name] = REFERENCE.exec(text) ?? [];
  const value = name === undefined ? undefined : valueAt(inputs, name);
  if (whole === undefined || value === undefined) return null;
  return { length: whole.length, value: referenced(value) };
}

/** Fills references within an address with encoded values; a reference without a value stays. */
export function filledUrl(url: string, inputs: JsonObject | null): string {
  return filled(url, inputs, (value) => encodeURIComponent(textOf(value)));
}

/** Fills references within the strings of a JSON text; one that is a whole string becomes the value itself. */
export function filledJson(data: string, inputs: JsonObject | null): string {
  if (!data.includes("{{")) return data;
  const whole = data.replace(/"\{\{\s*([\w.-]+)\s*\}\}"/g, (shown, name: string) => {
    const value = valueAt(inputs, name);
    return value === undefined ? shown : JSON.stringify(value);
  });
  return filled(whole, inputs, (value) => JSON.stringify(textOf(value)).slice(1, -1));
}

/** Fills references within a plain text. */
export function filledText(text: string, inputs: JsonObject | null): string {
  return filled(text, inputs, textOf);
}

function filled(text: string, inputs: JsonObject | null, write: (value: Json) => string): string {
  return text.replace(/\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu, (shown, name: string) => {
    const value = valueAt(inputs, name);
    return value === undefined ? shown : write(value);
  });
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the value at a path of the inputs; undefined where there is none. */
function valueAt(inputs: JsonObject | null, path: string): Json | undefined {
  let value: Json | undefined = inputs ?? undefined;
  for (const key of path.split(".")) {
    value =
      value !== undefined && isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Returns a value of an input as the literal that it is. */
export function referenced(value: Json): Referenced {
  if (typeof value === "number") return { kind: "number", value, unit: "" };
  if (typeof value !== "string")
    return { kind: "data", data: JSON.stringify(value), format: "json" };
  if (/^https?:\/\/\S+$/.test(value)) return { kind: "url", url: value, label: "" };
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value)) return { kind: "email", address: value };
  return value.includes("\n")
    ? { kind: "data", data: value, format: "text" }
    : { kind: "quote", value };
}
