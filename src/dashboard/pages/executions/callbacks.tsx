import type { CallbackAttempt, CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { IfMay } from "../../components/reader.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { formatDuration } from "../../format.ts";
import { executionPath } from "../../paths.ts";

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
}: {
  task: ExecutionTask;
  callbacks: CallbackLog;
  isOver: boolean;
}) {
  return (
    <section aria-label="Callbacks" id="callbacks">
      <p>
        {state === "none" ? "No callback." : <Badge state={state} />}
        {state === "failed" && " No more attempts."}
        {callbackUrl !== null && (
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
      {isOver && callbackUrl !== null && (
        <IfMay scope="executions:write">
          <form method="post" action={executionPath(executionId, "/redeliver")}>
            <button type="submit">Redeliver callback</button>
          </form>
        </IfMay>
      )}
    </section>
  );
}
