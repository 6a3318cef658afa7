import type { Json } from "./json-values.ts";

/** Stands for a secret. */
export const REDACTED = "[redacted]";

const TELLTALE =
  /token|secret|signature|hmac|api-?key|password|credential|jwt|authorization|^(?:set-)?cookie$/;

/** Returns whether a header or a field of this name usually holds a secret. */
export function isTelltale(name: string): boolean {
  return TELLTALE.test(name.toLowerCase().replaceAll("_", "-"));
}

/** Returns a value whose texts under telltale names are redacted, at any depth. */
export function redactByName(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(redactByName);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "string" && isTelltale(name) ? REDACTED : redactByName(member),
    ]),
  );
}
