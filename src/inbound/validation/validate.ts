import type { Fault, PayloadValue } from "../../contract/inbound/payload.ts";
import type { PayloadType, ValidationRules } from "../../contract/inbound/validation.ts";
import { validateJson } from "../../lib/json-schema/validate.ts";
import { nearestJson } from "../../lib/json-values.ts";
import { readPath, shownPath } from "../mapping/paths.ts";
import { isOfType } from "./types.ts";

/** A long list has a fault per item; whoever repairs it needs some of them. */
const MAX_FAULTS = 50;

/**
 * All that breaks the rules in a payload; of more than 50 the last one says how many more there are.
 * The time is bounded. The rules must have been saved: they throw where `validationFaults` finds any.
 */
export function validatePayload(payload: PayloadValue, rules: ValidationRules): Fault[] {
  const faults = [...missing(payload, rules), ...ofOtherTypes(payload, rules)];
  const { violations, omitted } = rules.schema
    ? validateJson(rules.schema, nearestJson(payload), MAX_FAULTS)
    : { violations: [], omitted: 0 };
  const all = [
    ...faults,
    ...violations.map(({ path, ...rest }) => ({ path: shownPath(path), ...rest })),
  ];
  return capped(all, all.length + omitted);
}

function missing(payload: PayloadValue, { required }: ValidationRules): Fault[] {
  return required
    .filter((path) => (readPath(payload, path) ?? null) === null)
    .map((path) => ({ path, rule: "required", message: "is required" }));
}

function ofOtherTypes(payload: PayloadValue, { types }: ValidationRules): Fault[] {
  return Object.entries(types)
    .filter(([path, type]) => !isAbsentOrOf(readPath(payload, path), type))
    .map(([path, type]) => ({ path, rule: "type", message: `must be ${worded(type)}` }));
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
  const told = faults.slice(0, MAX_FAULTS - 1);
  const message = `and ${count - told.length} more`;
  return [...told, { path: "", rule: "more", message }];
}
