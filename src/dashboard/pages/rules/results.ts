import { mappingBody } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { mappingFaults } from "../../../intake/mapping/faults.ts";
import { type FieldTrace, traceField } from "../../../intake/mapping/field.ts";
import { mapPayload } from "../../../intake/mapping/map.ts";
import { WorkBudget } from "../../../intake/mapping/work-budget.ts";
import { faultsByIssues } from "../../forms/errors.tsx";
import { bodyOf, type Draft, type DraftField, fieldBody } from "./draft.ts";
import type { Sample } from "./sample.ts";

/** What a draft makes of a sample. */
export interface Results {
  /** For each field: the values on its way, or what is wrong with it. */
  fields: ({ ok: true; trace: FieldTrace } | { ok: false; message: string })[];
  /** The workflow's inputs by name, as far as the mapping finds them. */
  inputs: Record<string, PayloadValue>;
  /** What is wrong with an input, by its name. */
  faults: ReadonlyMap<string, string>;
  warnings: string[];
}

/** Maps a sample by a draft, and traces each of its fields. */
export async function resultsOf(
  draft: Draft,
  inputs: WorkflowInput[],
  { payload, sources }: Sample,
): Promise<Results> {
  const fields = [];
  for (const field of draft.fields) fields.push(await fieldResult(field, inputs, payload, sources));
  const none = { fields, inputs: {}, faults: new Map<string, string>(), warnings: [] };
  const parsed = mappingBody.safeParse(bodyOf(draft, inputs).mapping);
  if (!parsed.success || fields.some(({ ok }) => !ok)) return none;
  const mapped = await mapPayload(payload, parsed.data, inputs, sources);
  if (mapped.ok) return { ...none, inputs: mapped.inputs, warnings: mapped.warnings };
  return { ...none, faults: new Map(mapped.faults.map(({ path, message }) => [path, message])) };
}

async function fieldResult(
  field: DraftField,
  inputs: WorkflowInput[],
  payload: PayloadValue,
  sources: Sample["sources"],
): Promise<Results["fields"][number]> {
  const body = { auto: false, fields: [fieldBody(field, inputs)] };
  const parsed = mappingBody.safeParse(body);
  if (!parsed.success) {
    return { ok: false, message: [...faultsByIssues(parsed.error.issues).values()].join(" ") };
  }
  const [typed] = parsed.data.fields;
  const [fault] = await mappingFaults(parsed.data, inputs);
  if (typed === undefined) return { ok: false, message: "" };
  if (fault !== undefined) return { ok: false, message: fault.message };
  return { ok: true, trace: await traceField(payload, typed, sources, new WorkBudget()) };
}
