import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { idempotencyOf } from "../../forms/fields.tsx";
import { shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows } from "../../lookups.ts";
import { executionPath, SCHEDULES } from "../../paths.ts";
import { serveScheduleList } from "./list.tsx";
import { ChooseWorkflowPage, NewSchedulePage, scheduleForm } from "./schedule-form.tsx";

/** The account's schedules: list, create, pause, run now, delete. */
export function serveSchedules(app: Dashboard): void {
  serveScheduleList(app);

  app.get("/schedules/new", async (http) => {
    const api = http.get("api");
    const { workflowId } = http.req.query();
    if (workflowId === undefined) {
      return show(http, <ChooseWorkflowPage workflows={await allWorkflows(api)} />);
    }
    const workflow = await api.workflows.get(workflowId);
    const state = shownForm(scheduleForm(workflow));
    return show(http, <NewSchedulePage workflow={workflow} state={state} />);
  });

  app.post("/schedules", async (http) => {
    const api = http.get("api");
    const typed = await postedForm(http);
    const workflow = await api.workflows.get(typed.line("workflowId"));
    const created = await submit(scheduleForm(workflow), typed, (body) =>
      api.schedules.create(body),
    );
    if (created.ok) return http.redirect(SCHEDULES, 303);
    const { state } = created;
    const page = <NewSchedulePage workflow={workflow} state={state} />;
    return show(http, page, state.refusal.status);
  });

  app.post("/schedules/:scheduleId/enabled", async (http) => {
    const enabled = (await postedForm(http)).line("enabled") === "true";
    await http.get("api").schedules.update(http.req.param("scheduleId"), { enabled });
    return http.redirect(SCHEDULES, 303);
  });

  app.post("/schedules/:scheduleId/run", async (http) => {
    const once = idempotencyOf(await postedForm(http));
    const { executionId } = await http.get("api").schedules.run(http.req.param("scheduleId"), once);
    return http.redirect(executionPath(executionId), 303);
  });
}
