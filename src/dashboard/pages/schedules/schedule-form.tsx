import {
  createScheduleBody,
  isScheduledAt,
  type ScheduleRecord,
} from "../../../contract/schedule.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { Controls } from "../../forms/fields.tsx";
import { type Form, type FormState, moment } from "../../forms/form.ts";
import { FormPage, Section } from "../../forms/form-page.tsx";
import { SCHEDULES, workflowPath } from "../../paths.ts";
import { inputFields, typedInputs } from "../workflows/workflow-page.tsx";

/** What a schedule does while an earlier run is live. */
export const OVERLAPS: Record<ScheduleRecord["overlap"], string> = {
  skip: "Skip the run",
  queue: "Queue the run until the earlier one has ended",
  allow: "Start the run beside it",
};
/** What it does about missed runs. */
export const CATCH_UPS: Record<ScheduleRecord["catchUp"], string> = {
  last: "Make up for the last one",
  all: "Make up for all of them, at most 100",
  none: "Leave them out",
};

const TIMES = ["cron", "everySeconds", "at"];

/** Returns the form that creates a schedule of a workflow. */
export function scheduleForm({
  workflowId,
  inputs: all,
}: WorkflowRecord): Form<typeof createScheduleBody> {
  const inputs = typedInputsOf(all);
  return {
    schema: createScheduleBody,
    fields: {
      name: { kind: "line", label: "Name", hint: "Leave empty to show the workflow's name." },
      ...inputFields(inputs),
      cron: {
        kind: "line",
        label: "Cron",
        hint: "Minute, hour, day of month, month, day of week: 30 6 * * 1-5 is 6:30 on weekdays.",
        more: { placeholder: "30 6 * * 1-5", class: "code" },
      },
      timeZone: {
        kind: "line",
        label: "Time zone of the cron fields",
        suggestions: Intl.supportedValuesOf("timeZone"),
        more: { placeholder: "UTC", "data-zone-of-browser": "" },
      },
      everySeconds: { kind: "number", label: "Every (seconds)", hint: "At least 10." },
      at: { kind: "moment", label: "Once, at (UTC)" },
      overlap: { kind: "select", label: "While an earlier run is live", options: OVERLAPS },
      catchUp: { kind: "select", label: "Missed runs", options: CATCH_UPS },
    },
    assemble(values, fault) {
      const { name, cron, timeZone, everySeconds, at, overlap, catchUp } = values;
      const given = TIMES.filter((name) => values[name] !== undefined);
      if (given.length !== 1) {
        for (const name of given.length === 0 ? ["cron"] : given) {
          fault(name, "Fill in exactly one of Cron, Every and Once.");
        }
      }
      const time = moment.safeParse(at);
      return {
        name,
        workflowId,
        inputs: typedInputs(inputs, values, fault),
        cron,
        timeZone,
        everySeconds,
        ...(time.success && { at: time.data }),
        overlap,
        catchUp,
      };
    },
  };
}

/** Returns the inputs that are typed once for all runs. */
function typedInputsOf(inputs: readonly WorkflowInput[]): WorkflowInput[] {
  return inputs.filter((input) => !isScheduledAt(input));
}

/** The page that creates a schedule of a workflow. */
export function NewSchedulePage({
  workflow: { workflowId, name, inputs },
  state,
}: {
  workflow: WorkflowRecord;
  state: FormState;
}) {
  const workflow = <a href={workflowPath(workflowId)}>{name}</a>;
  const what = ["name", ...Object.keys(inputFields(typedInputsOf(inputs)))];
  return (
    <FormPage
      title="Create schedule"
      section="schedules"
      back={SCHEDULES}
      action={`${SCHEDULES}/new?${new URLSearchParams({ workflowId })}`}
      state={state}
      submit="Create schedule"
    >
      <Section of={state} title={<>Runs {workflow}</>} names={what} />
      <Section
        of={state}
        title="When: exactly one of Cron, Every and Once"
        names={["cron", "timeZone", "everySeconds", "at"]}
      >
        <Controls of={state} names={["cron", "timeZone", "everySeconds", "at"]} />
        <div id="preview" data-preview="/dashboard/schedules/preview" aria-live="polite" />
      </Section>
      <Section of={state} title="Rules" names={["overlap", "catchUp"]} />
    </FormPage>
  );
}
