import * as z from "zod";
import type { ExecutionRow } from "../../../contract/execution.ts";
import { givenFiles } from "../../../contract/files.ts";
import { type JsonObject, jsonObject } from "../../../contract/json.ts";
import type { ScoreAverage } from "../../../contract/scores.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { Facts, KeptIn, LinkButton, NoValue, Submit, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay, Layout } from "../../components/layout.tsx";
import { type Column, TablePart } from "../../components/table.tsx";
import { formatNumber } from "../../format.ts";
import { Controls, FILES, FormErrors, FormKey } from "../../forms/fields.tsx";
import {
  type Field,
  type Fields,
  type Form,
  type FormState,
  jsonText,
  moment,
  type Values,
} from "../../forms/form.ts";
import { EXECUTIONS, SCHEDULES, WEBHOOKS, workflowPath } from "../../paths.ts";
import { executionTable } from "../executions/list.tsx";
import { DeleteLink } from "../resource.tsx";

const SCORE_COLUMNS: Column<ScoreAverage>[] = [
  { name: "Score", cell: ({ name }) => name },
  { name: "Revision", is: "num", cell: ({ revision }) => revision ?? <NoValue /> },
  { name: "Model", cell: ({ model }) => <code>{model}</code> },
  { name: "Average", is: "num", cell: ({ average }) => average.toFixed(2) },
  { name: "Count", is: "num", cell: ({ count }) => formatNumber(count) },
];

/** One workflow: the form that runs it, its executions, its definition. */
export function WorkflowPage({
  workflow,
  executions,
  state,
  notice,
}: {
  workflow: WorkflowRecord;
  /** The latest ones; null where the session's key may not read them. */
  executions: ExecutionRow[] | null;
  /** The form that runs it. */
  state: FormState;
  notice: string | null;
}) {
  const { workflowId, name } = workflow;
  const query = new URLSearchParams({ workflowId });
  return (
    <Layout
      title={name}
      isBelow
      section="workflows"
      notice={notice}
      actions={
        <IfMay scope="workflows:write">
          <LinkButton href={`${SCHEDULES}/new?${query}`}>Create schedule</LinkButton>
          <LinkButton href={`${WEBHOOKS}/new?${query}`}>Create endpoint</LinkButton>
          <LinkButton href={workflowPath(workflowId, "/edit")}>Edit workflow</LinkButton>
          <DeleteLink href={workflowPath(workflowId, "/delete")} name={name} verb="Delete" />
        </IfMay>
      }
    >
      <IfMay scope="executions:write">
        <RunForm workflowId={workflowId} state={state} />
      </IfMay>
      <TablePart
        title="Latest executions"
        rows={executions ?? "Your key may not read executions."}
        nothing="No executions yet."
        link={executions?.length ? <a href={`${EXECUTIONS}?${query}`}>View all</a> : null}
        {...executionTable()}
      />
      {workflow.scores !== undefined && (
        <TablePart title="Scores" columns={SCORE_COLUMNS} rows={workflow.scores} nothing="" />
      )}
      <Definition workflow={workflow} />
    </Layout>
  );
}

/** What a workflow is. */
function Definition({ workflow }: { workflow: WorkflowRecord }) {
  const { prompt, workflowId, revision, updatedAt } = workflow;
  return (
    <section class="part">
      <h2>Definition</h2>
      <div class="card">
        <h3>Prompt</h3>
        <pre class="prose">{prompt}</pre>
        <Facts
          facts={[
            ["Updated", <Time at={updatedAt} />],
            ["Revision", <a href={workflowPath(workflowId, "/revisions")}>{revision}</a>],
            ["Kept in", <KeptIn {...workflow} />],
          ]}
        />
        <details>
          <summary>All settings</summary>
          <JsonView value={jsonObject.parse(workflow)} />
        </details>
      </div>
    </section>
  );
}

const runBody = z.object({ inputs: jsonObject.default({}), files: givenFiles.optional() });

/** Returns the form that runs a workflow, with a control for each of its inputs. */
export function runFormOf({ inputs }: WorkflowRecord): Form<typeof runBody> {
  return {
    schema: runBody,
    fields: { ...inputFields(inputs), files: FILES },
    assemble: ({ files, ...values }, fault) => ({
      inputs: typedInputs(inputs, values, fault),
      ...(files !== undefined && { files }),
    }),
  };
}

/** Returns a control for each of a workflow's inputs. */
export function inputFields(inputs: readonly WorkflowInput[]): Fields {
  return Object.fromEntries(inputs.map((input) => [`inputs.${input.name}`, fieldOf(input)]));
}

/** Returns inputs as their controls show them: a time without its zone, which is UTC. */
export function shownInputs(inputs: readonly WorkflowInput[], given: JsonObject): JsonObject {
  const shown = inputs.flatMap(({ name, type }) => {
    const value = given[name];
    if (value === undefined) return [];
    const isTime = type === "timestamp" && typeof value === "string";
    return [[name, isTime ? value.replace(/(?:\.\d+)?Z$/, "") : value] as const];
  });
  return Object.fromEntries(shown);
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
  // The workflow refuses what is no time.
  timestamp: moment.catch(({ value }) => String(value)),
};

const YES_OR_NO = { "": "–", true: "true", false: "false" };

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
function RunForm({ workflowId, state }: { workflowId: string; state: FormState }) {
  const names = Object.keys(state.form.fields);
  return (
    <form
      method="post"
      enctype="multipart/form-data"
      action={workflowPath(workflowId, "/run")}
      class="card"
      aria-labelledby="run"
    >
      <h2 id="run">Run workflow</h2>
      <FormErrors of={state} />
      <FormKey />
      <Controls of={state} names={names} />
      {!names.some((name) => name.startsWith("inputs.")) && (
        <p class="muted">This workflow has no inputs.</p>
      )}
      <Submit>Run workflow</Submit>
    </form>
  );
}
