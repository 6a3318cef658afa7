import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { idempotencyOf } from "../../forms/fields.tsx";
import { shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows, ifVisible, workflowNamesFor } from "../../lookups.ts";
import { executionPath, SCHEDULES } from "../../paths.ts";
import { SchedulesPage } from "./list.tsx";
import { DeleteSchedulePage, NewSchedulePage, scheduleForm } from "./schedule-form.tsx";

/** The account's schedules: list, create, pause, run now, delete. */
export function serveSchedules(app: Dashboard): void {
  app.get("/schedules", async (http) => {
    const api = http.get("api");
    const cursor = http.req.query("cursor");
    const page = await api.schedules.list(cursor === undefined ? {} : { cursor });
    const workflowNames = await workflowNamesFor(api, page.schedules);
    const isFirstPage = cursor === undefined;
    return show(
      http,
      <SchedulesPage {...page} isFirstPage={isFirstPage} workflowNames={workflowNames} />,
    );
  });

  app.get("/schedules/new", async (http) => {
    const form = scheduleForm(await allWorkflows(http.get("api")));
    const { workflowId } = http.req.query();
    return show(http, <NewSchedulePage state={shownForm(form, { workflowId })} />);
  });

  app.post("/schedules", async (http) => {
    const api = http.get("api");
    const form = scheduleForm(await allWorkflows(api));
    const created = await submit(form, await postedForm(http), (body) =>
      api.schedules.create(body),
    );
    if (created.ok) return http.redirect(SCHEDULES, 303);
    return show(http, <NewSchedulePage state={created.state} />, created.state.refusal.status);
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

  app.get("/schedules/:scheduleId/delete", async (http) => {
    const { schedules, workflows } = http.get("api");
    const schedule = await schedules.get(http.req.param("scheduleId"));
    const workflow = await ifVisible(workflows.get(schedule.workflowId));
    const name = workflow?.name ?? schedule.workflowId;
    return show(http, <DeleteSchedulePage schedule={schedule} name={name} />);
  });

  app.post("/schedules/:scheduleId/delete", async (http) => {
    await http.get("api").schedules.delete(http.req.param("scheduleId"));
    return http.redirect(SCHEDULES, 303);
  });
}
