import type { Child } from "hono/jsx";
import type { ExecutionState, Question } from "../../../contract/execution.ts";
import { JsonView } from "../../components/json-view.tsx";
import { ErrorSummary, NO_FAULTS, type Refusal } from "../../forms/errors.tsx";
import { Area, FormKey, Input } from "../../forms/fields.tsx";
import type { Attributes } from "../../forms/form.ts";
import { EXECUTIONS, executionPath } from "../../paths.ts";
import { isOpen } from "./load.ts";

export type ControlForm = "answer" | "decide" | "message" | "stop" | "redeliver";

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

/**
 * Moves a refused answer to a question that is no longer open, as when somebody else was quicker, to
 * the box for messages, so that its text is not lost.
 */
export function placed(sent: Sent | null, { question }: ExecutionState): Sent | null {
  if (sent === null) return null;
  const isGone =
    (sent.form === "answer" && question?.kind !== "question") ||
    (sent.form === "decide" && question?.kind !== "approval");
  return isGone ? { ...sent, form: "message" } : sent;
}

/** The labels of the controls that take text. */
const LABELS: Record<string, string> = {
  answer: "Your answer",
  note: "Message to the agent (optional)",
  message: "Message to the agent",
  reason: "Reason (optional)",
  callbackUrl: "Callback URL",
};

/** Shows why one of the page's forms was refused. */
export function ControlErrors({ sent }: { sent: Sent | null }) {
  const labelOf = (name: string) => LABELS[name] ?? null;
  return <ErrorSummary refusal={sent?.refusal ?? null} labelOf={labelOf} />;
}

function TextControl({ name, sent, more }: { name: string; sent: Sent | null; more: Attributes }) {
  return (
    <Area
      name={name}
      label={LABELS[name] ?? ""}
      value={sent?.text ?? ""}
      faults={sent?.refusal.faults ?? NO_FAULTS}
      more={{ maxlength: 32_000, ...more }}
    />
  );
}

/**
 * The question that the execution waits with, and its form. Only another question replaces it, so that
 * what is being typed stays.
 */
export function Ask({
  state,
  sent,
  isUpdate,
}: {
  state: ExecutionState;
  sent: Sent | null;
  isUpdate: boolean;
}) {
  const { question } = state;
  const path = executionPath(state.executionId);
  return (
    <div id="ask" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {question?.kind === "question" && (
        <AskCard title="Question" text={question.text} action={`${path}/answer`}>
          <ControlErrors sent={sentTo("answer", sent)} />
          <FormKey />
          <TextControl
            name="answer"
            sent={sentTo("answer", sent)}
            more={{ required: true, rows: 3 }}
          />
          <button type="submit" class="primary">
            Send answer
          </button>
        </AskCard>
      )}
      {question?.kind === "approval" && (
        <Approval question={question} action={`${path}/decide`} sent={sentTo("decide", sent)} />
      )}
    </div>
  );
}

/** Returns a text that tells one question from another. */
export function askKey(question: Question | undefined): string {
  if (question === undefined) return "";
  return `${question.askedAt} ${question.kind === "approval" ? question.callId : ""}`;
}

function AskCard({
  title,
  text,
  action,
  about = null,
  children,
}: {
  title: string;
  text: string;
  action: string;
  about?: Child;
  children: Child;
}) {
  return (
    <section class="card attention" aria-labelledby="ask-title">
      <h2 id="ask-title">{title}</h2>
      <p class="plain">{text}</p>
      {about}
      <form method="post" action={action}>
        {children}
      </form>
    </section>
  );
}

function Approval({
  question,
  action,
  sent,
}: {
  question: Extract<Question, { kind: "approval" }>;
  action: string;
  sent: Sent | null;
}) {
  const call = (
    <>
      <p>
        Tool call of <code>{question.tool}</code>:
      </p>
      <div class="exact">
        <JsonView value={question.input} />
      </div>
    </>
  );
  return (
    <AskCard title="Approval required" text={question.text} action={action} about={call}>
      <ControlErrors sent={sent} />
      <FormKey />
      <input type="hidden" name="callId" value={question.callId} />
      <TextControl name="note" sent={sent} more={{ rows: 2 }} />
      <div class="actions">
        <button type="submit" name="decision" value="approve" class="primary">
          Approve tool call
        </button>
        <button type="submit" name="decision" value="deny" class="danger">
          Deny tool call
        </button>
      </div>
    </AskCard>
  );
}

/**
 * The box for messages. It is never replaced while the page is open, so that nothing which is being
 * typed gets lost; the button below it is replaced once the execution has ended.
 */
export function MessageForm({ state, sent }: { state: ExecutionState; sent: Sent | null }) {
  const again = sentTo("message", sent);
  if (!isOpen(state) && again === null) return null;
  return (
    <section class="card" id="say" aria-labelledby="say-title">
      <h2 id="say-title">Message</h2>
      <form method="post" action={`${executionPath(state.executionId)}/message`}>
        <ControlErrors sent={again} />
        <FormKey />
        <TextControl
          name="message"
          sent={again}
          more={{ required: true, rows: 3, placeholder: " " }}
        />
        <MessageActions state={state} isUpdate={false} />
      </form>
    </section>
  );
}

/** How a message is sent; after the end it cannot be sent. */
export function MessageActions({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  return (
    <div id="say-actions" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOpen(state) ? (
        <>
          <fieldset class="choices">
            <legend>Delivery</legend>
            <label>
              <input type="radio" name="mode" value="next_step" checked /> At the next step
            </label>
            <label>
              <input type="radio" name="mode" value="interrupt" /> Now, interrupting the current
              step
            </label>
          </fieldset>
          <button type="submit">Send message</button>
        </>
      ) : (
        <p class="muted over">The execution has ended and no longer receives messages.</p>
      )}
    </div>
  );
}

/** The actions on the execution as a whole. */
export function ExecutionActions({
  state,
  isUpdate,
}: {
  state: ExecutionState;
  isUpdate: boolean;
}) {
  const { executionId } = state;
  return (
    <div id="run-actions" class="actions" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOpen(state) ? (
        <StopForm path={executionPath(executionId)} />
      ) : (
        <a class="button" href={`${EXECUTIONS}/new?from=${encodeURIComponent(executionId)}`}>
          Run again
        </a>
      )}
    </div>
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
          <Input
            name="reason"
            label={LABELS.reason ?? ""}
            faults={NO_FAULTS}
            more={{ maxlength: 1_000 }}
          />
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
