import type { JsonObject } from "../../../contract/json.ts";
import {
  createWorkflowBody,
  INPUT_TYPES,
  updateWorkflowBody,
  type WorkflowRecord,
} from "../../../contract/workflow.ts";
import { isObject } from "../../../lib/json-values.ts";
import { ManagedWarning } from "../../components/elements.tsx";
import { IfMay } from "../../components/layout.tsx";
import {
  type Choices,
  ExecutionOptions,
  executionBody,
  executionOptions,
  storedSecret,
} from "../../forms/execution-options.tsx";
import { Control } from "../../forms/fields.tsx";
import {
  type Form,
  type FormState,
  field,
  optionsOf,
  readJson,
  type Values,
} from "../../forms/form.ts";
import { FormPage, Section } from "../../forms/form-page.tsx";
import { WORKFLOWS, workflowPath } from "../../paths.ts";

/** The latest executions on whose inputs a changed workflow is tried. */
export const REHEARSED = 20;

/** Types whose values are typed as they are, and not as JSON. */
const PLAIN_TYPES: readonly unknown[] = ["string", "timestamp"];

const fieldsOf = (options: ReturnType<typeof executionOptions>): Form["fields"] => ({
  name: field.line("Name", { required: true }),
  prompt: field.text("Prompt", {
    hint: "Describe the task in your own words. {{name}} refers to an input, and adds it.",
    required: true,
    more: { rows: 6, "data-inputs": "" },
  }),
  inputs: {
    kind: "rows",
    label: "Inputs",
    hint: "The prompt refers to an input as {{name}}. Values reach the agent as data, so a webhook's payload cannot give it instructions.",
    one: "input",
    fields: {
      name: field.line("Name", { required: true, more: { required: false } }),
      type: field.select("Type", optionsOf(INPUT_TYPES)),
      default: field.text("Default", { more: { rows: 1, placeholder: "none" } }),
      description: field.line("Description"),
      required: field.check("Required"),
    },
  },
  ...options,
  callbackUrl: { ...options.callbackUrl, more: { type: "url" } },
  rehearseBeforeSave: field.check("Save changes only after a rehearsal of them has passed"),
});

/** Returns the form of a new workflow. */
export function newWorkflow(choices: Choices): Form<typeof createWorkflowBody> {
  return {
    schema: createWorkflowBody,
    fields: fieldsOf(executionOptions(choices)),
    assemble: (values, fault) => executionBody(choices, workflowOf(values, fault)),
  };
}

/** Returns the form that changes a workflow; a blank control clears its field. */
export function changedWorkflow(
  choices: Choices,
  { callbackSecret }: WorkflowRecord,
): Form<typeof updateWorkflowBody> {
  const options = executionOptions(choices);
  const kept = callbackSecret && storedSecret(callbackSecret.last4);
  const hint = kept && `A secret is ${kept}. Leave empty to keep it.`;
  const secret = { ...options.callbackSecret, ...(hint && { hint }) };
  return {
    schema: updateWorkflowBody,
    fields: { ...fieldsOf(options), callbackSecret: secret },
    blank: null,
    assemble: (values, fault) => executionBody(choices, workflowOf(values, fault), null),
  };
}

type Fault = (name: string, message: string) => void;

function workflowOf({ inputs, ...values }: Values, fault: Fault): Values {
  const rows = Array.isArray(inputs) ? inputs : [];
  return {
    ...values,
    inputs: rows.map((row, at) =>
      isObject(row) ? inputOf(row, (message) => fault(`inputs[${at}].default`, message)) : row,
    ),
  };
}

function inputOf(row: JsonObject, fault: (message: string) => void): JsonObject {
  const { default: text, ...rest } = row;
  if (typeof text !== "string") return rest;
  if (PLAIN_TYPES.includes(row.type)) return row;
  const read = readJson(text);
  if (read.ok) return { ...rest, default: read.value };
  fault(read.message);
  return rest;
}

/** Returns a workflow as its form shows it. */
export function shownWorkflow(record: WorkflowRecord): object {
  const inputs = record.inputs.map(({ type, default: value, ...input }) => ({
    ...input,
    type,
    default:
      value === null || (typeof value === "string" && PLAIN_TYPES.includes(type))
        ? value
        : JSON.stringify(value),
  }));
  return { ...record, inputs };
}

/** The page that creates a workflow, or changes the one of `record`. */
export function WorkflowFormPage({
  record,
  state,
}: {
  record: WorkflowRecord | null;
  state: FormState;
}) {
  const back = record === null ? WORKFLOWS : workflowPath(record.workflowId);
  return (
    <FormPage
      title={record === null ? "New workflow" : `Edit ${record.name}`}
      section="workflows"
      back={back}
      action={record === null ? back : `${back}/edit?revision=${record.revision}`}
      state={state}
      submit={record === null ? "Create workflow" : "Save workflow"}
      about={record !== null && <ManagedWarning {...record} />}
    >
      <Section of={state} names={["name", "prompt", "inputs", "model"]} />
      <ExecutionOptions of={state} />
      {record !== null && (
        <IfMay scope="executions:write">
          <Control of={state} name="rehearseBeforeSave" />
          <p>
            <button type="submit" name="do" value="rehearse">
              {`Rehearse on the last ${REHEARSED} inputs`}
            </button>{" "}
            <span class="hint">Shows what would change. Effects are noted and not done.</span>
          </p>
        </IfMay>
      )}
    </FormPage>
  );
}
