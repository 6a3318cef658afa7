import * as z from "zod";
import type { Fault, PayloadValue } from "../contract/inbound/payload.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { InputType, WorkflowInput } from "../contract/workflow.ts";
import { exactJson, isObject } from "../lib/json-values.ts";
import { preview } from "../lib/text.ts";

/** Unknown names that are told; each message lists the known ones. */
const MAX_UNKNOWN = 20;

/** A value of an input's type, or the sentence, without its subject, that says why it is none. */
export type Typed = { ok: true; value: Json } | { ok: false; message: string };

/**
 * The inputs of a run, by the definitions of its workflow. A default fills an input that is absent
 * (not there, or null); absent ones without a default are left out, or a fault where they are required.
 * Values are not converted, but for whole numbers beyond a double (see `typedInput`). All faults are
 * told, not just the first; their paths are the inputs' names.
 */
export function checkInputs(
  values: { [name: string]: PayloadValue },
  definitions: WorkflowInput[],
): { ok: true; inputs: JsonObject } | { ok: false; faults: Fault[] } {
  const faults = unknownNames(values, definitions);
  const inputs: JsonObject = {};
  for (const { name, type, required, default: fallback } of definitions) {
    const given = Object.hasOwn(values, name) ? (values[name] ?? null) : null;
    const value = given ?? fallback;
    if (value === null) {
      if (required) faults.push({ path: name, rule: "required", message: "is required" });
      continue;
    }
    const typed = typedInput(value, type);
    if (typed.ok) inputs[name] = typed.value;
    else faults.push({ path: name, rule: "type", message: typed.message });
  }
  return faults.length === 0 ? { ok: true, inputs } : { ok: false, faults };
}

/** Defaults that are not of their input's type. */
export function definitionFaults(definitions: WorkflowInput[]): Fault[] {
  return definitions.flatMap(({ type, default: value }, at) => {
    if (value === null) return [];
    const typed = typedInput(value, type);
    const path = `inputs[${at}].default`;
    return typed.ok ? [] : [{ path, rule: "type", message: typed.message }];
  });
}

/**
 * The value as an input of the type. A whole number that a double cannot hold is, for a `string`, its
 * exact digits; for a `number`, the nearest double; for an `integer`, refused, since it would change.
 */
export function typedInput(value: PayloadValue, type: InputType): Typed {
  if (typeof value === "bigint") return typedBigint(value, type);
  if (!MATCHES[type](value)) {
    return { ok: false, message: `must be ${NAMES[type]}, and is ${described(value)}` };
  }
  return { ok: true, value: exactJson(value) };
}

function typedBigint(value: bigint, type: InputType): Typed {
  const double = Number(value);
  if (type === "string") return { ok: true, value: String(value) };
  if (type === "number" && Number.isFinite(double)) return { ok: true, value: double };
  if (type === "integer" && String(double) === String(value)) return { ok: true, value: double };
  const digits = preview(String(value));
  const message =
    type === "number" || type === "integer"
      ? `is ${digits}, which a number cannot hold without changing it; a string input keeps its digits`
      : `must be ${NAMES[type]}, and is the number ${digits}`;
  return { ok: false, message };
}

const timestamp = z.iso.datetime({ offset: true });

const MATCHES: Record<InputType, (value: PayloadValue) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  timestamp: (value) => timestamp.safeParse(value).success,
  object: isObject,
  array: (value) => Array.isArray(value),
};

const NAMES: Record<InputType, string> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  timestamp: "an ISO 8601 time with an offset, such as 2026-01-31T09:30:00Z",
  object: "an object",
  array: "an array",
};

/** What a value is, with a look at it where it is short: `the string "x"`, `an array`. */
export function described(value: PayloadValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `the string ${JSON.stringify(preview(value))}`;
  if (typeof value === "boolean") return String(value);
  return `the number ${preview(String(value))}`;
}

function unknownNames(
  values: { [name: string]: PayloadValue },
  definitions: WorkflowInput[],
): Fault[] {
  const known = definitions.map(({ name }) => name);
  const message =
    known.length === 0
      ? "is not an input: the workflow has none"
      : `is not an input of the workflow, which has: ${known.join(", ")}`;
  return Object.keys(values)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({ path: preview(name), rule: "unknown", message }));
}
