import type { MappedField, Mapping } from "../../contract/inbound/mapping.ts";
import type { Fault, PayloadValue } from "../../contract/inbound/payload.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { WorkflowInput } from "../../contract/workflow.ts";
import { exactJson } from "../../lib/json-values.ts";
import { checkInputs } from "../../workflows/inputs.ts";
import { autoMapped } from "./auto.ts";
import { fieldValue } from "./field.ts";
import { fitted } from "./fit.ts";
import { isWithin } from "./size.ts";

/** Characters and values of all inputs together: as many as the largest payload can have. */
const MAX_INPUT_SIZE = 10_485_760;

/** The input that a whole payload is handed over as. */
const WHOLE = "payload";

export type Mapped =
  | { ok: true; inputs: JsonObject; warnings: string[] }
  | { ok: false; faults: Fault[] };

/**
 * Turns a payload into the inputs of a workflow. First the mapping's own fields: each reads its path
 * and is transformed, or takes its default where there is nothing (or null). Then, with `auto`, inputs
 * that no field maps are found by name (`autoMapped`). What then is not of its input's type is converted
 * where nothing is lost (`fitted`), else refused. All faults are told, with the inputs' names as paths.
 *
 * A field for a name that the workflow does not declare is handed over as it is. With `auto`, a workflow
 * that declares no inputs, under a mapping without fields, gets the whole payload as `payload`.
 */
export async function mapPayload(
  payload: PayloadValue,
  mapping: Mapping,
  inputs: WorkflowInput[],
): Promise<Mapped> {
  if (mapping.auto && mapping.fields.length === 0 && inputs.length === 0) {
    return { ok: true, inputs: { [WHOLE]: exactJson(payload) }, warnings: [] };
  }
  const fields = await fieldValues(payload, mapping.fields);
  const mapped = new Set(mapping.fields.map(({ to }) => to));
  const open = inputs.map(({ name }) => name).filter((name) => !mapped.has(name));
  const auto = autoMapped(payload, mapping.auto ? open : []);
  const values = new Map([...auto.values, ...fields.values]);
  const checked = declared(values, inputs, fields.faults);
  const missing = checked.ok ? [] : checked.faults;
  const faults = [...fields.faults, ...missing.map((fault) => explained(fault, auto.ambiguous))];
  if (!checked.ok || faults.length > 0) return { ok: false, faults };
  const others = undeclared(values, inputs);
  const all = { ...checked.inputs, ...others };
  if (!isWithin(all, MAX_INPUT_SIZE)) return { ok: false, faults: [tooLarge] };
  const unmapped = [...auto.ambiguous].map(
    ([name, why]) => `the input ${name} is left unmapped: ${why}`,
  );
  return {
    ok: true,
    inputs: all,
    warnings: [...unmapped, ...auto.warnings, ...unknown(others, inputs)],
  };
}

/** The fault of an input that is missing although the payload has its name, and more than once. */
function explained(fault: Fault, ambiguous: Map<string, string>): Fault {
  const why = ambiguous.get(fault.path);
  return why === undefined ? fault : { ...fault, message: `${fault.message}: ${why}` };
}

async function fieldValues(payload: PayloadValue, fields: MappedField[]) {
  const values = new Map<string, PayloadValue>();
  const faults: Fault[] = [];
  for (const field of fields) {
    const read = await fieldValue(payload, field);
    if (!read.ok) faults.push(read.fault);
    else if (read.value !== null) values.set(field.to, read.value);
  }
  return { values, faults };
}

/** Checks the declared inputs, but for those whose field has failed already. */
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
  return Object.fromEntries(others.map(([name, value]) => [name, exactJson(value)]));
}

function unknown(values: JsonObject, inputs: WorkflowInput[]): string[] {
  const names = inputs.map(({ name }) => name);
  if (names.length === 0) return [];
  return Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is mapped, but is no input of the workflow; it is handed over untyped`);
}

const tooLarge: Fault = {
  path: "",
  rule: "size",
  message: `the inputs come to more than ${MAX_INPUT_SIZE} characters together`,
};
