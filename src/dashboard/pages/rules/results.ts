import type { JsonObject } from "../../../contract/json.ts";
import { mappingBody } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { mappingFaults } from "../../../intake/mapping/faults.ts";
import { fieldValue } from "../../../intake/mapping/field.ts";
import { mapPayload } from "../../../intake/mapping/map.ts";
import { WorkBudget } from "../../../intake/mapping/work-budget.ts";
import { faultsByIssues } from "../../forms/errors.tsx";
import type { Sample } from "./samples.ts";

/** What a mapping makes of a sample. */
export interface Results {
  /** For each field: the value after its transforms, or what is wrong with it. */
  fields: ({ ok: true; value: PayloadValue } | { ok: false; message: string })[];
  /** The workflow's inputs by name, as far as the mapping finds them. */
  inputs: ReadonlyMap<string, PayloadValue>;
  /** What is wrong with an input, by its name. */
  faults: ReadonlyMap<string, string>;
  warnings: string[];
}

/** Maps a sample by a mapping as it was typed, right or wrong, each of its fields also by itself. */
export async function resultsOf(
  mapping: { auto: boolean; fields: JsonObject[] },
  inputs: WorkflowInput[],
  sample: Sample,
): Promise<Results> {
  const fields = [];
  for (const field of mapping.fields) fields.push(await fieldResult(field, inputs, sample));
  const none = {
    fields,
    inputs: new Map<string, PayloadValue>(),
    faults: new Map<string, string>(),
    warnings: [],
  };
  const parsed = mappingBody.safeParse(mapping);
  if (!parsed.success || fields.some(({ ok }) => !ok)) return none;
  const mapped = await mapPayload(sample.payload, parsed.data, inputs, sample.sources);
  return mapped.ok
    ? { ...none, inputs: new Map(Object.entries(mapped.inputs)), warnings: mapped.warnings }
    : { ...none, faults: new Map(mapped.faults.map(({ path, message }) => [path, message])) };
}

async function fieldResult(
  field: JsonObject,
  inputs: WorkflowInput[],
  { payload, sources }: Sample,
): Promise<Results["fields"][number]> {
  const parsed = mappingBody.safeParse({ auto: false, fields: [field] });
  if (!parsed.success) {
    return { ok: false, message: [...faultsByIssues(parsed.error.issues).values()].join(" ") };
  }
  const [typed] = parsed.data.fields;
  const [fault] = await mappingFaults(parsed.data, inputs);
  if (typed === undefined) return { ok: false, message: "" };
  if (fault !== undefined) return { ok: false, message: fault.message };
  const result = await fieldValue(payload, typed, sources, new WorkBudget());
  return result.ok ? result : { ok: false, message: result.fault.message };
}
