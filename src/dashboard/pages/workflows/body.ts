import {
  type CreateWorkflowBody,
  createWorkflowBody,
  type UpdateWorkflowBody,
  updateWorkflowBody,
} from "../../../contract/workflow.ts";
import type { Made } from "../../forms/attempt.ts";
import { type Faults, faultsByIssues } from "../../forms/faults.ts";
import { typedJson } from "../../forms/json.ts";
import { referencesOf } from "../../forms/tool-choice.ts";
import { type InputRow, PLAIN_TYPES, type WorkflowDraft } from "./draft.ts";

/** The body that makes a workflow of the draft. */
export function newBody(draft: WorkflowDraft): Made<CreateWorkflowBody> {
  const { fields, faults } = fieldsOf(draft);
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const parsed = createWorkflowBody.safeParse(Object.fromEntries(given));
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  return { ok: false, faults: joined(parsed.success ? [] : parsed.error.issues, faults) };
}

/** The body that makes a workflow what the draft says; an empty control clears its field. */
export function changedBody(draft: WorkflowDraft): Made<UpdateWorkflowBody> {
  const { fields, faults } = fieldsOf(draft);
  const parsed = updateWorkflowBody.safeParse(fields);
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  return { ok: false, faults: joined(parsed.success ? [] : parsed.error.issues, faults) };
}

function joined(issues: Parameters<typeof faultsByIssues>[0], own: Faults): Faults {
  return new Map([...faultsByIssues(issues), ...own]);
}

/** The draft as the API's fields, null for none; what cannot be read is a fault. */
function fieldsOf(draft: WorkflowDraft): { fields: Record<string, unknown>; faults: Faults } {
  const faults = new Map<string, string>();
  const read = (name: string, text: string): unknown => {
    if (text.trim() === "") return null;
    const typed = typedJson(text);
    if (typed.ok) return typed.value;
    faults.set(name, typed.message);
    return null;
  };
  const number = (name: "maxCredits" | "maxSteps" | "timeoutSeconds"): number | null => {
    const text = draft[name];
    if (text === "") return null;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    faults.set(name, "Must be a whole number.");
    return null;
  };
  const inputs = draft.inputs.map((row, at) =>
    inputOf(row, (text) => read(`inputs[${at}].default`, text)),
  );
  const fields = {
    name: draft.name,
    prompt: draft.prompt,
    inputs,
    model: draft.model === "" ? null : draft.model,
    tools: referencesOf(draft.tools),
    approvals: referencesOf(draft.approvals),
    maxCredits: number("maxCredits"),
    maxSteps: number("maxSteps"),
    timeoutSeconds: number("timeoutSeconds"),
    callbackUrl: draft.callbackUrl === "" ? null : draft.callbackUrl,
    ...secretOf(draft),
    outputSchema: read("outputSchema", draft.outputSchema),
  };
  return { fields, faults };
}

function inputOf(row: InputRow, read: (text: string) => unknown) {
  const { default: text, ...rest } = row;
  const isPlain = PLAIN_TYPES.includes(row.type);
  if (text === "") return { ...rest, default: null };
  return { ...rest, default: isPlain ? text : read(text) };
}

/** A secret that is left empty stays what it is. */
function secretOf({ callbackSecret, dropSecret }: WorkflowDraft): {
  callbackSecret?: string | null;
} {
  if (callbackSecret !== "") return { callbackSecret };
  return dropSecret ? { callbackSecret: null } : {};
}
