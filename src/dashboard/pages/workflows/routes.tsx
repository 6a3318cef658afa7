import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import type { Dashboard, Page } from "../../context.ts";
import { attempt, type Refusal } from "../../forms/errors.tsx";
import { rowFocus } from "../../forms/fields.tsx";
import { postedForm } from "../../forms/posted.ts";
import { allEndpoints, ifAllowed } from "../../lookups.ts";
import { EXAMPLE, WorkflowsPage } from "./list.tsx";
import { type TypedInputs, typedInputs, valuesOf } from "./run-form.tsx";
import {
  BLANK,
  changedBody,
  changedRows,
  draftOfPosted,
  draftOfRecord,
  EditWorkflowPage,
  NewWorkflowPage,
  newBody,
  withoutBlankRows,
} from "./workflow-form.tsx";
import { type Uses, WorkflowPage } from "./workflow-page.tsx";

const SHOWN_RUNS = 5;

/** One workflow: its page, its runs, its end. */
export function serveWorkflow(app: Dashboard): void {
  app.get("/workflows/:workflowId", async (http) => {
    const workflow = await http.get("api").workflows.get(http.req.param("workflowId"));
    const notice = http.req.query("saved") === "1" ? "Saved." : null;
    return http.html(<WorkflowPage {...(await shown(http, workflow))} notice={notice} />);
  });

  app.post("/workflows/:workflowId/run", (http) => runWorkflow(http, http.req.param("workflowId")));

  app.post("/workflows/:workflowId/delete", async (http) => {
    await http.get("api").workflows.delete(http.req.param("workflowId"));
    return http.redirect("/dashboard/workflows", 303);
  });
}

async function runWorkflow(http: Page, workflowId: string) {
  const { workflows } = http.get("api");
  const workflow = await workflows.get(workflowId);
  const posted = await postedForm(http);
  const typed = typedInputs(posted, workflow.inputs);
  const { values, faults } = valuesOf(workflow.inputs, typed);
  const made =
    faults.size === 0 ? { ok: true as const, body: values } : { ok: false as const, faults };
  const idempotencyKey = posted.line("runKey") || crypto.randomUUID();
  const run = await attempt(made, (inputs) =>
    workflows.run(workflowId, inputs, { idempotencyKey }),
  );
  if (run.ok) return http.redirect(`/dashboard/executions/${run.value.executionId}`, 303);
  return refused(http, workflow, typed, told(run.refusal));
}

async function refused(http: Page, workflow: WorkflowRecord, typed: TypedInputs, refusal: Refusal) {
  const page = <WorkflowPage {...(await shown(http, workflow))} typed={typed} refusal={refusal} />;
  return http.html(page, refusal.status);
}

/** A form that went out once, came back by the browser's back button and was changed. */
function told(refusal: Refusal): Refusal {
  if (refusal.status !== 422) return refusal;
  const message =
    "This form has started an execution before, with other values. Run it again to start another.";
  return { ...refusal, message };
}

async function shown(http: Page, workflow: WorkflowRecord) {
  const { origin } = new URL(http.req.url);
  const uses = await usesOf(http.get("api"), workflow.workflowId);
  return { workflow, uses, origin, runKey: crypto.randomUUID() };
}

/** A key that may read workflows need not be allowed to read what uses them. */
async function usesOf(api: Prompthook, workflowId: string): Promise<Uses> {
  const [executions, endpoints] = await Promise.all([
    ifAllowed(api.executions.list({ workflowId, limit: SHOWN_RUNS })),
    ifAllowed(allEndpoints(api)),
  ]);
  return {
    executions: executions?.executions ?? null,
    endpoints: endpoints?.filter((each: EndpointRecord) => each.workflowId === workflowId) ?? null,
  };
}

const ROOT = "/dashboard/workflows";

/** The account's workflows: list, make, change, run, delete. */
export function serveWorkflows(app: Dashboard): void {
  app.get("/workflows", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").workflows.list(cursor === undefined ? {} : { cursor });
    return http.html(<WorkflowsPage {...page} isFirstPage={cursor === undefined} />);
  });
  app.post("/workflows/example", async (http) => {
    const { workflowId } = await http.get("api").workflows.create(EXAMPLE);
    return http.redirect(`${ROOT}/${workflowId}`, 303);
  });
  app.get("/workflows/new", (http) => http.html(<NewWorkflowPage draft={BLANK} action={ROOT} />));
  app.post("/workflows", makeWorkflow);
  app.get("/workflows/:workflowId/edit", async (http) => {
    const record = await http.get("api").workflows.get(http.req.param("workflowId"));
    return http.html(<EditWorkflowPage {...editing(record)} draft={draftOfRecord(record)} />);
  });
  app.post("/workflows/:workflowId/edit", (http) =>
    changeWorkflow(http, http.req.param("workflowId")),
  );
  serveWorkflow(app);
}

async function makeWorkflow(http: Page) {
  const posted = await postedForm(http);
  const typed = draftOfPosted(posted);
  const rows = changedRows(typed.inputs, posted.line("do"));
  if (rows !== null) {
    const draft = { ...typed, inputs: rows };
    return http.html(
      <NewWorkflowPage draft={draft} action={ROOT} focus={rowFocus(http, rows.length)} />,
    );
  }
  const draft = withoutBlankRows(typed);
  const saved = await attempt(newBody(draft), (body) => http.get("api").workflows.create(body));
  if (saved.ok) return http.redirect(`${ROOT}/${saved.value.workflowId}`, 303);
  const { refusal } = saved;
  return http.html(
    <NewWorkflowPage draft={draft} action={ROOT} refusal={refusal} />,
    refusal.status,
  );
}

async function changeWorkflow(http: Page, workflowId: string) {
  const { workflows } = http.get("api");
  const record = await workflows.get(workflowId);
  const posted = await postedForm(http);
  const typed = draftOfPosted(posted);
  const rows = changedRows(typed.inputs, posted.line("do"));
  if (rows !== null) {
    const draft = { ...typed, inputs: rows };
    const page = (
      <EditWorkflowPage {...editing(record)} draft={draft} focus={rowFocus(http, rows.length)} />
    );
    return http.html(page);
  }
  const draft = withoutBlankRows(typed);
  const saved = await attempt(changedBody(draft), (body) => workflows.update(workflowId, body));
  if (saved.ok) return http.redirect(`${ROOT}/${workflowId}?saved=1`, 303);
  const { refusal } = saved;
  return http.html(
    <EditWorkflowPage {...editing(record)} draft={draft} refusal={refusal} />,
    refusal.status,
  );
}

/** What the form says of the workflow as it is. */
function editing({ workflowId, name, callbackSecret }: WorkflowRecord) {
  const back = `${ROOT}/${workflowId}`;
  return { name, back, action: `${back}/edit`, keptSecret: callbackSecret?.last4 ?? null };
}
