import type { Child } from "hono/jsx";
import { type DecisionRecord, outcomeLine } from "../../../contract/decisions.ts";
import type { Json } from "../../../contract/json.ts";
import { differencesBetween } from "../../../lib/differences.ts";
import { Badge, Facts, Submit, Time } from "../../components/elements.tsx";
import { IfMay, useReader } from "../../components/layout.tsx";
import { ErrorSummary, faultAt, NO_FAULTS } from "../../forms/errors.tsx";
import { SingleControl } from "../../forms/fields.tsx";
import { executionPath } from "../../paths.ts";
import { LongText, ValueView } from "../executions/values.tsx";
import {
  controlOf,
  type EditField,
  editedInput,
  editFields,
  pathOf,
  type SentDecision,
  textOf,
} from "./answer.ts";

interface CardProps {
  decision: DecisionRecord;
  /** Where its forms are sent. */
  action: string;
  sent?: SentDecision | null;
  /** Further controls of each of its forms. */
  hidden?: Child;
}

/** A decision: the exact call or the question, who asks and until when, and its forms or its outcome. */
export function DecisionCard(props: CardProps) {
  const { decision } = props;
  const { decisionId, kind, tool, title, question, expiresAt, requestedAt, state } = decision;
  const isOpen = state === "open";
  return (
    <section
      class={isOpen ? "card attention ask" : "card ask"}
      id={`ask-${decisionId}`}
      aria-labelledby={`title-${decisionId}`}
    >
      <h2 id={`title-${decisionId}`}>
        {kind === "question" ? "The agent asks" : `Approve this call of ${tool}?`}
      </h2>
      {kind === "question" ? <p class="plain prose">{question}</p> : <p>{title}</p>}
      <Facts
        facts={[
          ["Asked by", <Asker decision={decision} />],
          ["Asked", <Time at={requestedAt} />],
          isOpen && ["Answer until", <Time at={expiresAt} />],
        ]}
      />
      {kind === "approval" && <Call decision={decision} />}
      {isOpen ? <Forms {...props} /> : <Outcome decision={decision} />}
    </section>
  );
}

/** The execution that asks; readers of a link cannot open it. */
function Asker({ decision: { promptPreview, executionId } }: { decision: DecisionRecord }) {
  if (useReader() === null) return <>{promptPreview}</>;
  return <a href={executionPath(executionId)}>{promptPreview}</a>;
}

function Call({ decision: { decisionId, input = null } }: Pick<CardProps, "decision">) {
  return (
    <>
      <div class="exact">
        <ValueView value={input} label={`Input of ${decisionId}`} />
      </div>
      <details>
        <summary>The exact call as JSON</summary>
        <LongText text={JSON.stringify(input, null, 2)} />
      </details>
    </>
  );
}

/** What became of a decision, with what a person changed. */
function Outcome({ decision }: { decision: DecisionRecord }) {
  const { state, comment, answer, input = null, askedInput } = decision;
  return (
    <>
      <p role="status">
        <Badge state={state} /> {outcomeLine(decision)}
      </p>
      {comment !== undefined && <p class="plain">{comment}</p>}
      {answer !== undefined && <p class="plain prose">{answer}</p>}
      {askedInput !== undefined && <Changes before={askedInput} after={input} />}
    </>
  );
}

/** The difference between two inputs, place by place. */
export function Changes({ before, after }: { before: Json; after: Json }) {
  const changes = [...differencesBetween(before, after)];
  const shown = (value: unknown) =>
    value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
  return (
    <dl class="facts" aria-label="Changes">
      {changes.map(({ path, before: was, after: is }) => (
        <>
          <dt>{path.join(".") || "input"}</dt>
          <dd class="plain">
            <del>{shown(was)}</del> <ins>{shown(is)}</ins>
          </dd>
        </>
      ))}
      {changes.length === 0 && <dd>No changes.</dd>}
    </dl>
  );
}

function Forms(props: CardProps) {
  // The reader of a link is no reader of the dashboard, and may answer.
  const isLink = useReader() === null;
  const forms =
    props.decision.kind === "question" ? <Answer {...props} /> : <Approval {...props} />;
  return isLink ? forms : <IfMay scope="decisions:write">{forms}</IfMay>;
}

function Answer({ decision, action, sent = null, hidden }: CardProps) {
  const { choices = [] } = decision;
  const name = controlOf(decision, "answer");
  return (
    <>
      {choices.length > 0 && (
        <form method="post" action={action} class="actions">
          {hidden}
          {choices.map((choice) => (
            <button type="submit" name={name} value={choice}>
              {choice}
            </button>
          ))}
        </form>
      )}
      <form method="post" action={action}>
        <Errors decision={decision} sent={sent} />
        {hidden}
        <SingleControl
          name={name}
          field={{ kind: "text", label: choices.length > 0 ? "Another answer" : "Your answer" }}
          value={sent?.posted.text(name) ?? ""}
          faults={faultsOf(sent, "answer", name)}
          more={{ required: true, rows: 3 }}
        />
        <Submit>Send answer</Submit>
      </form>
    </>
  );
}

function Approval(props: CardProps) {
  const { decision, action, sent = null, hidden } = props;
  return (
    <>
      <form method="post" action={action}>
        {!isOfEdit(sent) && <Errors decision={decision} sent={sent} />}
        {hidden}
        <Comment decision={decision} sent={isOfEdit(sent) ? null : sent} name="comment" />
        <div class="actions">
          <button type="submit" name="decision" value="approve" class="primary">
            Approve tool call
          </button>
          <button type="submit" name="decision" value="deny" class="danger">
            Deny tool call
          </button>
        </div>
      </form>
      <details open={isOfEdit(sent)}>
        <summary>Change the call</summary>
        <Edit {...props} />
      </details>
    </>
  );
}

const isOfEdit = (sent: SentDecision | null): boolean =>
  sent !== null && ["review", "change"].includes(sent.posted.line("decision"));

/** The fields of the call. What was changed is shown before it is approved. */
function Edit({ decision, action, sent: posted = null, hidden }: CardProps) {
  const sent = isOfEdit(posted) ? posted : null;
  const edited = sent?.isReviewed ? editedInput(decision, sent.posted) : null;
  return (
    <form method="post" action={action}>
      <Errors decision={decision} sent={sent} />
      {hidden}
      {edited?.ok && <Changes before={decision.input ?? null} after={edited.input} />}
      {editFields(decision).map((field) => (
        <Field decision={decision} field={field} sent={sent} />
      ))}
      <Comment decision={decision} sent={sent} name="note" />
      <div class="actions">
        <button type="submit" name="decision" value="review">
          Review changes
        </button>
        {edited?.ok && (
          <button type="submit" name="decision" value="change" class="primary">
            Approve changed call
          </button>
        )}
      </div>
    </form>
  );
}

/** A decision with the form of it that was sent, if any. */
interface Sent {
  decision: DecisionRecord;
  sent: SentDecision | null;
}

function Comment({ decision, sent, name: field }: Sent & { name: string }) {
  const name = controlOf(decision, field);
  return (
    <SingleControl
      name={name}
      field={{ kind: "text", label: "Comment for the agent (optional)" }}
      value={sent?.posted.text(name) ?? ""}
      faults={faultsOf(sent, "comment", name)}
      more={{ rows: 2 }}
    />
  );
}

function Field({ decision, field, sent }: Sent & { field: EditField }) {
  const name = controlOf(decision, pathOf(field));
  const value = sent === null ? textOf(field, decision) : sent.posted.text(name);
  const hint = field.as === "lines" ? `${field.hint} One per line.`.trim() : field.hint;
  const rows = Math.min(12, Math.max(1, value.split("\n").length));
  return (
    <SingleControl
      name={name}
      field={{ kind: field.as, label: field.name || "Input", hint: hint || undefined }}
      value={value}
      faults={faultsOf(sent, pathOf(field), name)}
      more={{ rows }}
    />
  );
}

/** Returns the faults of one control under its own name. */
function faultsOf(sent: SentDecision | null, path: string, name: string) {
  const fault = faultAt(sent?.refusal?.faults ?? NO_FAULTS, path);
  return fault === undefined ? NO_FAULTS : new Map([[name, fault]]);
}

function Errors({ decision, sent }: Sent) {
  if (!sent?.refusal) return null;
  const { refusal } = sent;
  const named = [...refusal.faults].map(
    ([path, fault]) => [controlOf(decision, path), fault] as const,
  );
  const labelOf = (name: string) => name.slice(0, name.lastIndexOf("~")).replace(/^input\./, "");
  return <ErrorSummary refusal={{ ...refusal, faults: new Map(named) }} labelOf={labelOf} />;
}
