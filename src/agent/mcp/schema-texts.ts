import type { Json, JsonObject } from "../../contract/json.ts";
import { isObject } from "../../lib/json-values.ts";
import { cutAt, visible } from "../tools/page/text.ts";

const MAX_TEXT_LENGTH = 300;

/** Keywords whose values are data, not schemas: what stands in them is compared as it is. */
const DATA = new Set(["const", "enum", "default", "examples"]);

/**
 * A stranger's schema whose descriptions hold no invisible characters and are short: models read them,
 * and a long one would be a place for instructions. What the schema accepts stays the same.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isText = (key === "description" || key === "title") && typeof value === "string";
      if (isText) return [key, cutAt(visible(value).trim(), MAX_TEXT_LENGTH)];
      return [key, DATA.has(key) ? value : plain(value)];
    }),
  );
}

function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? plainSchema(value) : value;
}
