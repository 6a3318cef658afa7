import { type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject } from "../contract/json.ts";
import type { Violation } from "../contract/problem.ts";

/** What is wrong with `data` under a JSON Schema 2020-12; nothing when it matches. */
export function schemaViolations(schema: JsonObject, data: Json | undefined): Violation[] {
  if (data === undefined) {
    return [{ path: "", rule: "required", message: "no data was given" }];
  }
  const result = new Validator(schema as Schema, "2020-12", false).validate(data);
  return result.errors.map(({ instanceLocation, keyword, error }) => ({
    path: instanceLocation.replace(/^#\/?/, "").replaceAll("/", "."),
    rule: keyword,
    message: error,
  }));
}
