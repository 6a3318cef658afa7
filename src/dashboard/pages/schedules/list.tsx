import type { ScheduleRecord } from "../../../contract/schedule.ts";
import { Badge, DataTable, Empty, NextPage, NoValue, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Action, IfMay } from "../../components/reader.tsx";
import { formatDuration } from "../../format.ts";
import { FormKey } from "../../forms/fields.tsx";
import type { WorkflowNames } from "../../lookups.ts";
import { nextPath, SCHEDULES, schedulePath, workflowPath } from "../../paths.ts";

const COLUMNS = ["Workflow", "When", "Next times", "Rules", "Actions"];

/** The account's schedules. */
export function SchedulesPage({
  schedules,
  nextCursor,
  isFirstPage,
  workflowNames,
}: {
  schedules: ScheduleRecord[];
  nextCursor: string | null;
  isFirstPage: boolean;
  workflowNames: WorkflowNames;
}) {
  const create = (
    <Action scope="workflows:write" href={`${SCHEDULES}/new`}>
      Create schedule
    </Action>
  );
  if (schedules.length === 0 && isFirstPage) {
    return (
      <Layout title="Schedules" section="schedules">
        <Empty title="No schedules yet">
          <p class="narrow">A schedule runs a workflow by cron, every so often, or once.</p>
          {create}
        </Empty>
      </Layout>
    );
  }
  return (
    <Layout title="Schedules" section="schedules" actions={create}>
      <DataTable label="Schedules" columns={COLUMNS}>
        {schedules.map((schedule) => (
          <ScheduleRow schedule={schedule} workflowName={workflowNames.get(schedule.workflowId)} />
        ))}
      </DataTable>
      <NextPage href={nextPath(SCHEDULES, nextCursor)} />
    </Layout>
  );
}

function ScheduleRow({
  schedule,
  workflowName,
}: {
  schedule: ScheduleRecord;
  workflowName: string | undefined;
}) {
  const { scheduleId, workflowId, overlap, catchUp } = schedule;
  return (
    <tr id={scheduleId}>
      <td class="wrap">
        <a href={workflowPath(workflowId)}>{workflowName ?? workflowId}</a>
      </td>
      <td data-label="When">
        <Timing schedule={schedule} />
      </td>
      <td data-label="Next times">
        <NextTimes schedule={schedule} />
      </td>
      <td data-label="Rules">
        <div class="muted">{`overlap: ${overlap}`}</div>
        <div class="muted">{`missed runs: ${catchUp}`}</div>
      </td>
      <td>
        <Actions schedule={schedule} name={workflowName ?? scheduleId} />
      </td>
    </tr>
  );
}

/** When a schedule runs. */
export function Timing({
  schedule: { cron, everySeconds, at, timeZone },
}: {
  schedule: ScheduleRecord;
}) {
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

/** The next time, and the others folded. */
function NextTimes({ schedule: { enabled, next } }: { schedule: ScheduleRecord }) {
  const [first, ...others] = next;
  if (!enabled) return <Badge state="paused" />;
  if (first === undefined) return <NoValue />;
  if (others.length === 0) return <Time at={first} />;
  return (
    <details>
      <summary>
        <Time at={first} />
      </summary>
      <ul class="told">
        {others.map((time) => (
          <li>
            <Time at={time} />
          </li>
        ))}
      </ul>
    </details>
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
        <a
          class="button danger"
          href={schedulePath(scheduleId, "/delete")}
          aria-label={`Delete: ${name}`}
        >
          Delete
        </a>
      </IfMay>
    </div>
  );
}
