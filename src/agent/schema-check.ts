import type { Json, JsonObject } from "../contract/json.ts";
import type { Violation } from "../contract/problem.ts";
import type { SchemaViolation } from "../lib/json-schema/evaluation.ts";
import { SchemaFault } from "../lib/json-schema/keyword.ts";
import { validateJson } from "../lib/json-schema/validate.ts";
import { isObject } from "../lib/json-values.ts";

/** A long list can violate its schema once per item; the first violations are enough to repair it. */
const MAX_VIOLATIONS = 20;
const MAX_NULLS = 2_000;

/**
 * Removes the nulls that models write in place of absent fields: those of objects that the
 * schema does not accept.
 */
export function withoutNulls(schema: JsonObject, data: Json | undefined): Json | undefined {
  if (!isObject(data) && !Array.isArray(data)) return data;
  const found = findingsOf(schema, data, MAX_NULLS);
  if (found instanceof SchemaFault) return data;
  return found.reduce<Json>((rest, { path }) => withoutNull(rest, path), data);
}

/** Returns a value without the null at a path, if it is a field of an object. */
function withoutNull(value: Json, [step, ...path]: readonly (string | number)[]): Json {
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? withoutNull(item, path) : item));
  }
  if (!isObject(value) || step === undefined) return value;
  const member = value[step];
  if (member === undefined) return value;
  const { [step]: _, ...others } = value;
  if (path.length === 0 && member === null) return others;
  return { ...value, [step]: withoutNull(member, path) };
}

/** Returns the first 20 violations of a JSON Schema 2020-12 by `data`, or none if it matches. */
export function schemaViolations(schema: JsonObject, data: Json | undefined): Violation[] {
  if (data === undefined) {
    return [{ path: "", rule: "required", message: "is missing" }];
  }
  const found = findingsOf(schema, data, MAX_VIOLATIONS);
  if (!(found instanceof SchemaFault)) {
    return found.map(({ path, ...rest }) => ({ path: path.join("."), ...rest }));
  }
  const message = `cannot be checked, as the schema is invalid: ${found.message}`;
  return [{ path: "", rule: found.rule, message }];
}

/** Returns the first violations, or what is wrong with the schema. */
function findingsOf(schema: JsonObject, data: Json, most: number): SchemaViolation[] | SchemaFault {
  try {
    return validateJson(schema, data, most).violations;
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
}
