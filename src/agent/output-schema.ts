import type { Json, JsonObject } from "../contract/json.ts";
import type { Violation } from "../contract/problem.ts";
import { SchemaFault } from "../lib/json-schema/schema-fault.ts";
import { validateJson } from "../lib/json-schema/validate.ts";

/** More would not help whoever repairs the data, and a long list has a violation per item. */
const MAX_VIOLATIONS = 20;

/** What is wrong with `data` under a JSON Schema 2020-12, the first 20; nothing when it matches. */
export function schemaViolations(schema: JsonObject, data: Json | undefined): Violation[] {
  if (data === undefined) {
    return [{ path: "", rule: "required", message: "no data was given" }];
  }
  try {
    const { violations } = validateJson(schema, data, MAX_VIOLATIONS);
    return violations.map(({ path, ...rest }) => ({ path: path.join("."), ...rest }));
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return [{ path: "", rule: error.rule, message: `the schema cannot be used: ${error.message}` }];
  }
}
