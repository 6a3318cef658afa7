import type { Json, JsonObject } from "../../contract/json.ts";
import { schemaFault } from "../../lib/json-schema/check-schema.ts";
import { isObject } from "../../lib/json-values.ts";
import { schemaViolations } from "../output-schema.ts";

/**
 * What is wrong with the input of a remote tool, as a text for the model, or null. A schema that
 * cannot be checked here safely (a pattern that looks ahead, references without end, another dialect)
 * asks for an object only: the server checks its own tools in any case.
 */
export function inputFault(schema: JsonObject, input: Json): string | null {
  if (!isObject(input)) return "The input must be an object.";
  // The dialect is taken for the newest: what tools describe is the same in those before it.
  const { $schema: _, $id: __, ...rules } = schema;
  if (schemaFault(rules) !== null) return null;
  const violations = schemaViolations(rules, input);
  if (violations.length === 0) return null;
  return violations.map(({ path, message }) => `${path || "input"}: ${message}`).join("\n");
}
