import type { ExecutionState, Question } from "../../../contract/execution.ts";
import { JsonView } from "../../components/json-view.tsx";
import { NO_FAULTS, type Refusal, Refused } from "../../forms/errors.tsx";
import { Area, Input } from "../../forms/fields.tsx";
import { executionPath, runAgainPath } from "../../paths.ts";
import { isOpen } from "./load.ts";

export type ControlForm = "answer" | "decide" | "say" | "stop" | "redeliver";

/** A form of the page that was not taken, with what was typed into it. */
export interface Sent {
  form: ControlForm;
  refusal: Refusal;
  text: string;
}

/** What there is to show again in one of the page's forms. */
export function sentTo(form: ControlForm, sent: Sent | null): Sent | null {
  return sent !== null && sent.form === form ? sent : null;
}

/**
 * The form to show it again in: an answer to a question that is not open any more, as when somebody
 * else was quicker, is kept in the box for messages, so that its text is not lost.
 */
export function placed(sent: Sent | null, { question }: ExecutionState): Sent | null {
  if (sent === null) return null;
  const isGone =
    (sent.form === "answer" && question?.kind !== "question") ||
    (sent.form === "decide" && question?.kind !== "approval");
  return isGone ? { ...sent, form: "say" } : sent;
}

/** The controls that somebody types into, each of which tells its own fault. */
const TYPED = ["answer", "note", "message", "reason", "callbackUrl"];

/** Whether a fault has a control with its name on the page. */
export function isTyped(name: string): boolean {
  return TYPED.includes(name);
}

/** Sends the same form twice, and it is taken once: a key of its own for each form that is shown. */
export function Once() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}

interface AskProps {
  state: ExecutionState;
  sent: Sent | null;
  isUpdate: boolean;
}

/**
 * What the run waits for, and the form that gives it. It is replaced only by another question, so that
 * what is being typed stays.
 */
export function Ask({ state, sent, isUpdate }: AskProps) {
  const { question } = state;
  const path = executionPath(state.executionId);
  return (
    <div id="ask" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {question?.kind === "question" && <AnswerForm path={path} text={question.text} sent={sent} />}
      {question?.kind === "approval" && (
        <ApprovalForm path={path} question={question} sent={sent} />
      )}
    </div>
  );
}

/** Tells one question from another. */
export function askKey(question: Question | undefined): string {
  if (question === undefined) return "";
  return `${question.askedAt} ${question.kind === "approval" ? question.callId : ""}`;
}

function AnswerForm({ path, text, sent }: { path: string; text: string; sent: Sent | null }) {
  const again = sentTo("answer", sent);
  return (
    <section class="card attention" aria-labelledby="ask-title">
      <h2 id="ask-title">It asks you</h2>
      <p class="plain">{text}</p>
      <form method="post" action={`${path}/answer`}>
        <Refused refusal={again?.refusal ?? null} shown={isTyped} />
        <Once />
        <Area
          name="answer"
          label="Your answer"
          value={again?.text ?? ""}
          faults={again?.refusal.faults ?? NO_FAULTS}
          more={{ required: true, rows: 3, maxlength: 32_000 }}
        />
        <button type="submit" class="primary">
          AnswerForm
        </button>
      </form>
    </section>
  );
}

function ApprovalForm({
  path,
  question,
  sent,
}: {
  path: string;
  question: Extract<Question, { kind: "approval" }>;
  sent: Sent | null;
}) {
  const again = sentTo("decide", sent);
  return (
    <section class="card attention" aria-labelledby="ask-title">
      <h2 id="ask-title">May it do this?</h2>
      <p class="plain">{question.text}</p>
      <p>
        The exact call of <code>{question.tool}</code>:
      </p>
      <div class="exact">
        <JsonView value={question.input} />
      </div>
      <form method="post" action={`${path}/decide`}>
        <Refused refusal={again?.refusal ?? null} shown={isTyped} />
        <Once />
        <input type="hidden" name="callId" value={question.callId} />
        <Area
          name="note"
          label="A word to the agent (optional)"
          value={again?.text ?? ""}
          faults={again?.refusal.faults ?? NO_FAULTS}
          more={{ rows: 2, maxlength: 32_000 }}
        />
        <div class="actions">
          <button type="submit" name="decision" value="approve" class="primary">
            Approve
          </button>
          <button type="submit" name="decision" value="deny" class="danger">
            Deny
          </button>
        </div>
      </form>
    </section>
  );
}

/**
 * The box for messages. It is never replaced while the page is open, so that nothing which is being
 * typed gets lost; the button below it is, once the run has ended.
 */
export function MessageForm({ state, sent }: { state: ExecutionState; sent: Sent | null }) {
  const again = sentTo("say", sent);
  if (!isOpen(state) && again === null) return null;
  return (
    <section class="card" id="say" aria-labelledby="say-title">
      <h2 id="say-title">Tell it something</h2>
      <form method="post" action={`${executionPath(state.executionId)}/message`}>
        <Refused refusal={again?.refusal ?? null} shown={isTyped} />
        <Once />
        <Area
          name="message"
          label="Message to the agent"
          value={again?.text ?? ""}
          faults={again?.refusal.faults ?? NO_FAULTS}
          more={{ required: true, rows: 3, maxlength: 32_000, placeholder: " " }}
        />
        <MessageActions state={state} isUpdate={false} />
      </form>
    </section>
  );
}

/** How the message is sent; after the end there is no way. */
export function MessageActions({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  return (
    <div id="say-actions" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOpen(state) ? (
        <>
          <fieldset class="choices">
            <legend>When it gets it</legend>
            <label>
              <input type="radio" name="mode" value="next_step" checked /> At its next step
            </label>
            <label>
              <input type="radio" name="mode" value="interrupt" /> Now: it gives up the step under
              way
            </label>
          </fieldset>
          <button type="submit">Send</button>
        </>
      ) : (
        <p class="muted over">The run has ended: a message does not reach it any more.</p>
      )}
    </div>
  );
}

/** What can be done with the run as a whole. */
export function ExecutionActions({
  state,
  isUpdate,
}: {
  state: ExecutionState;
  isUpdate: boolean;
}) {
  return (
    <div id="run-actions" class="actions" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {isOpen(state) ? (
        <Stop path={executionPath(state.executionId)} />
      ) : (
        <a class="button" href={runAgainPath(state.executionId)}>
          Run again
        </a>
      )}
    </div>
  );
}

/** Asks whether somebody means it, in a popover that needs no script. */
function Stop({ path }: { path: string }) {
  return (
    <>
      <button type="button" class="danger" popovertarget="stop">
        Stop…
      </button>
      <section id="stop" popover="auto" aria-labelledby="stop-title" class="popover">
        <h2 id="stop-title">Stop this run?</h2>
        <p>
          It ends at once and cannot be taken up again. What it has made stays. What it was doing to
          the outside at this moment may or may not happen.
        </p>
        <form method="post" action={`${path}/stop`}>
          <Input
            name="reason"
            label="Reason (optional)"
            faults={NO_FAULTS}
            more={{ maxlength: 1_000 }}
          />
          <div class="actions">
            <button type="submit" class="danger">
              Stop it
            </button>
            <button type="button" popovertarget="stop" popovertargetaction="hide">
              Let it go on
            </button>
          </div>
        </form>
      </section>
    </>
  );
}
