import type { WorkflowRecord } from "../../../contract/workflow.ts";
import type { Dashboard, Page } from "../../context.ts";
import { attempt } from "../../forms/attempt.ts";
import { postedForm } from "../../forms/posted.ts";
import { rowFocus } from "../../forms/row-focus.ts";
import { changedBody, newBody } from "./body.ts";
import { BLANK, changedRows, draftOfPosted, draftOfRecord, withoutBlankRows } from "./draft.ts";
import { EXAMPLE } from "./example.ts";
import { EditWorkflowPage, NewWorkflowPage } from "./form.tsx";
import { WorkflowsPage } from "./list.tsx";
import { serveWorkflow } from "./workflow.tsx";

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
