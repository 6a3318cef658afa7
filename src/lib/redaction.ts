import { type Json, mapMembers } from "./json-values.ts";

/** Stands for a secret. */
export const REDACTED = "[redacted]";

const TELLTALE =
  /token|secret|signature|hmac|api-?key|password|credential|jwt|authorization|^(?:set-)?cookie$/;

/** Returns whether a header or a field of this name usually holds a secret. */
export function isTelltale(name: string): boolean {
  return TELLTALE.test(name.toLowerCase().replaceAll("_", "-"));
}

/** A parameter of an address: what stands before its value, and its name. */
const PARAMETER = /([?&]([\w.~-]{1,64})=)[^&#\s"'<>()\\]+/g;

/** Returns a text with the parameters of telltale names redacted in its addresses. */
export function redactAddresses(text: string): string {
  return text.replace(PARAMETER, (whole, before: string, name: string) =>
    isTelltale(name) ? before + REDACTED : whole,
  );
}

/** Returns a value whose texts under telltale names are redacted, at any depth, and in addresses. */
export function redactByName(value: Json): Json {
  if (typeof value === "string") return redactAddresses(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(redactByName);
  return mapMembers(value, (member, name) =>
    typeof member === "string" && isTelltale(name) ? REDACTED : redactByName(member),
  );
}
