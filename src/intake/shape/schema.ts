import type { Json, JsonObject } from "../../contract/json.ts";
import type { PayloadValue } from "../../contract/webhooks/payload.ts";
import { validateJson } from "../../lib/json-schema/validate.ts";
import { nearestJson } from "../../lib/json-values.ts";
import { shownPath } from "../mapping/payload-path.ts";
import {
  allowedTypes,
  fieldsOf,
  isAlwaysPresent,
  type Shape,
  type ShapeProfile,
} from "./profile.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Returns the learned shape as a JSON Schema 2020-12. It accepts every learned payload, and refuses one
 * with a new type or without a field that was always present. New fields pass, since senders add them.
 * Returns `{}` before anything was learned.
 */
export function schemaOf({ root }: ShapeProfile): JsonObject {
  return root === null ? {} : { $schema: DIALECT, ...schemaOfShape(root) };
}

/** Drifts that a log entry keeps. */
const MAX_DRIFTS = 20;

/** Describes how a payload differs from the learned schema: at most 20 sentences with paths. */
export function driftsFrom(schema: JsonObject, payload: PayloadValue): string[] {
  const { violations } = validateJson(schema, nearestJson(payload), MAX_DRIFTS);
  return violations
    .filter(({ rule }) => rule !== "work")
    .map(({ path, message }) => `${shownPath(path) || "The payload"} ${message}.`);
}

function schemaOfShape(shape: Shape): JsonObject {
  const schema: JsonObject = { ...typeOfShape(shape) };
  if (typeof shape.items === "object") schema.items = schemaOfShape(shape.items);
  const fields = fieldsOf(shape);
  if (fields.length > 0) {
    schema.properties = Object.fromEntries(
      fields.map(([name, field]): [string, Json] => [name, schemaOfShape(field)]),
    );
  }
  const required = fields
    .filter(([, field]) => isAlwaysPresent(field, shape))
    .map(([name]) => name);
  if (required.length > 0) schema.required = required;
  if (typeof shape.rest === "object") schema.additionalProperties = schemaOfShape(shape.rest);
  return schema;
}

function typeOfShape(shape: Shape): JsonObject {
  const seen = allowedTypes(shape);
  const types = seen.includes("number") ? seen.filter((type) => type !== "integer") : seen;
  const [only, ...others] = types;
  if (only === undefined) return {};
  return { type: others.length === 0 ? only : types };
}
