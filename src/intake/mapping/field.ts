import type { MappedField } from "../../contract/webhooks/mapping.ts";
import type { Fault, PayloadValue } from "../../contract/webhooks/payload.ts";
import { type MappingSources, readSource } from "./sources.ts";
import type { Transformed } from "./transforms/outcome.ts";
import { applyTransform } from "./transforms/transforms.ts";
import { Unaffordable, type WorkBudget } from "./work-budget.ts";

/** The value of a field, null if it is absent, or the fault of a transform. */
type FieldValue = { ok: true; value: PayloadValue } | { ok: false; fault: Fault };

/** What a field reads, null for nothing, and the outcomes of its transforms up to the first failure or null. */
export interface FieldTrace {
  read: PayloadValue;
  steps: Transformed[];
}

/**
 * Reads a field and applies its transforms. A field without a path but with transforms starts from the
 * whole payload. A field that is absent (no value or null at its path, or a null result) takes its
 * default, untransformed.
 */
export async function fieldValue(
  payload: PayloadValue,
  field: MappedField,
  sources: MappingSources,
  budget: WorkBudget,
): Promise<FieldValue> {
  const { read, steps } = await traceField(payload, field, sources, budget);
  const last = steps.at(-1);
  if (last?.ok === false) return { ok: false, fault: fault(field, steps.length - 1, last.message) };
  const value = (last === undefined ? read : last.value) ?? field.default ?? null;
  // Each field that has it checks it and stores it.
  const passed = await affordable(() => {
    budget.spendPassing(value);
    return { ok: true, value };
  });
  if (passed.ok) return passed;
  return { ok: false, fault: fault(field, field.transforms.length, passed.message) };
}

/** Reads a field and applies its transforms, with each value on the way. */
export async function traceField(
  payload: PayloadValue,
  field: MappedField,
  sources: MappingSources,
  budget: WorkBudget,
): Promise<FieldTrace> {
  const read = start(payload, field, sources);
  const steps: Transformed[] = [];
  let value = read;
  for (const setting of field.transforms) {
    if (value === null) break;
    const outcome = await affordable(() => applyTransform(value, setting, payload, budget));
    steps.push(outcome);
    if (!outcome.ok) break;
    value = outcome.value;
  }
  return { read, steps };
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

function start(
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
