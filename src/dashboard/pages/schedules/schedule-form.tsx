import { createScheduleBody } from "../../../contract/schedule.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Layout } from "../../components/layout.tsx";
import { Control, Controls, FormErrors, SubmitOrCancel } from "../../forms/fields.tsx";
import { type Form, type FormState, moment } from "../../forms/form.ts";
import { SCHEDULES } from "../../paths.ts";

const OVERLAPS = [
  { value: "skip", label: "Skip the run" },
  { value: "queue", label: "Queue the run until the earlier one has ended" },
  { value: "allow", label: "Start the run beside it" },
];
const CATCH_UPS = [
  { value: "last", label: "Make up for the last one" },
  { value: "all", label: "Make up for all of them, at most 100" },
  { value: "none", label: "Leave them out" },
];

const TIMES = ["cron", "everySeconds", "at"];

/** Returns the form that creates a schedule of one of these workflows. */
export function scheduleForm(
  workflows: readonly WorkflowRecord[],
): Form<typeof createScheduleBody> {
  return {
    schema: createScheduleBody,
    fields: {
      workflowId: {
        kind: "select",
        label: "Workflow",
        options: workflows.map(({ workflowId: value, name: label }) => ({ value, label })),
        required: true,
      },
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
        more: { placeholder: "UTC" },
      },
      everySeconds: { kind: "number", label: "Every (seconds)", hint: "At least 10." },
      at: { kind: "moment", label: "Once, at (UTC)" },
      overlap: { kind: "select", label: "While an earlier run is live", options: OVERLAPS },
      catchUp: { kind: "select", label: "Missed runs", options: CATCH_UPS },
      inputs: {
        kind: "json",
        label: "Inputs",
        hint: 'The workflow\'s inputs by name, such as {"page": "https://example.com"}.',
      },
    },
    assemble({ at, ...values }, fault) {
      const given = TIMES.filter((name) =>
        name === "at" ? at !== undefined : values[name] !== undefined,
      );
      if (given.length !== 1) {
        for (const name of given.length === 0 ? ["cron"] : given) {
          fault(name, "Fill in exactly one of Cron, Every and Once.");
        }
      }
      const time = moment.safeParse(at);
      return { ...values, ...(time.success && { at: time.data }) };
    },
  };
}

/** The page that creates a schedule. */
export function NewSchedulePage({ state }: { state: FormState }) {
  return (
    <Layout
      title="Create schedule"
      section="schedules"
      crumb={{ label: "Schedules", href: SCHEDULES }}
    >
      <FormErrors of={state} />
      <form method="post" action={SCHEDULES} class="form">
        <section class="card">
          <Control of={state} name="workflowId" />
          <Control of={state} name="inputs" />
        </section>
        <section class="card" aria-labelledby="when">
          <h2 id="when">When</h2>
          <p class="hint">Fill in exactly one of Cron, Every and Once.</p>
          <Controls of={state} names={["cron", "timeZone", "everySeconds", "at"]} />
        </section>
        <section class="card" aria-labelledby="rules">
          <h2 id="rules">Rules</h2>
          <Controls of={state} names={["overlap", "catchUp"]} />
        </section>
        <SubmitOrCancel submit="Create schedule" back={SCHEDULES} />
      </form>
    </Layout>
  );
}
