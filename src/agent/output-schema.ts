import { type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject } from "../contract/json.ts";
import type { Violation } from "../contract/problem.ts";

/** More would not help whoever repairs the data, and a long list has a violation per item. */
const MAX_VIOLATIONS = 20;

/** What is wrong with `data` under a JSON Schema 2020-12, the first 20; nothing when it matches. */
export function schemaViolations(schema: JsonObject, data: Json | undefined): Violation[] {
  if (data === undefined) {
    return [{ path: "", rule: "required", message: "no data was given" }];
  }
  const result = new Validator(schema as Schema, "2020-12", false).validate(data);
  return result.errors.slice(0, MAX_VIOLATIONS).map(({ instanceLocation, keyword, error }) => ({
    path: instanceLocation.replace(/^#\/?/, "").replaceAll("/", "."),
    rule: keyword,
    message: error,
  }));
}
