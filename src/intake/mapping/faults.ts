import type { MappedField, Mapping } from "../../contract/webhooks/mapping.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import { headerName } from "../../contract/webhooks/signature.ts";
import type { WorkflowInput } from "../../contract/workflow.ts";
import { isTelltale } from "../../lib/redaction.ts";
import { typedInput } from "../../workflows/inputs.ts";
import { fitted } from "./fit.ts";
import { parsePath } from "./payload-path.ts";
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
  if (field.in === "header") return headerFaults(field.from, path);
  if (field.in === "query") return [];
  const parsed = parsePath(field.from);
  return parsed.ok ? [] : [{ path: `${path}.from`, rule: "path", message: parsed.message }];
}

function headerFaults(name: string, path: string): Fault[] {
  const fault = (message: string) => [{ path: `${path}.from`, rule: "header", message }];
  if (!headerName.safeParse(name).success) return fault("must be a header name");
  return isTelltale(name) ? fault("must not be a header that holds a credential") : [];
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
