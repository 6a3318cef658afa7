import type { Prompthook } from "../../../client/prompthook.ts";
import type { CreateWorkflowBody, WorkflowRecord } from "../../../contract/workflow.ts";
import { preview } from "../../../lib/text.ts";
import { Submit, Time } from "../../components/elements.tsx";
import { serveList } from "../../components/list-page.tsx";
import { show } from "../../components/reader.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { loadChoices } from "../../forms/execution-options.tsx";
import { idempotencyOf } from "../../forms/fields.tsx";
import { type FormState, shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { changedRows, withoutBlankRows } from "../../forms/rows.ts";
import { allEndpoints, ifAllowed } from "../../lookups.ts";
import { executionPath, WORKFLOWS, workflowPath } from "../../paths.ts";
import { serveRevisions } from "../revisions.tsx";
import { runFormOf } from "./run-form.tsx";
import {
  changedWorkflow,
  EditWorkflowPage,
  NewWorkflowPage,
  newWorkflow,
  workflowState,
} from "./workflow-form.tsx";
import { type Uses, WorkflowPage } from "./workflow-page.tsx";

const SHOWN_EXECUTIONS = 5;

/** The account's workflows: list, create, change, run, delete. */
export function serveWorkflows(app: Dashboard): void {
  serveWorkflowList(app);
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

  app.post("/workflows/example", async (http) => {
    const { workflowId } = await http.get("api").workflows.create(EXAMPLE);
    return http.redirect(workflowPath(workflowId), 303);
  });

  app.get("/workflows/new", async (http) => {
    const form = newWorkflow(await loadChoices(http.get("api")));
    return show(http, <NewWorkflowPage state={shownForm(form)} />);
  });

  app.post("/workflows", async (http) => {
    const typed = await postedForm(http);
    const form = newWorkflow(await loadChoices(http.get("api")));
    const changed = changedRows(form, typed);
    if (changed !== null) return show(http, <NewWorkflowPage state={changed} />);
    const saved = await submit(form, withoutBlankRows(form, typed), (body) =>
      http.get("api").workflows.create(body),
    );
    if (saved.ok) return http.redirect(workflowPath(saved.value.workflowId), 303);
    return show(http, <NewWorkflowPage state={saved.state} />, saved.state.refusal.status);
  });

  app.get("/workflows/:workflowId", async (http) => {
    const workflow = await http.get("api").workflows.get(http.req.param("workflowId"));
    const { saved, restored } = http.req.query();
    const notice =
      (saved === "1" && "Workflow saved.") || (restored && "Earlier revision restored.") || null;
    const state = shownForm(runFormOf(workflow));
    return show(http, await workflowPage(http, workflow, state, notice));
  });

  app.post("/workflows/:workflowId/run", (http) => run(http, http.req.param("workflowId")));

  app.get("/workflows/:workflowId/edit", async (http) => {
    const api = http.get("api");
    const record = await api.workflows.get(http.req.param("workflowId"));
    const state = workflowState(record, await loadChoices(api));
    return show(http, <EditWorkflowPage record={record} state={state} />);
  });

  app.post("/workflows/:workflowId/edit", (http) => change(http, http.req.param("workflowId")));

  app.post("/workflows/:workflowId/delete", async (http) => {
    await http.get("api").workflows.delete(http.req.param("workflowId"));
    return http.redirect(WORKFLOWS, 303);
  });
}

async function change(http: Page, workflowId: string) {
  const api = http.get("api");
  const record = await api.workflows.get(workflowId);
  const form = changedWorkflow(await loadChoices(api));
  const typed = await postedForm(http);
  const changed = changedRows(form, typed);
  if (changed !== null) return show(http, <EditWorkflowPage record={record} state={changed} />);
  const saved = await submit(form, withoutBlankRows(form, typed), (body) =>
    api.workflows.update(workflowId, body),
  );
  if (saved.ok) return http.redirect(workflowPath(workflowId, "?saved=1"), 303);
  const page = <EditWorkflowPage record={record} state={saved.state} />;
  return show(http, page, saved.state.refusal.status);
}

async function run(http: Page, workflowId: string) {
  const { workflows } = http.get("api");
  const workflow = await workflows.get(workflowId);
  const typed = await postedForm(http);
  const started = await submit(runFormOf(workflow), typed, ({ inputs }) =>
    workflows.run(workflowId, inputs, idempotencyOf(typed)),
  );
  if (started.ok) return http.redirect(executionPath(started.value.executionId), 303);
  const { refusal } = started.state;
  // The form was sent before with other values, and came back by the browser's back button.
  const message =
    refusal.status === 422
      ? "This form already started an execution with other inputs. Run the workflow again?"
      : refusal.message;
  const state = { ...started.state, refusal: { ...refusal, message } };
  return show(http, await workflowPage(http, workflow, state, null), refusal.status);
}

async function workflowPage(
  http: Page,
  workflow: WorkflowRecord,
  state: FormState,
  notice: string | null,
) {
  const { origin } = new URL(http.req.url);
  const uses = await usesOf(http.get("api"), workflow.workflowId);
  return (
    <WorkflowPage workflow={workflow} uses={uses} origin={origin} state={state} notice={notice} />
  );
}

/** A key that may read workflows need not be allowed to read what uses them. */
async function usesOf(api: Prompthook, workflowId: string): Promise<Uses> {
  const [executions, endpoints] = await Promise.all([
    ifAllowed(api.executions.list({ workflowId, limit: SHOWN_EXECUTIONS })),
    ifAllowed(allEndpoints(api)),
  ]);
  return {
    executions: executions?.executions ?? null,
    endpoints: endpoints?.filter((each) => each.workflowId === workflowId) ?? null,
  };
}

/** A first workflow that needs no set-up; any webhook with a field `page` can start it. */
const EXAMPLE: CreateWorkflowBody = {
  name: "Headings of a page",
  prompt: "List headings of {{page}}.",
  inputs: [
    {
      name: "page",
      type: "string",
      required: true,
      default: null,
      description: "The URL of the page, such as https://example.com",
    },
  ],
};

const COLUMNS: Column<WorkflowRecord>[] = [
  {
    name: "Workflow",
    is: "wrap",
    isBare: true,
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
    title: "Workflows",
    section: "workflows",
    path: WORKFLOWS,
    load: (api, query) => api.workflows.list(query),
    rowsOf: ({ workflows }) => workflows,
    around: async () => null,
    columns: () => COLUMNS,
    action: { scope: "workflows:write", href: `${WORKFLOWS}/new`, children: "Create workflow" },
    empty: {
      title: "No workflows yet",
      text: "A workflow is a saved prompt with typed inputs. Run it here, by the API or from webhooks.",
      button: (
        <form method="post" action={`${WORKFLOWS}/example`}>
          <Submit>Create example workflow</Submit>
        </form>
      ),
    },
  });
}
