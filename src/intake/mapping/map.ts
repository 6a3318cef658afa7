import type { Json, JsonObject } from "../../contract/json.ts";
import type { MappedField, Mapping } from "../../contract/webhooks/mapping.ts";
import type { Fault, PayloadValue } from "../../contract/webhooks/payload.ts";
import type { InputType, WorkflowInput } from "../../contract/workflow.ts";
import { isIsoInstant, readInstant } from "../../lib/instants.ts";
import { isPlain, nearestJson } from "../../lib/json-values.ts";
import { checkInputs, typedInput } from "../../workflows/inputs.ts";
import { autoMap } from "./names.ts";
import { type MappingSources, NO_SOURCES, readSource } from "./sources.ts";
import type { Transformed } from "./transforms/basic.ts";
import { applyTransform } from "./transforms/transforms.ts";
import { Unaffordable, WorkBudget } from "./work-budget.ts";

/** Characters and values of all inputs: as many as the largest payload can have. */
const MAX_INPUT_SIZE = 10_485_760;

/** The name of the input that is a whole payload. */
const WHOLE_PAYLOAD = "payload";

export type Mapped =
  | { ok: true; inputs: JsonObject; warnings: string[] }
  | { ok: false; faults: Fault[] };

/**
 * Maps a payload to the inputs of a workflow. Each field of the mapping reads its path and applies its
 * transforms, or takes its default if the value is absent or null. With `auto`, inputs without a field are
 * found by name (`autoMap`). A value of another type than its input is converted if nothing is lost
 * (`fitted`); else it is refused, or left out if it was only found by name and is not required. All faults
 * are returned, with the inputs' names as paths.
 *
 * A field for an undeclared input is passed unchanged. With `auto`, a workflow without inputs, under a
 * mapping without fields, gets the whole payload as `payload`.
 */
export async function mapPayload(
  payload: PayloadValue,
  mapping: Mapping,
  inputs: WorkflowInput[],
  sources: MappingSources = NO_SOURCES,
  budget = new WorkBudget(),
): Promise<Mapped> {
  if (mapping.auto && mapping.fields.length === 0 && inputs.length === 0) {
    const values = new Map([[WHOLE_PAYLOAD, payload]]);
    return { ok: true, inputs: undeclared(values, []), warnings: rounded(values) };
  }
  const fields = await fieldValues(payload, mapping.fields, sources, budget);
  const mapped = new Set(mapping.fields.map(({ to }) => to));
  const open = inputs.map(({ name }) => name).filter((name) => !mapped.has(name));
  const auto = autoMap(payload, mapping.auto ? open : []);
  const fitting = suited(auto, inputs, sources.isForm);
  const values = new Map([...fitting.values, ...fields.values]);
  if (mapping.emptyIsAbsent ?? sources.isForm) replaceEmpty(values, mapping.fields, inputs);
  const checked = declared(values, inputs, fields.faults);
  const missing = checked.ok ? [] : checked.faults;
  const faults = [...fields.faults, ...missing.map((fault) => explained(fault, auto.ambiguous))];
  if (!checked.ok || faults.length > 0) return { ok: false, faults };
  const others = undeclared(values, inputs);
  const all = { ...checked.inputs, ...others };
  if (left(all, MAX_INPUT_SIZE) < 0) return { ok: false, faults: [tooLarge] };
  const unmapped = [...auto.ambiguous].map(
    ([name, why]) => `the input ${name} is left unmapped: ${why}`,
  );
  return {
    ok: true,
    inputs: all,
    warnings: [
      ...fields.warnings,
      ...unmapped,
      ...fitting.warnings,
      ...unknown(others, inputs),
      ...rounded(values),
    ],
  };
}

/** Replaces empty texts by the defaults of their fields, and leaves them to those of the inputs. */
function replaceEmpty(
  values: Map<string, PayloadValue>,
  fields: MappedField[],
  inputs: WorkflowInput[],
): void {
  for (const [name, value] of values) {
    if (value !== "") continue;
    const fallback = fields.find(({ to }) => to === name)?.default;
    const hasDefault = inputs.some((input) => input.name === name && input.default !== null);
    if (fallback !== undefined) values.set(name, fallback);
    else if (hasDefault) values.delete(name);
  }
}

/** The values found by name, with the warnings about them. */
interface Found {
  values: Map<string, PayloadValue>;
  warnings: string[];
}

/**
 * Takes the last of a form's fields of one name for an input of one value, and leaves out values that do not
 * fit an optional input.
 */
function suited(found: Found, inputs: WorkflowInput[], isForm: boolean): Found {
  const values = new Map(found.values);
  const warnings = [...found.warnings];
  for (const { name, type, required } of inputs) {
    let value = values.get(name) ?? null;
    if (isForm && Array.isArray(value) && type !== "array" && type !== "object") {
      warnings.push(`the input ${name} is the last of ${value.length} fields of this name`);
      value = value.at(-1) ?? null;
      values.set(name, value);
    }
    if (required || value === null) continue;
    const typed = typedInput(fitted(value, type), type);
    if (typed.ok) continue;
    values.delete(name);
    warnings.push(`the input ${name} is left unmapped: it ${typed.message}`);
  }
  return { values, warnings };
}

/** Adds to the fault of a missing input that the payload has its name more than once. */
function explained(fault: Fault, ambiguous: Map<string, string>): Fault {
  const why = ambiguous.get(fault.path);
  return why === undefined ? fault : { ...fault, message: `${fault.message}: ${why}` };
}

async function fieldValues(
  payload: PayloadValue,
  fields: MappedField[],
  sources: MappingSources,
  budget: WorkBudget,
) {
  const warnings = fields.flatMap((field) => unmatched(payload, field, sources));
  const values = new Map<string, PayloadValue>();
  const faults: Fault[] = [];
  for (const field of fields) {
    const read = await fieldValue(payload, field, sources, budget);
    if (!read.ok) faults.push(read.fault);
    else if (read.value !== null) values.set(field.to, read.value);
  }
  return { values, faults, warnings };
}

/** Returns a warning for a field that read nothing and has no default. */
function unmatched(
  payload: PayloadValue,
  { to, from, in: part = "body", default: fallback }: MappedField,
  sources: MappingSources,
): string[] {
  if (from === null || fallback !== undefined) return [];
  if (readSource(payload, { in: part, from }, sources) !== undefined) return [];
  const place = part === "body" ? "" : `the ${part === "header" ? "header" : "query parameter"} `;
  return [`${place}${from}, for the input ${to}, matched nothing`];
}

/** Checks the declared inputs except those whose field has failed. */
function declared(values: Map<string, PayloadValue>, inputs: WorkflowInput[], faults: Fault[]) {
  const failed = new Set(faults.map(({ path }) => path));
  const checked = inputs.filter(({ name }) => !failed.has(name));
  const given = checked.flatMap(({ name, type }): [string, PayloadValue][] => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, fitted(value, type)]];
  });
  return checkInputs(Object.fromEntries(given), checked);
}

function undeclared(values: Map<string, PayloadValue>, inputs: WorkflowInput[]): JsonObject {
  const names = new Set(inputs.map(({ name }) => name));
  const others = [...values].filter(([name]) => !names.has(name));
  return Object.fromEntries(others.map(([name, value]) => [name, plainJson(value)]));
}

/** Keeps the digits of a number by itself; inside an object or array numbers stay numbers. */
function plainJson(value: PayloadValue): Json {
  return typeof value === "bigint" ? String(value) : nearestJson(value);
}

function rounded(values: Map<string, PayloadValue>): string[] {
  return [...values]
    .filter(([, value]) => value !== null && typeof value === "object" && !isPlain(value))
    .map(
      ([name]) =>
        `${name} contains a whole number with more digits than a number can hold, which is rounded; map it to a string input to keep its digits`,
    );
}

/** Returns the warnings about inputs that a workflow with inputs does not declare. */
function unknown(others: JsonObject, inputs: WorkflowInput[]): string[] {
  if (inputs.length === 0) return [];
  return Object.keys(others).map(
    (name) => `${name} is mapped but is not an input of the workflow; it is passed unchecked`,
  );
}

const tooLarge: Fault = {
  path: "",
  rule: "size",
  message: `all inputs together must have at most ${MAX_INPUT_SIZE} characters`,
};

/** Returns the room that a value leaves of so many characters and values; below zero it counts no further. */
function left(value: Json, room: number): number {
  if (room < 0) return room;
  if (typeof value === "string") return room - value.length - 1;
  if (value === null || typeof value !== "object") return room - 1;
  let rest = room - 1;
  for (const [name, member] of Object.entries(value)) {
    rest = left(member, rest - (Array.isArray(value) ? 0 : name.length));
    if (rest < 0) return rest;
  }
  return rest;
}

/** A decimal as JSON writes it, without an exponent: no leading zeros, no plus. */
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** Significant digits that every double keeps. */
const SURE_DIGITS = 15;
/** The end of a time that says its offset; without one it could be any zone's. */
const OFFSET = /(?:z|utc|gmt|[+-]\d{2}:?(?:\d{2})?)(?:\s*\([^()]*\))?$/i;

/**
 * Converts a value to the type of its input if nothing is lost: numbers and booleans to text, text such
 * as `12` or `true` to its value, the epoch and times with an offset to ISO 8601. Other values are returned
 * unchanged, for `checkInputs` to refuse. `007` stays text, since its sender did not write a number.
 */
export function fitted(value: PayloadValue, type: InputType): PayloadValue {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return String(value);
  }
  if (type === "timestamp" && (typeof value === "number" || typeof value === "bigint")) {
    return isoOf(value) ?? value;
  }
  if (typeof value !== "string") return value;
  if (type === "timestamp") return fittedTime(value);
  if (type === "number" || type === "integer") return spelledNumber(value.trim()) ?? value;
  if (type === "boolean") return { true: true, false: false }[value.trim()] ?? value;
  return value;
}

function fittedTime(text: string): string {
  return isIsoInstant(text) || !OFFSET.test(text.trim()) ? text : (isoOf(text) ?? text);
}

/** Returns null beyond the year 275760, where `Date` ends. */
function isoOf(time: number | bigint | string): string | null {
  const date = new Date(readInstant(time) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function spelledNumber(text: string): number | bigint | null {
  const fraction = PLAIN.exec(text);
  if (fraction === null) return null;
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "");
  const number = Number(text);
  if (digits.length <= SURE_DIGITS || String(number) === text) return number;
  return fraction[1] === undefined ? BigInt(text) : null;
}

/** The value of a field, null if it is absent, or the fault of a transform. */
type FieldValue = { ok: true; value: PayloadValue } | { ok: false; fault: Fault };

/**
 * Reads a field and applies its transforms. A field without a path but with transforms starts from the
 * whole payload. A field that is absent (no value or null at its path, or a null result) takes its
 * default, untransformed.
 */
async function fieldValue(
  payload: PayloadValue,
  field: MappedField,
  sources: MappingSources,
  budget: WorkBudget,
): Promise<FieldValue> {
  let found = rawValue(payload, field, sources);
  for (const [at, setting] of field.transforms.entries()) {
    if (found === null) break;
    const before = found;
    const outcome = await affordable(() => applyTransform(before, setting, payload, budget));
    if (!outcome.ok) return { ok: false, fault: fault(field, at, outcome.message) };
    found = outcome.value;
  }
  const value = found ?? field.default ?? null;
  // Each field that has it checks it and stores it.
  const passed = await affordable(() => {
    budget.spendPassing(value);
    return { ok: true, value };
  });
  if (passed.ok) return passed;
  return { ok: false, fault: fault(field, field.transforms.length, passed.message) };
}

/** Turns a transform that the budget cannot pay for into its failure. */
async function affordable(apply: () => Transformed | Promise<Transformed>): Promise<Transformed> {
  try {
    return await apply();
  } catch (error) {
    if (!(error instanceof Unaffordable)) throw error;
    return { ok: false, message: error.message };
  }
}

/** Returns what the transforms of a field begin with. */
function rawValue(
  payload: PayloadValue,
  { in: part, from, transforms }: MappedField,
  sources: MappingSources,
): PayloadValue {
  if (from !== null) return readSource(payload, { in: part, from }, sources) ?? null;
  return transforms.length > 0 ? payload : null;
}

function fault({ to, from, transforms }: MappedField, at: number, message: string): Fault {
  const before = transforms[at - 1];
  const source = from ?? "the payload";
  const subject = before === undefined ? source : `${source}, after ${before.type},`;
  return { path: to, rule: transforms[at]?.type ?? "transform", message: `${subject} ${message}` };
}
