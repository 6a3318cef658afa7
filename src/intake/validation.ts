import type { Fault, PayloadValue } from "../contract/webhooks/payload.ts";
import type { PayloadType, ValidationRules } from "../contract/webhooks/validation.ts";
import { isIsoInstant } from "../lib/instants.ts";
import { schemaFault, validateJson } from "../lib/json-schema/validate.ts";
import { nearestJson } from "../lib/json-values.ts";
import { described } from "../workflows/inputs.ts";
import { parsePath, readPath, shownPath } from "./mapping/payload-path.ts";
import { typeOf } from "./shape/profile.ts";

/** A long list can have a fault per item; the first ones are enough to repair it. */
const MAX_FAULTS = 50;

/**
 * Returns every violation of the rules in a payload; of more than 50, the last one counts the rest. The
 * time is bounded. Throws for rules that `validationFaults` refuses.
 */
export function validatePayload(
  payload: PayloadValue,
  rules: Omit<ValidationRules, "maxBytes">,
): Fault[] {
  // Not compiled into the endpoint's schema: these rules count null as missing, name whole paths where a
  // parent is absent, and know timestamps; violations of JSON Schema have neither their paths nor words.
  const faults = [...missing(payload, rules), ...ofOtherTypes(payload, rules)];
  const { violations, omitted } = rules.schema
    ? validateJson(rules.schema, nearestJson(payload), MAX_FAULTS, { formats: rules.formats })
    : { violations: [], omitted: 0 };
  const all = [
    ...faults,
    ...violations.map(({ path, ...rest }) => ({ path: shownPath(path), ...rest })),
  ];
  return capped(all, all.length + omitted);
}

function missing(payload: PayloadValue, { required }: Pick<ValidationRules, "required">): Fault[] {
  return required
    .filter((path) => (readPath(payload, path) ?? null) === null)
    .map((path) => ({ path, rule: "required", message: "is required" }));
}

function ofOtherTypes(payload: PayloadValue, { types }: Pick<ValidationRules, "types">): Fault[] {
  return Object.entries(types)
    .filter(([path, type]) => !isAbsentOrOf(readPath(payload, path), type))
    .map(([path, type]) => ({
      path,
      rule: "type",
      message: `must be ${worded(type)}; got ${described(readPath(payload, path) ?? null)}`,
    }));
}

const isAbsentOrOf = (value: PayloadValue | undefined, type: PayloadType): boolean =>
  value === undefined || isOfType(value, type);

function worded(type: PayloadType): string {
  if (type === "null") return "null";
  if (type === "timestamp") return "a timestamp: ISO 8601 with an offset, or an epoch number";
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

function capped(faults: Fault[], count: number): Fault[] {
  if (count <= MAX_FAULTS) return faults;
  const kept = faults.slice(0, MAX_FAULTS - 1);
  const message = `and ${count - kept.length} more`;
  return [...kept, { path: "", rule: "more", message }];
}

/** Returns the errors of rules to be saved: malformed paths, and a schema that cannot be used. */
export function validationFaults(rules: Omit<ValidationRules, "maxBytes">): Fault[] {
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

function schemaFaults({ schema }: Pick<ValidationRules, "schema">): Fault[] {
  const fault = schema === null ? null : schemaFault(schema);
  if (fault === null) return [];
  return [{ path: `validation.schema${fault.path}`, rule: fault.rule, message: fault.message }];
}

/** Whether a value has a type of `validation.types`. A whole number of any form is an integer. */
function isOfType(value: PayloadValue, type: PayloadType): boolean {
  const own = typeOf(value);
  if (type === "timestamp") return isTimestamp(value);
  return own === type || (type === "number" && own === "integer");
}

function isTimestamp(value: PayloadValue): boolean {
  if (typeof value === "number" || typeof value === "bigint") return value >= 0;
  return typeof value === "string" && isIsoInstant(value);
}
