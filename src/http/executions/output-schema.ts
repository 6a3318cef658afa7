import type { JsonObject } from "../../contract/json.ts";
import { schemaFault } from "../../lib/json-schema/check-schema.ts";
import { invalid } from "../problem.ts";

/** Throws a 400 unless results can be checked against this schema; see `schemaFault`. */
export function checkOutputSchema(schema: JsonObject): void {
  const fault = schemaFault(schema);
  if (fault !== null) throw invalid(`outputSchema${fault.path}`, fault.rule, fault.message);
}
