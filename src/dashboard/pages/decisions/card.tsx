import type { Child } from "hono/jsx";
import { type DecisionRecord, outcomeLine } from "../../../contract/decisions.ts";
import type { Json } from "../../../contract/json.ts";
import { differencesBetween } from "../../../lib/differences.ts";
import { lineDiff } from "../../../lib/line-diff.ts";
import { Badge, Facts, Submit, Time } from "../../components/elements.tsx";
import { IfMay, useReader } from "../../components/layout.tsx";
import { Control, FormErrors } from "../../forms/fields.tsx";
import { type FormState, typedValues } from "../../forms/form.ts";
import { executionPath } from "../../paths.ts";
import { LongText, ValueView } from "../executions/values.tsx";
import { controlOf, decisionState, editedInput } from "./answer.ts";

interface CardProps {
  decision: DecisionRecord;
  /** Where its forms are sent. */
  action: string;
  /** Its forms as they were sent, where they are shown again. */
  sent?: FormState | undefined;
  /** Further controls of each of its forms. */
  hidden?: Child;
}

/** A decision: the exact call or the question, who asks and until when, and its forms or its outcome. */
export function DecisionCard(props: CardProps) {
  const { decision } = props;
  const { decisionId, kind, tool, title, question, expiresAt, requestedAt, state } = decision;
  const isOpen = state === "open";
  return (
    <section class={isOpen ? "card attention ask" : "card ask"} id={`ask-${decisionId}`}>
      <h2>{kind === "question" ? "The agent asks" : `Approve this call of ${tool}?`}</h2>
      {kind === "question" ? <div class="plain prose">{question}</div> : <p>{title}</p>}
      <Facts
        facts={[
          ["Asked by", <Asker decision={decision} />],
          ["Asked", <Time at={requestedAt} />],
          isOpen && ["Answer until", <Time at={expiresAt} />],
        ]}
      />
      {kind === "approval" && <Call decision={decision} />}
      {isOpen ? <Forms {...props} /> : <Settled decision={decision} />}
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
      <ValueView value={input} label={`Input of ${decisionId}`} />
      <details>
        <summary>The exact call as JSON</summary>
        <LongText text={JSON.stringify(input, null, 2)} />
      </details>
    </>
  );
}

/** What became of a decision, with what a person changed. */
function Settled({ decision }: { decision: DecisionRecord }) {
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
  return (
    <dl class="facts" aria-label="Changes">
      {changes.map(({ path, before: was, after: is }) => (
        <>
          <dt>{path.join(".") || "input"}</dt>
          <Change was={was} is={is} />
        </>
      ))}
      {changes.length === 0 && <dd>No changes.</dd>}
    </dl>
  );
}

/** Lines of texts that both have are shown once. */
function Change({ was, is }: { was: unknown; is: unknown }) {
  if (typeof was === "string" && typeof is === "string" && `${was}${is}`.includes("\n")) {
    return (
      <dd class="diff">
        {lineDiff(was, is).map(({ kind, text }) => {
          const Line = LINES[kind];
          return <Line>{`${text}\n`}</Line>;
        })}
      </dd>
    );
  }
  const shown = (value: unknown) =>
    value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
  return (
    <dd class="plain">
      <del>{shown(was)}</del> <ins>{shown(is)}</ins>
    </dd>
  );
}

const LINES = { same: "div", removed: "del", added: "ins" } as const;

function Forms(props: CardProps) {
  // The reader of a link is no reader of the dashboard, and may answer.
  const isLink = useReader() === null;
  const forms =
    props.decision.kind === "question" ? <Answer {...props} /> : <Approval {...props} />;
  return isLink ? forms : <IfMay scope="decisions:write">{forms}</IfMay>;
}

function Answer({ decision, action, sent, hidden }: CardProps) {
  const { choices = [] } = decision;
  const of = sent ?? decisionState(decision);
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
        <FormErrors of={of} />
        {hidden}
        <Control of={of} name={name} />
        <Submit>Send answer</Submit>
      </form>
    </>
  );
}

/** The form of a call. What was changed is shown before it is approved. */
function Approval({ decision, action, sent, hidden }: CardProps) {
  const of = sent ?? decisionState(decision);
  const { input = null } = decision;
  const comment = controlOf(decision, "comment");
  const edits = Object.keys(of.form.fields).filter((name) => name !== comment);
  const isReviewed = sent?.refusal === null;
  const edited = isReviewed ? editedInput(decision, of.typed, typedValues(of)) : null;
  return (
    <form method="post" action={action}>
      <FormErrors of={of} />
      {hidden}
      {edits.length > 0 && (
        <details open={sent !== undefined}>
          <summary>Change the call</summary>
          {isReviewed && <Changes before={input} after={edited ?? input} />}
          {edits.map((name) => (
            <Control of={of} name={name} />
          ))}
          <div class="actions">
            <button type="submit" name="decision" value="review">
              Review changes
            </button>
            {edited !== null && (
              <button type="submit" name="decision" value="change" class="primary">
                Approve changed call
              </button>
            )}
          </div>
        </details>
      )}
      <Control of={of} name={comment} />
      <div class="actions">
        <button type="submit" name="decision" value="approve" class="primary">
          Approve tool call
        </button>
        <button type="submit" name="decision" value="deny" class="danger">
          Deny tool call
        </button>
      </div>
    </form>
  );
}
