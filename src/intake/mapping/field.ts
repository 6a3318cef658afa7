import type { MappedField } from "../../contract/webhooks/mapping.ts";
import type { Fault, PayloadValue } from "../../contract/webhooks/payload.ts";
import { type MappingSources, readSource } from "./sources.ts";
import type { Transformed } from "./transforms/outcome.ts";
import { applyTransform } from "./transforms/transforms.ts";
import { Unaffordable, type WorkBudget } from "./work-budget.ts";

/** The value of a field, null if it is absent, or the fault of a transform. */
type FieldValue = { ok: true; value: PayloadValue } | { ok: false; fault: Fault };

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
  let found = start(payload, field, sources);
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
