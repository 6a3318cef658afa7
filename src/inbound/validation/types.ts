import type { PayloadValue } from "../../contract/inbound/payload.ts";
import type { PayloadType } from "../../contract/inbound/validation.ts";
import { isObject } from "../../lib/json-values.ts";

/** ISO 8601, extended, with a time of day and an offset. */
const ISO =
  /^\d{4}-\d{2}-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Whether a value is of a type that `validation.types` names. A whole number of any form is an integer. */
export function isOfType(value: PayloadValue, type: PayloadType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "timestamp":
      return isTimestamp(value);
  }
}

function isTimestamp(value: PayloadValue): boolean {
  if (typeof value === "number" || typeof value === "bigint") return value >= 0;
  return typeof value === "string" && isIso(value);
}

function isIso(text: string): boolean {
  const day = ISO.exec(text)?.[1];
  if (day === undefined) return false;
  // Date.parse takes the 30th of February for a day in March.
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return date.getUTCDate() === Number(day);
}
