import type { ExecutionState, Question } from "../../../../contract/execution.ts";
import { Area } from "../../../components/fields.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Refused } from "../../../components/refused.tsx";
import { NO_FAULTS } from "../../../forms/faults.ts";
import { runPath } from "../paths.ts";
import { isTyped, type Sent, sentTo } from "./forms.ts";
import { Once } from "./once.tsx";

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
  const path = runPath(state.executionId);
  return (
    <div id="ask" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {question?.kind === "question" && <Answer path={path} text={question.text} sent={sent} />}
      {question?.kind === "approval" && <Decide path={path} question={question} sent={sent} />}
    </div>
  );
}

/** Tells one question from another. */
export function askKey(question: Question | undefined): string {
  if (question === undefined) return "";
  return `${question.askedAt} ${question.kind === "approval" ? question.callId : ""}`;
}

function Answer({ path, text, sent }: { path: string; text: string; sent: Sent | null }) {
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
          Answer
        </button>
      </form>
    </section>
  );
}

function Decide({
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
