import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { preview } from "../../../lib/text.ts";
import { Time } from "../../components/elements.tsx";
import { serveList } from "../../components/list-page.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { loadChoices, shownOptions } from "../../forms/execution-options.tsx";
import { idempotencyOf } from "../../forms/fields.tsx";
import { serveForm } from "../../forms/form-page.tsx";
import { allEndpoints, ifAllowed } from "../../lookups.ts";
import { executionPath, rehearsalPath, WORKFLOWS, workflowPath } from "../../paths.ts";
import { serveDeletion } from "../resource.tsx";
import { serveRevisions } from "../revisions.tsx";
import { serveRehearsals } from "./rehearsal.tsx";
import {
  changedWorkflow,
  newWorkflow,
  REHEARSED,
  shownWorkflow,
  WorkflowFormPage,
} from "./workflow-form.tsx";
import { runFormOf, shownInputs, WorkflowPage } from "./workflow-page.tsx";

const SHOWN_EXECUTIONS = 5;

/** The account's workflows: list, create, change, run, delete. */
export function serveWorkflows(app: Dashboard): void {
  serveWorkflowList(app);
  serveRehearsals(app);
  serveRevisions(app, {
    section: "workflows",
    pathOf: workflowPath,
    scope: "workflows:write",
    unchanged: "The callback secret stays the current one.",
    find: (api, id) => api.workflows.get(id),
    list: async (api, id, limit) => (await api.workflows.revisions(id, { limit })).revisions,
    restore: (api, id, revision) => api.workflows.restore(id, revision),
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
    form: ({ choices }) => changedWorkflow(choices),
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
    initial: async ({ inputs }, http) => {
      const { from } = http.req.query();
      if (from === undefined) return {};
      const { inputs: given } = await http.get("api").executions.task(from);
      return { inputs: shownInputs(inputs, given ?? {}) };
    },
    page: async (state, workflow, http) => {
      const { saved, restored } = http.req.query();
      const notice =
        (saved === "1" && "Workflow saved.") || (restored && "Earlier revision restored.") || null;
      const { workflowId } = workflow;
      const listed = await ifAllowed(
        http.get("api").executions.list({ workflowId, limit: SHOWN_EXECUTIONS }),
      );
      const executions = listed?.executions ?? null;
      return <WorkflowPage {...{ workflow, executions, state, notice }} />;
    },
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
      const endpoints = (await ifAllowed(allEndpoints(api))) ?? [];
      const { name } = await api.workflows.get(id);
      return { name, endpoints: endpoints.filter(({ workflowId }) => workflowId === id) };
    },
    nameOf: ({ name }) => name,
    about: ({ endpoints }) => <DeletionOf endpoints={endpoints} />,
    remove: (api, id) => api.workflows.delete(id),
  });
}

const OTHER_INPUTS =
  "This form already started an execution with other inputs. Run the workflow again?";

const workflowIdOf = (http: Page): string => http.req.param("workflowId") ?? "";

function DeletionOf({ endpoints }: { endpoints: readonly { name: string }[] }) {
  const names = endpoints.map(({ name }) => name).join(", ");
  return (
    <p>
      {names === ""
        ? "No endpoint uses this workflow. Its running executions continue."
        : `The endpoints that use it (${names}) hold new requests until you attach another workflow. Its running executions continue.`}
    </p>
  );
}

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
