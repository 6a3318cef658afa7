import type { ExecutionState } from "../../../contract/execution.ts";
import { LinkButton } from "../../components/elements.tsx";
import { IfMay } from "../../components/reader.tsx";
import { ErrorSummary, NO_FAULTS, type Refusal } from "../../forms/errors.tsx";
import { Area, FormKey, Input } from "../../forms/fields.tsx";
import { comparePath, EXECUTIONS, executionPath } from "../../paths.ts";
import { isOpen } from "./load.ts";

export type ControlForm = "message" | "stop" | "redeliver";

/** A form of the page that was refused, with what was typed into it. */
export interface Sent {
  form: ControlForm;
  refusal: Refusal;
  text: string;
}

/** Returns what one of the page's forms shows again. */
export function sentTo(form: ControlForm, sent: Sent | null): Sent | null {
  return sent?.form === form ? sent : null;
}

/** The labels of the controls that take text. */
const LABELS: Record<string, string> = {
  message: "Message to the agent",
  reason: "Reason (optional)",
  callbackUrl: "Callback URL",
};

/** Shows why one of the page's forms was refused. */
export function ControlErrors({ sent }: { sent: Sent | null }) {
  const labelOf = (name: string) => LABELS[name] ?? null;
  return <ErrorSummary refusal={sent?.refusal ?? null} labelOf={labelOf} />;
}

/** The box for messages. Once the execution has ended, it only keeps what could not be sent. */
export function MessageForm({ state, sent }: { state: ExecutionState; sent: Sent | null }) {
  const again = sentTo("message", sent);
  const canSend = isOpen(state);
  if (!canSend && again === null) return null;
  return (
    <section class="card" id="say" aria-label="Message">
      <form method="post" action={`${executionPath(state.executionId)}/message`}>
        <ControlErrors sent={again} />
        <FormKey />
        <Area
          name="message"
          label={LABELS.message ?? ""}
          value={again?.text ?? ""}
          faults={again?.refusal.faults ?? NO_FAULTS}
          more={{ required: true, rows: 2, maxlength: 32_000 }}
        />
        {canSend ? (
          <div class="actions">
            <button type="submit">Send message</button>
            <button type="submit" name="mode" value="interrupt">
              Interrupt the step with it
            </button>
          </div>
        ) : (
          <p class="muted">The execution has ended and no longer receives messages.</p>
        )}
      </form>
    </section>
  );
}

/** The actions on the execution as a whole. */
export function ExecutionActions({ state }: { state: ExecutionState }) {
  const { executionId } = state;
  return (
    <IfMay scope="executions:write">
      {isOpen(state) ? (
        <StopForm path={executionPath(executionId)} />
      ) : (
        <>
          <LinkButton href={`${executionPath(executionId)}/fork`}>
            {state.status === "completed" ? "Follow up" : "Retry from the failed step"}
          </LinkButton>
          <LinkButton href={`${EXECUTIONS}/new?from=${encodeURIComponent(executionId)}`}>
            Run again with changes
          </LinkButton>
          <LinkButton href={comparePath(executionId)}>Compare…</LinkButton>
        </>
      )}
    </IfMay>
  );
}

/** Asks for confirmation in a popover that needs no script. */
function StopForm({ path }: { path: string }) {
  return (
    <>
      <button type="button" class="danger" popovertarget="stop">
        Stop execution…
      </button>
      <section id="stop" popover="auto" aria-labelledby="stop-title" class="popover">
        <h2 id="stop-title">Stop this execution?</h2>
        <p>
          It ends at once and cannot be resumed. Its outputs stay. An external effect in progress
          may or may not happen.
        </p>
        <form method="post" action={`${path}/stop`}>
          <Input name="reason" label={LABELS.reason ?? ""} more={{ maxlength: 1_000 }} />
          <div class="actions">
            <button type="submit" class="danger">
              Stop execution
            </button>
            <button type="button" popovertarget="stop" popovertargetaction="hide">
              Cancel
            </button>
          </div>
        </form>
      </section>
    </>
  );
}
