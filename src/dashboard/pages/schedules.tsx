import * as z from "zod";
import {
  createScheduleBody,
  isScheduledAt,
  type ScheduleRecord,
  type Timing,
} from "../../contract/schedule.ts";
import type { WorkflowInput, WorkflowRecord } from "../../contract/workflow.ts";
import { cronFault, nextOccurrence } from "../../workflows/occurrences.ts";
import { Badge, Facts, KeptIn, NoValue, Time } from "../components/elements.tsx";
import { JsonView } from "../components/json-view.tsx";
import { IfMay, Layout, PostButton, show } from "../components/layout.tsx";
import { serveList } from "../components/list-page.tsx";
import { type Column, RowLink, TablePart } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { Controls, FormKey, idempotencyOf } from "../forms/fields.tsx";
import { type Form, field, moment, nested } from "../forms/form.ts";
import { FormPage, Section, serveForm } from "../forms/form-page.tsx";
import { postedForm } from "../forms/posted.ts";
import { ifVisible, type WorkflowNames, workflowNamesFor } from "../lookups.ts";
import { executionPath, SCHEDULES, schedulePath, WORKFLOWS, workflowPath } from "../paths.ts";
import { type Times, timesInWords } from "../schedule-words.ts";
import { DeleteLink, serveDeletion } from "./resource.tsx";
import { inputFields, typedInputs } from "./workflows/workflow-page.tsx";

/** The account's schedules: list, create, pause, run now, delete. */
export function serveSchedules(app: Dashboard): void {
  serveScheduleList(app);
  servePreview(app);

  serveForm(app, {
    path: `${SCHEDULES}/new`,
    load: (http) => http.get("api").workflows.get(http.req.query("workflowId") ?? ""),
    form: scheduleForm,
    page: (state, { workflowId, name, inputs }) => (
      <FormPage
        title="Create schedule"
        section="schedules"
        back={SCHEDULES}
        action={`${SCHEDULES}/new?${new URLSearchParams({ workflowId })}`}
        state={state}
        submit="Create schedule"
      >
        <Section
          of={state}
          title={
            <>
              Runs <a href={workflowPath(workflowId)}>{name}</a>
            </>
          }
          names={["name", ...Object.keys(inputFields(typedInputsOf(inputs)))]}
        />
        <Section of={state} title="When: exactly one of Cron, Every and Once" names={[]}>
          <Controls of={state} names={["cron", "timeZone", "everySeconds", "at"]} />
          <div id="preview" data-preview="/dashboard/schedules/preview" aria-live="polite" />
        </Section>
        <Section of={state} title="Rules" names={["overlap", "catchUp"]} />
      </FormPage>
    ),
    save: (api, body) => api.schedules.create(body),
    done: (http) => http.redirect(SCHEDULES, 303),
  });

  app.get("/schedules/:scheduleId", async (http) => {
    const { schedule, workflow } = await loadSchedule(http, http.req.param("scheduleId"));
    const { workflowId, next, lastRuns, overlap, catchUp, inputs, enabled } = schedule;
    return show(
      http,
      <Layout
        title={schedule.name ?? workflow}
        section="schedules"
        actions={<Actions of={schedule} />}
      >
        <section class="card" aria-label="Configuration">
          <Facts
            facts={[
              ["Runs", <When of={schedule} />],
              ["Starts", <a href={workflowPath(workflowId)}>{workflow}</a>],
              ["Next times", enabled ? <NextTimes times={next} /> : <Badge state="paused" />],
              ["Earlier run live", OVERLAPS[overlap]],
              ["Missed runs", CATCH_UPS[catchUp]],
              ["Kept in", <KeptIn {...schedule} />],
            ]}
          />
          {Object.keys(inputs).length > 0 && <JsonView value={inputs} />}
        </section>
        <TablePart title="Last runs" rows={lastRuns} columns={RUN_COLUMNS} nothing="No runs yet." />
      </Layout>,
    );
  });

  app.post("/schedules/:scheduleId/enabled", async (http) => {
    const enabled = (await postedForm(http)).line("enabled") === "true";
    const scheduleId = http.req.param("scheduleId");
    await http.get("api").schedules.update(scheduleId, { enabled });
    return http.redirect(schedulePath(scheduleId), 303);
  });

  app.post("/schedules/:scheduleId/run", async (http) => {
    const once = idempotencyOf(await postedForm(http));
    const { executionId } = await http.get("api").schedules.run(http.req.param("scheduleId"), once);
    return http.redirect(executionPath(executionId), 303);
  });
}

const columnsWith = (workflowNames: WorkflowNames): Column<ScheduleRecord>[] => [
  {
    name: "Schedule",
    is: "wrap",
    cell: (schedule) => (
      <>
        <RowLink href={schedulePath(schedule.scheduleId)}>
          {nameOf(schedule, workflowNames)}
        </RowLink>
        {schedule.managedBy !== null && (
          <div class="muted">
            kept in <KeptIn {...schedule} />
          </div>
        )}
      </>
    ),
  },
  { name: "When", is: "wrap", cell: (schedule) => <When of={schedule} /> },
  {
    name: "Starts",
    is: "name",
    cell: ({ workflowId }) => (
      <a href={workflowPath(workflowId)}>{workflowNames.get(workflowId) ?? workflowId}</a>
    ),
  },
  {
    name: "Next run",
    cell: ({ enabled, next: [first] }) =>
      enabled ? <Time at={first ?? null} /> : <Badge state="paused" />,
  },
  {
    name: "Last run",
    cell: ({ lastRuns: [last] }) => (last ? <RunState run={last} /> : <NoValue />),
  },
];

/** A schedule without a name has that of its workflow. */
const nameOf = ({ name, workflowId }: ScheduleRecord, workflows: WorkflowNames): string =>
  name ?? workflows.get(workflowId) ?? workflowId;

const RUN_COLUMNS: Column<Run>[] = [
  { name: "Scheduled for", cell: ({ scheduledFor }) => <Time at={scheduledFor} isExact /> },
  { name: "Run", is: "wrap", cell: (run) => <RunState run={run} /> },
];

/** Loads a schedule, and the name of its workflow. */
async function loadSchedule(http: Page, scheduleId: string) {
  const { schedules, workflows } = http.get("api");
  const schedule = await schedules.get(scheduleId);
  const workflow = await ifVisible(workflows.get(schedule.workflowId));
  return { schedule, workflow: workflow?.name ?? schedule.workflowId };
}

/** Serves the list of the account's schedules, and their deletion. */
function serveScheduleList(app: Dashboard): void {
  serveList(app, {
    section: "schedules",
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
    section: "schedules",
    act: "delete",
    find: loadSchedule,
    nameOf: ({ schedule, workflow }) => schedule.name ?? `the schedule of ${workflow}`,
    about: ({ schedule }) => (
      <>
        <p>
          <When of={schedule} />
        </p>
        <p>No further run starts. Executions that it started continue.</p>
      </>
    ),
    remove: (api, id) => api.schedules.delete(id),
  });
}

type Run = ScheduleRecord["lastRuns"][number];

const SKIP_LABELS: Record<NonNullable<Run["skipped"]>, string> = {
  overlap: "an earlier run was live",
  missed: "missed",
  queue_full: "too many runs waited",
  suspended: "the account was suspended",
  workflow_deleted: "the workflow was deleted",
};

/** What came of a run, and why none started. */
function RunState({ run: { executionId, status, skipped } }: { run: Run }) {
  if (skipped !== null) {
    return (
      <>
        <Badge state="skipped" /> <span class="muted">{SKIP_LABELS[skipped]}</span>
      </>
    );
  }
  if (executionId === null) return <NoValue />;
  const shown = status === null ? "View execution" : <Badge state={status} />;
  return <a href={executionPath(executionId)}>{shown}</a>;
}

function Actions({ of: { scheduleId, enabled, name } }: { of: ScheduleRecord }) {
  return (
    <>
      <IfMay scope="executions:write">
        <form method="post" action={schedulePath(scheduleId, "/run")}>
          <FormKey />
          <button type="submit">Run now</button>
        </form>
      </IfMay>
      <IfMay scope="workflows:write">
        <PostButton
          scope="workflows:write"
          action={schedulePath(scheduleId, "/enabled")}
          name="enabled"
          value={String(!enabled)}
        >
          {enabled ? "Pause" : "Resume"}
        </PostButton>
        <DeleteLink
          href={schedulePath(scheduleId, "/delete")}
          name={name ?? "schedule"}
          verb="Delete"
        />
      </IfMay>
    </>
  );
}

/** What a schedule does while an earlier run is live. */
const OVERLAPS: Record<ScheduleRecord["overlap"], string> = {
  skip: "Skip the run",
  queue: "Queue the run until the earlier one has ended",
  allow: "Start the run beside it",
};
/** What it does about missed runs. */
const CATCH_UPS: Record<ScheduleRecord["catchUp"], string> = {
  last: "Make up for the last one",
  all: "Make up for all of them, at most 100",
  none: "Leave them out",
};

const TIMES = ["cron", "everySeconds", "at"];

/** Returns the form that creates a schedule of a workflow. */
function scheduleForm(workflow: WorkflowRecord): Form<typeof createScheduleBody> {
  const { workflowId } = workflow;
  const inputs = typedInputsOf(workflow.inputs);
  return {
    schema: createScheduleBody,
    fields: {
      name: field.line("Name", { hint: "Leave empty to show the workflow's name." }),
      ...inputFields(inputs),
      cron: field.line("Cron", {
        hint: "Minute, hour, day of month, month, day of week: 30 6 * * 1-5 is 6:30 on weekdays.",
        more: { placeholder: "30 6 * * 1-5", class: "code" },
      }),
      timeZone: field.line("Time zone of the cron fields", {
        suggestions: Intl.supportedValuesOf("timeZone"),
        more: { placeholder: "UTC", "data-zone-of-browser": "" },
      }),
      everySeconds: field.number("Every (seconds)", { hint: "At least 10." }),
      at: field.moment("Once, at (UTC)"),
      overlap: field.select("While an earlier run is live", OVERLAPS),
      catchUp: field.select("Missed runs", CATCH_UPS),
    },
    assemble(values, fault) {
      const given = TIMES.filter((name) => values[name] !== undefined);
      if (given.length !== 1) {
        for (const name of given.length === 0 ? ["cron"] : given) {
          fault(name, "Fill in exactly one of Cron, Every and Once.");
        }
      }
      return { ...nested(values), workflowId, inputs: typedInputs(inputs, values, fault) };
    },
  };
}

/** Returns the inputs that are typed once for all runs. */
const typedInputsOf = (inputs: readonly WorkflowInput[]): WorkflowInput[] =>
  inputs.filter((input) => !isScheduledAt(input));

/** The times of a schedule as a form sends them; `timeZone` is empty for UTC. */
const typedTimes = z
  .object({ timeZone: z.string().transform((zone) => zone.trim() || "UTC") })
  .and(
    z.union([
      z.object({ cron: z.string().trim().min(1) }),
      z.object({ everySeconds: z.coerce.number().int().min(10) }),
      z.object({ at: moment }),
    ]),
  );

/** The times that are shown. */
const SHOWN = 5;

/** Serves the times of a schedule that is being typed, in words and as the next five. */
function servePreview(app: Dashboard): void {
  app.get("/schedules/preview", (http) => {
    const typed = typedTimes.safeParse(http.req.query());
    if (!typed.success || hasFault(typed.data)) return http.html("");
    const times = nextTimes(typed.data, Date.now());
    return http.html(
      <>
        <strong>
          <When of={typed.data} />
        </strong>{" "}
        <NextTimes times={times} />
      </>,
    );
  });
}

const hasFault = (timing: Timing): boolean =>
  "cron" in timing && cronFault(timing.cron, timing.timeZone) !== null;

function nextTimes(timing: Timing, now: number): string[] {
  const times: string[] = [];
  for (let at = nextOccurrence(timing, now, now); at !== null && times.length < SHOWN; ) {
    times.push(new Date(at).toISOString());
    at = nextOccurrence(timing, now, at);
  }
  return times;
}

/** Times one below the other, in full. */
function NextTimes({ times }: { times: readonly string[] }) {
  return (
    <>
      {times.map((at) => (
        <div>
          <Time at={at} isExact />
        </div>
      ))}
    </>
  );
}

/** Says when a schedule runs; a single time in the reader's time zone. */
function When({ of }: { of: Times }) {
  if (of.at === undefined) return <>{timesInWords(of)}</>;
  return (
    <>
      Once, at <Time at={of.at} isExact />
    </>
  );
}
