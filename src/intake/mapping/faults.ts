import type { MappedField, Mapping } from "../../contract/webhooks/mapping.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../contract/workflow.ts";
import { typedInput } from "../../workflows/inputs.ts";
import { fitted } from "./map.ts";
import { sourceFault } from "./sources.ts";
import { settingFault } from "./transforms/transforms.ts";

/**
 * Returns the errors of a mapping to be saved: malformed paths, transform settings that can never work,
 * fields without a value, and, if the workflow's inputs are known, defaults of the wrong type. A field
 * for an undeclared input is allowed: the workflow may change.
 */
export async function mappingFaults(
  { fields }: Mapping,
  inputs: WorkflowInput[] | null,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [at, field] of fields.entries()) {
    const path = `mapping.fields[${at}]`;
    faults.push(
      ...sourceFaults(field, path),
      ...(await transformFaults(field, path)),
      ...defaultFaults(field, path, inputs ?? []),
    );
  }
  return faults;
}

function sourceFaults(field: MappedField, path: string): Fault[] {
  if (field.from === null) {
    const hasValue = field.transforms.length > 0 || field.default !== undefined;
    const message = "needs from, transforms or a default";
    return hasValue ? [] : [{ path, rule: "source", message }];
  }
  const fault = sourceFault(field.in, field.from);
  return fault === null ? [] : [{ path: `${path}.from`, ...fault }];
}

async function transformFaults({ transforms }: MappedField, path: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [at, setting] of transforms.entries()) {
    const message = await settingFault(setting);
    if (message === null) continue;
    faults.push({ path: `${path}.transforms[${at}]`, rule: setting.type, message });
  }
  return faults;
}

function defaultFaults(field: MappedField, path: string, inputs: WorkflowInput[]): Fault[] {
  const input = inputs.find(({ name }) => name === field.to);
  if (input === undefined || field.default === undefined || field.default === null) return [];
  const typed = typedInput(fitted(field.default, input.type), input.type);
  return typed.ok ? [] : [{ path: `${path}.default`, rule: "type", message: typed.message }];
}
