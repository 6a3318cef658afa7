import type { Fault } from "../../contract/inbound/payload.ts";
import type { ValidationRules } from "../../contract/inbound/validation.ts";
import { schemaFault } from "../../lib/json-schema/check-schema.ts";
import { parsePath } from "../mapping/paths.ts";

/** What is wrong with rules that are about to be saved: malformed paths, a schema that cannot be used. */
export function validationFaults(rules: ValidationRules): Fault[] {
  return [
    ...rules.required.flatMap((path, at) => pathFaults(path, `validation.required[${at}]`)),
    ...Object.keys(rules.types).flatMap((path) => pathFaults(path, `validation.types.${path}`)),
    ...schemaFaults(rules),
  ];
}

function pathFaults(text: string, place: string): Fault[] {
  const parsed = parsePath(text);
  return parsed.ok ? [] : [{ path: place, rule: "path", message: parsed.message }];
}

function schemaFaults({ schema }: ValidationRules): Fault[] {
  const fault = schema === null ? null : schemaFault(schema);
  if (fault === null) return [];
  return [{ path: `validation.schema${fault.path}`, rule: fault.rule, message: fault.message }];
}
