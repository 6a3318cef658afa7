import type { CallbackAttempt, CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { Badge, DataTable, Time } from "../../components/elements.tsx";
import { formatDuration } from "../../format.ts";
import { NO_FAULTS } from "../../forms/errors.tsx";
import { Input } from "../../forms/fields.tsx";
import { executionPath } from "../../paths.ts";
import { ControlErrors, type Sent, sentTo } from "./controls.tsx";

const COLUMNS = ["Attempt", "Event", "URL", "Response", "Duration", "At", "Next attempt"];
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

/** The callbacks of the execution; nothing without a callback URL. */
export function Callbacks({ isUpdate, ...props }: CallbacksProps & { isUpdate: boolean }) {
  return (
    <div id="callbacks" {...(isUpdate && { "hx-swap-oob": "true" })}>
      <CallbackAttempts {...props} />
    </div>
  );
}

/** The attempts so far. While another is due, the page asks again then. */
export function CallbackAttempts({ task, callbacks }: CallbacksProps) {
  const { attempts, state } = callbacks;
  if (task.callbackUrl === null && state === "none") return null;
  return (
    <section aria-labelledby="callbacks-title" class="part">
      <h2 id="callbacks-title">Callbacks</h2>
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
            <AttemptRow attempt={attempt} />
          ))}
        </DataTable>
      )}
      {state === "pending" && (
        <div
          data-live=""
          hx-get={`${executionPath(task.executionId)}/callbacks`}
          hx-trigger={`every ${secondsToNext(attempts.at(-1), Date.now())}s`}
          hx-target="#callbacks"
        />
      )}
    </section>
  );
}

/** Returns the seconds until the next attempt is due, within bounds. */
function secondsToNext(last: CallbackAttempt | undefined, now: number): number {
  const next = last?.nextAttemptAt === undefined ? now : Date.parse(last.nextAttemptAt);
  return Math.min(Math.max(Math.ceil((next - now) / 1_000), 2), 60);
}

function AttemptRow({ attempt }: { attempt: CallbackAttempt }) {
  const { event, url, status, error, durationMs, at, nextAttemptAt = null } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <tr>
      <td>{attempt.attempt}</td>
      <td class="whole">{event.replace("execution.", "").replaceAll("_", " ")}</td>
      <td class="wrap">{url}</td>
      <td class="wrap">
        <Badge state={isGood ? "delivered" : "failed"} />
        <div class="muted">{error ?? status}</div>
      </td>
      <td class="whole">{formatDuration(durationMs)}</td>
      <td>
        <Time at={at} />
      </td>
      <td>
        <Time at={nextAttemptAt} />
      </td>
    </tr>
  );
}

/** Sends the callback again, once the execution has ended. */
export function Redeliver({
  task,
  isOver,
  sent,
  isUpdate,
}: {
  task: ExecutionTask;
  isOver: boolean;
  sent: Sent | null;
  isUpdate: boolean;
}) {
  const again = sentTo("redeliver", sent);
  const act = task.callbackUrl === null ? "Send callback" : "Redeliver callback";
  return (
    <div id="redeliver" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOver && (
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
      )}
    </div>
  );
}
