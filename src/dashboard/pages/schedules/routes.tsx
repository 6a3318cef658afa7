import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { idempotencyOf } from "../../forms/fields.tsx";
import { shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { allWorkflows } from "../../lookups.ts";
import { executionPath, SCHEDULES } from "../../paths.ts";
import { serveScheduleList } from "./list.tsx";
import { NewSchedulePage, scheduleForm } from "./schedule-form.tsx";

/** The account's schedules: list, create, pause, run now, delete. */
export function serveSchedules(app: Dashboard): void {
  serveScheduleList(app);

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
}
