import * as z from "zod";
import { jsonObject } from "../../../contract/json.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { Submit } from "../../components/elements.tsx";
import { Controls, FormErrors, FormKey } from "../../forms/fields.tsx";
import {
  type Field,
  type Fields,
  type Form,
  type FormState,
  jsonText,
  type Values,
} from "../../forms/form.ts";
import { workflowPath } from "../../paths.ts";

const runBody = z.object({ inputs: jsonObject.default({}) });

/** Returns the form that runs a workflow, with a control for each of its inputs. */
export function runFormOf({ inputs }: WorkflowRecord): Form<typeof runBody> {
  return {
    schema: runBody,
    fields: inputFields(inputs),
    assemble: (values, fault) => ({ inputs: typedInputs(inputs, values, fault) }),
  };
}

/** Returns a control for each of a workflow's inputs. */
export function inputFields(inputs: readonly WorkflowInput[]): Fields {
  return Object.fromEntries(inputs.map((input) => [`inputs.${input.name}`, fieldOf(input)]));
}

/** Returns the inputs that were typed, each as what the workflow takes. */
export function typedInputs(
  inputs: readonly WorkflowInput[],
  values: Values,
  fault: (name: string, message: string) => void,
): Values {
  const given = inputs.flatMap(({ name, type }) => {
    const value = values[`inputs.${name}`];
    if (value === undefined) return [];
    const read = READERS[type]?.safeParse(value);
    if (read?.success === false) fault(`inputs.${name}`, "Must be a number.");
    return [[name, read?.success === true ? read.data : value]];
  });
  return Object.fromEntries(given);
}

const number = z.coerce.number();
const READERS: Partial<Record<WorkflowInput["type"], z.ZodType>> = {
  number,
  integer: number,
  boolean: z.string().transform((text) => text === "true"),
  timestamp: z.string().transform(withZone),
};

/** Browsers send times without a zone and often without seconds; the label says that they are UTC. */
function withZone(text: string): string {
  const [, minutes, seconds = ":00"] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/.exec(text) ?? [];
  return minutes === undefined ? text : `${minutes}${seconds}Z`;
}

const YES_OR_NO = [
  { value: "", label: "–" },
  { value: "true", label: "true" },
  { value: "false", label: "false" },
];

/** Returns the control that suits an input's type. */
function fieldOf(input: WorkflowInput): Field {
  const { name, type, required, default: standard } = input;
  const isNeeded = required && standard === null;
  const more = { required: isNeeded };
  const zone = type === "timestamp" ? " (UTC)" : "";
  const common = { label: `${name}${isNeeded ? " *" : ""}${zone}`, hint: hintOf(input) };
  switch (type) {
    case "string":
      return { ...common, kind: "text", more: { ...more, class: "line", rows: 1 } };
    case "number":
      return { ...common, kind: "line", more: { ...more, type: "number", step: "any" } };
    case "integer":
      return { ...common, kind: "line", more: { ...more, type: "number", step: 1 } };
    case "timestamp":
      return { ...common, kind: "moment", more };
    case "boolean":
      return { ...common, kind: "select", options: YES_OR_NO, more };
    default:
      return { ...common, kind: "json", more };
  }
}

const KINDS: Partial<Record<WorkflowInput["type"], string>> = {
  integer: "A whole number.",
  number: "A number.",
  object: "A JSON object.",
  array: "A JSON array.",
};

function hintOf({ type, default: standard, description }: WorkflowInput): string | undefined {
  const shown = typeof standard === "string" ? standard : jsonText(standard);
  const parts = [description, KINDS[type] ?? "", standard === null ? "" : `Default: ${shown}`];
  return parts.filter((part) => part !== "").join(" · ") || undefined;
}

/** The form that runs a workflow. */
export function RunForm({ workflowId, state }: { workflowId: string; state: FormState }) {
  const names = Object.keys(state.form.fields);
  return (
    <form
      method="post"
      action={workflowPath(workflowId, "/run")}
      class="card"
      aria-labelledby="run"
    >
      <h2 id="run">Run workflow</h2>
      <FormErrors of={state} />
      <FormKey />
      <Controls of={state} names={names} />
      {names.length === 0 && <p class="muted">This workflow has no inputs.</p>}
      <Submit>Run workflow</Submit>
    </form>
  );
}
