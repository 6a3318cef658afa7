import type { CallbackAttempt, CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { formatDuration } from "../../format.ts";
import { NO_FAULTS } from "../../forms/errors.tsx";
import { Input } from "../../forms/fields.tsx";
import { executionPath } from "../../paths.ts";
import { ControlErrors, type Sent, sentTo } from "./controls.tsx";

const columnsFor = (callbackUrl: string | null): Column<CallbackAttempt>[] => [
  { name: "Attempt", cell: ({ attempt }) => attempt },
  {
    name: "Event",
    is: "keep",
    cell: ({ event, url }) => (
      <>
        {event.replace("execution.", "").replaceAll("_", " ")}
        {url !== callbackUrl && <div class="muted">{url}</div>}
      </>
    ),
  },
  {
    name: "Response",
    is: "wrap",
    cell: ({ status, error }) => (
      <>
        <Badge state={isGood(status) ? "delivered" : "failed"} />{" "}
        <span class="muted">{error ?? status}</span>
      </>
    ),
  },
  { name: "Duration", is: "num", cell: ({ durationMs }) => formatDuration(durationMs) },
  { name: "At", cell: ({ at }) => <Time at={at} /> },
  { name: "Next attempt", cell: ({ nextAttemptAt = null }) => <Time at={nextAttemptAt} /> },
];

const isGood = (status: number | null) => status !== null && status >= 200 && status < 300;

/** The callbacks of the execution, and a form that sends them again once it has ended. */
export function CallbacksTab({
  task: { executionId, callbackUrl, isCallbackSigned },
  callbacks: { attempts, state },
  isOver,
  sent,
}: {
  task: ExecutionTask;
  callbacks: CallbackLog;
  isOver: boolean;
  sent: Sent | null;
}) {
  const again = sentTo("redeliver", sent);
  const isFirst = callbackUrl === null;
  const act = isFirst ? "Send callback" : "Redeliver callback";
  const hint = isFirst ? "Receives the result by POST." : "Leave empty to use the same URL.";
  return (
    <section aria-label="Callbacks" id="callbacks">
      <p>
        {state === "none" ? "No callback." : <Badge state={state} />}
        {state === "failed" && " No more attempts."}
        {!isFirst && (
          <>
            {" Sent to "}
            <code>{callbackUrl}</code>
            {isCallbackSigned ? ", signed." : ", not signed."}
          </>
        )}
      </p>
      {attempts.length > 0 && (
        <Table label="Callback attempts" columns={columnsFor(callbackUrl)} rows={attempts} />
      )}
      {isOver && (
        <form
          method="post"
          action={`${executionPath(executionId)}/redeliver`}
          class="card"
          aria-label={act}
        >
          <ControlErrors sent={again} />
          <div class="inline-form">
            <Input
              name="callbackUrl"
              label="Callback URL"
              hint={hint}
              value={again?.text ?? ""}
              faults={again?.refusal.faults ?? NO_FAULTS}
              more={{ inputmode: "url", placeholder: callbackUrl ?? "https://…" }}
            />
            <button type="submit">{act}</button>
          </div>
        </form>
      )}
    </section>
  );
}
