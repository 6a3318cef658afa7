import type { MappedField } from "../../contract/inbound/mapping.ts";
import type { Fault, PayloadValue } from "../../contract/inbound/payload.ts";
import { readPath } from "./paths.ts";
import { transformed } from "./transforms/table.ts";

/** The value of a field, null where it is absent; or why a transform failed. */
type FieldValue = { ok: true; value: PayloadValue } | { ok: false; fault: Fault };

/**
 * Reads a field and takes it through its transforms. A field without a path starts from the whole
 * payload where it has transforms. One that is absent (its path leads nowhere or to null, or a
 * transform gives null) is its default, untransformed.
 */
export async function fieldValue(payload: PayloadValue, field: MappedField): Promise<FieldValue> {
  const chained = await chain(payload, field);
  if (!chained.ok || chained.value !== null) return chained;
  return { ok: true, value: field.default ?? null };
}

async function chain(payload: PayloadValue, field: MappedField): Promise<FieldValue> {
  let value = start(payload, field);
  for (const [at, setting] of field.transforms.entries()) {
    if (value === null) break;
    const outcome = await transformed(value, setting, payload);
    if (!outcome.ok) return { ok: false, fault: fault(field, at, outcome.message) };
    value = outcome.value;
  }
  return { ok: true, value };
}

function start(payload: PayloadValue, { from, transforms }: MappedField): PayloadValue {
  if (from !== null) return readPath(payload, from) ?? null;
  return transforms.length > 0 ? payload : null;
}

function fault({ to, from, transforms }: MappedField, at: number, message: string): Fault {
  const before = transforms[at - 1];
  const source = from ?? "the payload";
  const subject = before === undefined ? source : `${source}, after ${before.type},`;
  return { path: to, rule: transforms[at]?.type ?? "transform", message: `${subject} ${message}` };
}
