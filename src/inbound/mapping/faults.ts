import type { MappedField, Mapping } from "../../contract/inbound/mapping.ts";
import type { Fault } from "../../contract/inbound/payload.ts";
import type { WorkflowInput } from "../../contract/workflow.ts";
import { typedInput } from "../../workflows/inputs.ts";
import { fitted } from "./fit.ts";
import { parsePath } from "./paths.ts";
import { settingFault } from "./transforms/table.ts";

/**
 * What is wrong with a mapping that is about to be saved: malformed paths, settings of transforms that
 * can never work, fields that give nothing, and, where the workflow's inputs are known, defaults that
 * are not of their type. A field for a name that is no input is no fault: the workflow may change.
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
    const gives = field.transforms.length > 0 || field.default !== undefined;
    const message = "needs from, transforms or a default";
    return gives ? [] : [{ path, rule: "source", message }];
  }
  const parsed = parsePath(field.from);
  return parsed.ok ? [] : [{ path: `${path}.from`, rule: "path", message: parsed.message }];
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
