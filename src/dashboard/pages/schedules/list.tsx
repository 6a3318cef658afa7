import type { Child } from "hono/jsx";
import type { ScheduleRecord } from "../../../contract/schedule.ts";
import { Badge, NoValue, Time } from "../../components/elements.tsx";
import { type Resource, serveList } from "../../components/list-page.tsx";
import { KeptIn } from "../../components/managed.tsx";
import { IfMay } from "../../components/reader.tsx";
import type { Column } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatDuration } from "../../format.ts";
import { FormKey, idempotencyOf } from "../../forms/fields.tsx";
import { serveForm } from "../../forms/form-page.tsx";
import { postedForm } from "../../forms/posted.ts";
import { ifVisible, type WorkflowNames, workflowNamesFor } from "../../lookups.ts";
import { executionPath, SCHEDULES, schedulePath, WORKFLOWS, workflowPath } from "../../paths.ts";
import { DeleteLink, serveDeletion } from "../resource.tsx";
import { NewSchedulePage, scheduleForm } from "./schedule-form.tsx";

/** The account's schedules: list, create, pause, run now, delete. */
export function serveSchedules(app: Dashboard): void {
  serveScheduleList(app);

  serveForm(app, {
    path: `${SCHEDULES}/new`,
    load: (http) => http.get("api").workflows.get(http.req.query("workflowId") ?? ""),
    form: scheduleForm,
    page: (state, workflow) => <NewSchedulePage workflow={workflow} state={state} />,
    save: (api, body) => api.schedules.create(body),
    done: (http) => http.redirect(SCHEDULES, 303),
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

const RESOURCE: Resource = { title: "Schedules", section: "schedules", path: SCHEDULES };

const columnsWith = (workflowNames: WorkflowNames): Column<ScheduleRecord>[] => [
  {
    name: "Schedule",
    is: "wrap",
    cell: ({ name, workflowId }) => (
      <>
        {name !== null && <strong>{name}</strong>}
        <div>
          {name !== null && <span class="muted">starts </span>}
          <a href={workflowPath(workflowId)}>{workflowNames.get(workflowId) ?? workflowId}</a>
        </div>
      </>
    ),
  },
  { name: "When", cell: (schedule) => <Timing schedule={schedule} /> },
  {
    name: "Next times",
    cell: ({ enabled, next }) =>
      enabled ? <First items={next.map((at) => <Time at={at} />)} /> : <Badge state="paused" />,
  },
  {
    name: "Last runs",
    cell: ({ lastRuns }) => <First items={lastRuns.map((run) => <LastRun run={run} />)} />,
  },
  {
    name: "Rules",
    cell: ({ overlap, catchUp, ...schedule }) => (
      <>
        {schedule.managedBy !== null && (
          <div class="muted">
            kept in <KeptIn {...schedule} />
          </div>
        )}
        <div class="muted">{`overlap: ${overlap}`}</div>
        <div class="muted">{`missed runs: ${catchUp}`}</div>
      </>
    ),
  },
  {
    name: "Actions",
    cell: (schedule) => (
      <Actions
        schedule={schedule}
        name={schedule.name ?? workflowNames.get(schedule.workflowId) ?? schedule.scheduleId}
      />
    ),
  },
];

/** Serves the list of the account's schedules, and their deletion. */
function serveScheduleList(app: Dashboard): void {
  serveList(app, {
    ...RESOURCE,
    load: (api, query) => api.schedules.list(query),
    rowsOf: ({ schedules }) => schedules,
    around: (http, schedules) => workflowNamesFor(http.get("api"), schedules),
    columns: columnsWith,
    idOf: ({ scheduleId }) => scheduleId,
    action: { scope: "workflows:write", href: WORKFLOWS, children: "Choose a workflow" },
    empty: {
      title: "No schedules yet",
      text: "A schedule runs a workflow by cron, every so often, or once. Create it on the workflow’s page.",
    },
  });

  serveDeletion(app, {
    ...RESOURCE,
    act: "delete",
    find: async (http, id) => {
      const { schedules, workflows } = http.get("api");
      const schedule = await schedules.get(id);
      const workflow = await ifVisible(workflows.get(schedule.workflowId));
      return { schedule, name: workflow?.name ?? schedule.workflowId };
    },
    nameOf: ({ schedule, name }) => schedule.name ?? `the schedule of ${name}`,
    about: ({ schedule }) => (
      <>
        <p>
          <Timing schedule={schedule} />
        </p>
        <p>No further run starts. Executions that it started continue.</p>
      </>
    ),
    remove: (api, id) => api.schedules.delete(id),
  });
}

/** When a schedule runs. */
function Timing({ schedule: { cron, everySeconds, at, timeZone } }: { schedule: ScheduleRecord }) {
  if (cron !== undefined) {
    return (
      <>
        <code class="keep">{cron}</code>
        <div class="muted">{timeZone}</div>
      </>
    );
  }
  if (everySeconds !== undefined) return <>every {formatDuration(everySeconds * 1_000)}</>;
  return (
    <>
      once, <Time at={at ?? null} />
    </>
  );
}

/** The first of several, and the others folded. */
function First({ items: [first, ...others] }: { items: readonly Child[] }) {
  if (first === undefined) return <NoValue />;
  if (others.length === 0) return <>{first}</>;
  return (
    <details>
      <summary>{first}</summary>
      {others.map((item) => (
        <div>{item}</div>
      ))}
    </details>
  );
}

type Run = ScheduleRecord["lastRuns"][number];

const SKIP_LABELS: Record<NonNullable<Run["skipped"]>, string> = {
  overlap: "an earlier run was live",
  missed: "missed",
  queue_full: "too many runs waited",
  suspended: "the account was suspended",
  workflow_deleted: "the workflow was deleted",
};

function LastRun({ run: { scheduledFor, executionId, status, skipped } }: { run: Run }) {
  return (
    <>
      <Time at={scheduledFor} />{" "}
      {skipped !== null && (
        <>
          <Badge state="skipped" /> <span class="muted">{SKIP_LABELS[skipped]}</span>
        </>
      )}
      {executionId !== null && (
        <a href={executionPath(executionId)}>
          {status === null ? "View execution" : <Badge state={status} />}
        </a>
      )}
    </>
  );
}

function Actions({
  schedule: { scheduleId, enabled },
  name,
}: {
  schedule: ScheduleRecord;
  name: string;
}) {
  const toggle = enabled ? "Pause" : "Resume";
  return (
    <div class="actions">
      <IfMay scope="executions:write">
        <form method="post" action={schedulePath(scheduleId, "/run")}>
          <FormKey />
          <button type="submit" aria-label={`Run now: ${name}`}>
            Run now
          </button>
        </form>
      </IfMay>
      <IfMay scope="workflows:write">
        <form method="post" action={schedulePath(scheduleId, "/enabled")}>
          <input type="hidden" name="enabled" value={enabled ? "false" : "true"} />
          <button type="submit" aria-label={`${toggle}: ${name}`}>
            {toggle}
          </button>
        </form>
        <DeleteLink href={schedulePath(scheduleId, "/delete")} name={name} verb="Delete" />
      </IfMay>
    </div>
  );
}
