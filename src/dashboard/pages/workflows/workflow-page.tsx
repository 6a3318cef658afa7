import * as z from "zod";
import { givenFiles } from "../../../contract/files.ts";
import { jsonObject } from "../../../contract/json.ts";
import type { ScoreAverage } from "../../../contract/rehearsals.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { preview } from "../../../lib/text.ts";
import { Facts, KeptIn, LinkButton, NoValue, Submit, Time } from "../../components/elements.tsx";
import { AllSettings } from "../../components/json-view.tsx";
import { IfMay, Layout } from "../../components/layout.tsx";
import { serveList } from "../../components/list-page.tsx";
import { type Column, RowLink, TablePart } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { formatNumber } from "../../format.ts";
import { loadChoices, shownOptions } from "../../forms/execution-options.tsx";
import { Controls, FILES, FormErrors, FormKey, idempotencyOf } from "../../forms/fields.tsx";
import {
  type Field,
  type Fields,
  type Form,
  type FormState,
  jsonText,
  type Values,
} from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { ifAllowed, newest } from "../../lookups.ts";
import {
  EXECUTIONS,
  executionPath,
  rehearsalPath,
  SCHEDULES,
  WEBHOOKS,
  WORKFLOWS,
  workflowPath,
} from "../../paths.ts";
import { executionTable } from "../executions/list.tsx";
import { DeleteLink, serveDeletion } from "../resource.tsx";
import { serveRevisions } from "../revisions.tsx";
import { serveRehearsals } from "./rehearsal.tsx";
import {
  changedWorkflow,
  newWorkflow,
  REHEARSED,
  shownWorkflow,
  WorkflowFormPage,
} from "./workflow-form.tsx";

const SCORE_COLUMNS: Column<ScoreAverage>[] = [
  { name: "Score", cell: ({ name }) => name },
  { name: "Revision", is: "num", cell: ({ revision }) => revision ?? <NoValue /> },
  { name: "Model", is: "keep", cell: ({ model }) => <code>{model}</code> },
  { name: "Average", is: "num", cell: ({ average }) => average.toFixed(2) },
  { name: "Count", is: "num", cell: ({ count }) => formatNumber(count) },
];

/** One workflow: the form that runs it, with `state`, its executions, its definition. */
async function workflowPage(http: Page, workflow: WorkflowRecord, state: FormState) {
  const { workflowId, name, prompt, revision, updatedAt } = workflow;
  const { saved, restored } = http.req.query();
  const notice =
    (saved === "1" && "Workflow saved.") || (restored && "Earlier revision restored.") || null;
  const listed = await ifAllowed(http.get("api").executions.list({ workflowId, limit: 5 }));
  const query = new URLSearchParams({ workflowId });
  return (
    <Layout
      title={name}
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
        rows={listed?.executions ?? "Your key may not read executions."}
        nothing="No executions yet."
        {...executionTable()}
      >
        <a href={`${EXECUTIONS}?${query}`}>View all executions</a>
      </TablePart>
      {workflow.scores !== undefined && (
        <TablePart title="Scores" columns={SCORE_COLUMNS} rows={workflow.scores} nothing="" />
      )}
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
          <AllSettings of={workflow} />
        </div>
      </section>
    </Layout>
  );
}

const runBody = z.object({ inputs: jsonObject.default({}), files: givenFiles.optional() });

/** Returns the form that runs a workflow, with a control for each of its inputs. */
function runFormOf({ inputs }: WorkflowRecord): Form<typeof runBody> {
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
      return { ...common, kind: "text", more: { ...more, rows: 1 } };
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

/** The account's workflows: list, create, change, run, delete. */
export function serveWorkflows(app: Dashboard): void {
  serveWorkflowList(app);
  serveRehearsals(app);
  serveRevisions(app, {
    section: "workflows",
    pathOf: workflowPath,
    scope: "workflows:write",
    unchanged: "The callback secret stays the current one.",
    calls: ({ workflows }) => workflows,
    restored: (http, id, { revision }) =>
      http.redirect(workflowPath(id, `?restored=${revision}`), 303),
  });

  serveForm(app, {
    path: `${WORKFLOWS}/new`,
    action: WORKFLOWS,
    load: (http) => loadChoices(http),
    form: newWorkflow,
    initial: (choices) => shownOptions({}, choices),
    page: (state) => <WorkflowFormPage record={null} state={state} />,
    save: (api, body) => api.workflows.create(body),
    done: (http, { workflowId }) => http.redirect(workflowPath(workflowId), 303),
  });

  serveForm(app, {
    path: `${WORKFLOWS}/:workflowId/edit`,
    load: async (http) => {
      const record = await http.get("api").workflows.get(workflowIdOf(http));
      return { record, choices: await loadChoices(http, record) };
    },
    form: ({ choices, record }) => changedWorkflow(choices, record),
    revisionOf: ({ record }) => record.revision,
    initial: ({ record, choices }) => shownOptions(shownWorkflow(record), choices),
    page: (state, { record }) => <WorkflowFormPage record={record} state={state} />,
    save: async (api, body, { loaded: { record }, typed }) => {
      const { workflowId } = record;
      if (typed.line("do") !== "rehearse") {
        await api.workflows.update(workflowId, body);
        return workflowPath(workflowId, "?saved=1");
      }
      const past = { draft: body, last: REHEARSED };
      return rehearsalPath((await api.workflows.rehearse(workflowId, past)).rehearsalId);
    },
    done: (http, path) => http.redirect(path, 303),
  });

  serveForm(app, {
    path: `${WORKFLOWS}/:workflowId`,
    action: `${WORKFLOWS}/:workflowId/run`,
    load: (http) => http.get("api").workflows.get(workflowIdOf(http)),
    form: runFormOf,
    // An earlier execution is run again with its inputs.
    initial: async (_, http) => {
      const { from } = http.req.query();
      if (from === undefined) return {};
      const { inputs } = await http.get("api").executions.task(from);
      return { inputs: inputs ?? {} };
    },
    page: (state, workflow, http) => workflowPage(http, workflow, state),
    save: (api, { inputs, files }, { loaded: { workflowId }, typed }) =>
      api.workflows.run(workflowId, inputs, { files, ...idempotencyOf(typed) }),
    done: (http, { executionId }) => http.redirect(executionPath(executionId), 303),
    // The form was sent before with other values, and came back by the browser's back button.
    refused: ({ refusal, ...state }) => ({
      ...state,
      refusal: refusal.status === 422 ? { ...refusal, message: OTHER_INPUTS } : refusal,
    }),
  });

  serveDeletion(app, {
    section: "workflows",
    act: "delete",
    find: async (http, id) => {
      const api = http.get("api");
      const endpoints = (await ifAllowed(newest(api.webhooks.all()))) ?? [];
      const { name } = await api.workflows.get(id);
      const users = endpoints.filter(({ workflowId }) => workflowId === id);
      return { name, users: users.map((endpoint) => endpoint.name).join(", ") };
    },
    nameOf: ({ name }) => name,
    about: ({ users }) => (
      <p>
        {users === ""
          ? "No endpoint uses this workflow."
          : `The endpoints that use it (${users}) hold new requests until you attach another workflow.`}
        {" Its running executions continue."}
      </p>
    ),
    remove: (api, id) => api.workflows.delete(id),
  });
}

const OTHER_INPUTS =
  "This form already started an execution with other inputs. Run the workflow again?";

const workflowIdOf = (http: Page): string => http.req.param("workflowId") ?? "";

const COLUMNS: Column<WorkflowRecord>[] = [
  {
    name: "Workflow",
    is: "wrap",
    cell: ({ workflowId, name, prompt }) => (
      <>
        <RowLink href={workflowPath(workflowId)}>{name}</RowLink>
        <div class="muted">{preview(prompt)}</div>
      </>
    ),
  },
  {
    name: "Inputs",
    cell: ({ inputs }) =>
      inputs.length === 0 ? (
        <span class="muted">none</span>
      ) : (
        inputs.map(({ name, type }) => (
          <div>
            <code>{name}</code> <span class="muted">{type}</span>
          </div>
        ))
      ),
  },
  { name: "Updated", is: "num", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** Serves the list of the account's workflows. */
function serveWorkflowList(app: Dashboard): void {
  serveList(app, {
    section: "workflows",
    load: (api, query) => api.workflows.list(query),
    rowsOf: ({ workflows }) => workflows,
    around: async () => null,
    columns: COLUMNS,
    action: { scope: "workflows:write", href: `${WORKFLOWS}/new`, children: "Create workflow" },
    empty: {
      title: "No workflows yet",
      text: "A workflow is a saved prompt with typed inputs. Run it here, by the API or from webhooks.",
    },
  });
}
