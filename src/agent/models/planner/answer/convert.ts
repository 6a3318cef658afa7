import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { parseNumber } from "../../../tools/process-data/values/numbers.ts";

/** The type that a schema names, without null; null where it names none. */
export function typeOf(schema: JsonObject): string | null {
  const type = schema.type;
  if (typeof type === "string") return type;
  if (Array.isArray(type))
    return type.find((one): one is string => typeof one === "string" && one !== "null") ?? null;
  if (isObject(schema.properties ?? null)) return "object";
  return schema.items === undefined ? null : "array";
}

export function nullable(schema: JsonObject): boolean {
  return schema.type === "null" || (Array.isArray(schema.type) && schema.type.includes("null"));
}

export function asObject(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}

/** A list of one stands for the one; of several none is taken. */
function alone(value: Json): Json | undefined {
  if (!Array.isArray(value)) return value;
  const [only, ...others] = value;
  return others.length === 0 ? only : undefined;
}

/** A value as the type that a schema names, or undefined when it is none. */
export function converted(found: Json | undefined, type: string | null): Json | undefined {
  if (found === undefined) return undefined;
  if (type === "array") return Array.isArray(found) ? found : undefined;
  if (type === "object") return isObject(found) ? found : undefined;
  if (type === null) return found;
  const value = alone(found);
  if (value === undefined) return undefined;
  switch (type) {
    case "string":
      return typeof value === "string" ? value : value === null ? undefined : cellText(value);
    case "number":
    case "integer": {
      const number =
        typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : null;
      if (number === null) return undefined;
      return type === "integer" && !Number.isInteger(number) ? undefined : number;
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      if (typeof value !== "string") return undefined;
      return /^(?:yes|true|in stock|available|y)$/i.test(value)
        ? true
        : /^(?:no|false|out of stock|n)$/i.test(value)
          ? false
          : undefined;
    default:
      return value;
  }
}
