import type { CallbackAttempt, CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { Badge, DataTable, Time } from "../../components/elements.tsx";
import { formatDuration } from "../../format.ts";
import { NO_FAULTS } from "../../forms/errors.tsx";
import { Input } from "../../forms/fields.tsx";
import { executionPath } from "../../paths.ts";
import { ControlErrors, type Sent, sentTo } from "./controls.tsx";

const COLUMNS = ["Attempt", "Event", "Response", "Duration", "At", "Next attempt"];
const STATES: Record<CallbackLog["state"], string> = {
  none: "No callback.",
  pending: "Pending.",
  delivered: "Delivered.",
  failed: "Failed: no more attempts.",
};

interface CallbacksProps {
  task: ExecutionTask;
  callbacks: CallbackLog;
}

/** The callbacks of the execution, and a form that sends them again. */
export function CallbacksTab({
  task,
  callbacks: { attempts, state },
  isOver,
  sent,
}: CallbacksProps & { isOver: boolean; sent: Sent | null }) {
  return (
    <section aria-label="Callbacks" id="callbacks">
      <p>
        <Badge state={state} /> {STATES[state]}
        {task.callbackUrl !== null && (
          <>
            {" Sent to "}
            <code>{task.callbackUrl}</code>
            {task.isCallbackSigned ? ", signed." : ", not signed."}
          </>
        )}
      </p>
      {attempts.length > 0 && (
        <DataTable label="Callback attempts" columns={COLUMNS} id="attempts">
          {attempts.map((attempt) => (
            <AttemptRow attempt={attempt} isElsewhere={attempt.url !== task.callbackUrl} />
          ))}
        </DataTable>
      )}
      <Redeliver task={task} isOver={isOver} sent={sent} />
    </section>
  );
}

function AttemptRow({ attempt, isElsewhere }: { attempt: CallbackAttempt; isElsewhere: boolean }) {
  const { event, url, status, error, durationMs, at, nextAttemptAt = null } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <tr>
      <td data-label="Attempt">{attempt.attempt}</td>
      <td data-label="Event" class="whole">
        {event.replace("execution.", "").replaceAll("_", " ")}
        {isElsewhere && <div class="muted">{url}</div>}
      </td>
      <td data-label="Response" class="wrap">
        <Badge state={isGood ? "delivered" : "failed"} />{" "}
        <span class="muted">{error ?? status}</span>
      </td>
      <td data-label="Duration" class="num">
        {formatDuration(durationMs)}
      </td>
      <td data-label="At">
        <Time at={at} />
      </td>
      <td data-label="Next attempt">
        <Time at={nextAttemptAt} />
      </td>
    </tr>
  );
}

/** Sends the callback again, once the execution has ended. */
function Redeliver({
  task,
  isOver,
  sent,
}: {
  task: ExecutionTask;
  isOver: boolean;
  sent: Sent | null;
}) {
  const again = sentTo("redeliver", sent);
  if (!isOver) return null;
  const act = task.callbackUrl === null ? "Send callback" : "Redeliver callback";
  return (
    <form
      method="post"
      action={`${executionPath(task.executionId)}/redeliver`}
      class="card"
      aria-label={act}
    >
      <ControlErrors sent={again} />
      <div class="inline-form">
        <Input
          name="callbackUrl"
          label="Callback URL"
          hint={
            task.callbackUrl === null
              ? "Receives the result by POST."
              : "Leave empty to use the same URL."
          }
          value={again?.text ?? ""}
          faults={again?.refusal.faults ?? NO_FAULTS}
          more={{ inputmode: "url", placeholder: task.callbackUrl ?? "https://…" }}
        />
        <button type="submit">{act}</button>
      </div>
    </form>
  );
}
