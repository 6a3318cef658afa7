import * as z from "zod";
import type { Json, JsonObject } from "../contract/json.ts";
import { isScheduledAt } from "../contract/schedule.ts";
import type { Fault, PayloadValue } from "../contract/webhooks/payload.ts";
import type { InputType, WorkflowInput } from "../contract/workflow.ts";
import { iso } from "../lib/instants.ts";
import { isObject, nearestJson } from "../lib/json-values.ts";
import { preview } from "../lib/text.ts";

/** Unknown names that are reported; each message lists the known ones. */
const MAX_UNKNOWN = 20;

/** A value of an input's type, or the predicate that says why it is not, such as "must be a string". */
type Typed = { ok: true; value: Json } | { ok: false; message: string };

/**
 * Checks the inputs of an execution against the definitions of its workflow. A default fills an input
 * that is absent or null; without one the input is left out, or a fault if it is required. Values are not
 * converted, except whole numbers beyond a double (see `typedInput`). All faults are returned, with the
 * inputs' names as paths.
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

/** Returns inputs that were checked before with the defaults of today; as they are if they fit no longer. */
export function withDefaults(inputs: JsonObject, definitions: WorkflowInput[]): JsonObject {
  const checked = checkInputs(inputs, definitions);
  return checked.ok ? checked.inputs : inputs;
}

/** Returns the inputs of an execution that stands for this time (epoch milliseconds), where the workflow declares it. */
export function withScheduledAt(
  inputs: JsonObject,
  definitions: WorkflowInput[],
  at: number,
): JsonObject {
  const declared = definitions.find(isScheduledAt);
  return declared === undefined ? inputs : { ...inputs, [declared.name]: iso(at) };
}

/** Returns a fault for each default of the wrong type. */
export function definitionFaults(definitions: WorkflowInput[]): Fault[] {
  return definitions.flatMap(({ type, default: value }, at) => {
    if (value === null) return [];
    const typed = typedInput(value, type);
    const path = `inputs[${at}].default`;
    return typed.ok ? [] : [{ path, rule: "type", message: typed.message }];
  });
}

/**
 * Returns the value as an input of the type. A whole number that a double cannot hold becomes its digits
 * for a `string` and the nearest double for a `number`, and inside objects and arrays, where a schema
 * expects numbers; an `integer` refuses it, since it would change.
 */
export function typedInput(value: PayloadValue, type: InputType): Typed {
  if (typeof value === "bigint") return typedBigint(value, type);
  if (!MATCHES[type](value)) {
    return { ok: false, message: `must be ${NAMES[type]}; got ${described(value)}` };
  }
  return { ok: true, value: nearestJson(value) };
}

function typedBigint(value: bigint, type: InputType): Typed {
  const double = Number(value);
  if (type === "string") return { ok: true, value: String(value) };
  if (type === "number" && Number.isFinite(double)) return { ok: true, value: double };
  if (type === "integer" && String(double) === String(value)) return { ok: true, value: double };
  const digits = preview(String(value));
  const message =
    type === "number" || type === "integer"
      ? `must be a number that a double can hold; got ${digits}. Use a string input to keep its digits`
      : `must be ${NAMES[type]}; got the number ${digits}`;
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

/** Describes a value in a message: `the string "x"`, `an array`. */
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
      ? "is not an input; the workflow has none"
      : `is not an input of the workflow; its inputs are ${known.join(", ")}`;
  return Object.keys(values)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({ path: preview(name), rule: "unknown", message }));
}

const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the names that a prompt refers to as `{{name}}`, each once. */
export function referencesOf(prompt: string): string[] {
  return [...new Set([...prompt.matchAll(REFERENCE)].map(([, name = ""]) => name))];
}

/**
 * Returns the first reference of a prompt to an undeclared input, as a fault, or null. Values never
 * become part of the prompt: the agent gets them as data beside it, so that a payload cannot give orders.
 */
export function templateFault(prompt: string, inputNames: readonly string[]): Fault | null {
  const unknown = referencesOf(prompt).find((name) => !inputNames.includes(name));
  if (unknown === undefined) return null;
  const known =
    inputNames.length === 0 ? "the workflow has none" : `declared are ${inputNames.join(", ")}`;
  return {
    path: "prompt",
    rule: "reference",
    message: `refers to the undeclared input {{${unknown}}}; ${known}`,
  };
}
