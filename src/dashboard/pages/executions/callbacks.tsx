import type { CallbackAttempt, CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { Badge, DataTable, Time } from "../../components/elements.tsx";
import { NO_FAULTS, Refused } from "../../forms/errors.tsx";
import { Input } from "../../forms/fields.tsx";
import { executionPath } from "../../paths.ts";
import { isTyped, type Sent, sentTo } from "./controls.tsx";
import { spanOf } from "./labels.ts";

const COLUMNS = ["Attempt", "Event", "To", "Answer", "Took", "At", "Next attempt"];
const STATES: Record<CallbackLog["state"], string> = {
  none: "Nothing was delivered.",
  pending: "On its way.",
  delivered: "Delivered.",
  failed: "Given up.",
};

interface CallbacksProps {
  task: ExecutionTask;
  callbacks: CallbackLog;
}

/** How the result is delivered; nothing where nobody asked for that. */
export function Callbacks({ isUpdate, ...props }: CallbacksProps & { isUpdate: boolean }) {
  return (
    <div id="callbacks" {...(isUpdate && { "hx-swap-oob": "true" })}>
      <CallbackAttempts {...props} />
    </div>
  );
}

/** The attempts so far. While one is still to come, the page asks again when it is due. */
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
            {" To "}
            <code>{task.callbackUrl}</code>
            {task.isCallbackSigned ? ", signed." : ", not signed."}
          </>
        )}
      </p>
      {attempts.length > 0 && (
        <DataTable label="Attempts to deliver" columns={COLUMNS} id="attempts">
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

/** How long nothing can have changed: until the attempt that is planned, within bounds. */
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
      <td class="whole">{spanOf(durationMs)}</td>
      <td>
        <Time at={at} />
      </td>
      <td>
        <Time at={nextAttemptAt} />
      </td>
    </tr>
  );
}

/** Lets the result be delivered again; only once there is one. */
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
  const act = task.callbackUrl === null ? "Deliver" : "Deliver again";
  return (
    <div id="redeliver" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOver && (
        <form
          method="post"
          action={`${executionPath(task.executionId)}/redeliver`}
          class="card"
          aria-label={act}
        >
          <Refused refusal={again?.refusal ?? null} shown={isTyped} />
          <div class="inline-form">
            <Input
              name="callbackUrl"
              label={task.callbackUrl === null ? "Deliver the result to" : "Deliver again to"}
              hint={
                task.callbackUrl === null
                  ? "A URL that takes a POST with the result."
                  : "Empty: to the same URL as before."
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
