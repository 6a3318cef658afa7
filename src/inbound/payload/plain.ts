import type { PayloadValue } from "../../contract/inbound/payload.ts";
import type { Json } from "../../contract/json.ts";

/**
 * A payload as plain JSON values, each bigint as the nearest double. One without bigints is the answer
 * itself and not a copy.
 */
export function toJson(value: PayloadValue): Json {
  return isJson(value) ? value : converted(value);
}

/** A payload as JSON text; whole numbers keep all their digits. */
export function payloadText(value: PayloadValue): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === "bigint" ? JSON.rawJSON(String(part)) : part,
  );
}

function isJson(value: PayloadValue): value is Json {
  if (typeof value === "bigint") return false;
  if (value === null || typeof value !== "object") return true;
  return (Array.isArray(value) ? value : Object.values(value)).every(isJson);
}

function converted(value: PayloadValue): Json {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(converted);
  // From entries, so that a member named `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, converted(member)]),
  );
}

declare global {
  interface JSON {
    /** A part of JSON.stringify's output, as it is (ECMA-262, JSON.parse source text access). */
    rawJSON(text: string): object;
  }
}
