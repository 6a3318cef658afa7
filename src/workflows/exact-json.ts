import type { PayloadObject, PayloadValue } from "../contract/inbound/payload.ts";
import type { Json } from "../contract/json.ts";

/**
 * A value of a payload as JSON: a whole number that a double cannot hold becomes the text of its exact
 * digits, since a long id that changed in its last digits would be another id.
 */
export function exactJson(value: PayloadValue): Json {
  return isJson(value) ? value : converted(value);
}

/** Most payloads have no such number, and are not copied. */
function isJson(value: PayloadValue): value is Json {
  if (typeof value === "bigint") return false;
  if (value === null || typeof value !== "object") return true;
  return (Array.isArray(value) ? value : Object.values(value)).every(isJson);
}

function converted(value: PayloadValue): Json {
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return value;
  return Array.isArray(value) ? value.map(converted) : convertedObject(value);
}

/** From entries, so that a member named `__proto__` stays one. */
function convertedObject(value: PayloadObject): Json {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, converted(member)]),
  );
}
