import type { Child } from "hono/jsx";
import { condition } from "../../../contract/webhooks/routing.ts";
import { waitForEventInput } from "../../../contract/webhooks/waiter.ts";
import { Badge, Facts, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { formatCount, formatDuration, formatNumber, formatUsd, headline } from "../../format.ts";
import {
  comparePath,
  endpointPath,
  executionPath,
  requestPath,
  workflowPath,
} from "../../paths.ts";
import { conditionText } from "../webhooks/condition-text.ts";
import { DETAIL_LABELS, ORIGIN_LABELS, shownStatus, toolsText } from "./labels.ts";
import { Elapsed } from "./list.tsx";
import { isOpen, type LoadedExecution } from "./load.ts";
import type { Timeline } from "./timeline.ts";
import { LongText, ValueView } from "./values.tsx";

/** The longest headline of a prompt: a longer prompt follows in full. */
export const HEADLINE = 80;

/** The status, which screen readers announce when it changes, and the figures of the execution. */
export function Status({ view }: { view: LoadedExecution }) {
  const { state, task } = view;
  const { progress, status, statusDetail, creditsConsumed, createdAt } = state;
  return (
    <div class="status">
      <p id="status" role="status">
        <Badge state={shownStatus(state)} />
        {statusDetail !== "done" && <strong>{` ${DETAIL_LABELS[statusDetail]}`}</strong>}
      </p>
      <p class="figures">
        <Figure>{formatCount(creditsConsumed, "credit")}</Figure>
        <Figure>
          <Elapsed of={state} />
        </Figure>
        <Figure>{formatCount(progress.stepsCompleted, "step")}</Figure>
        <Figure>
          <code>{task.model}</code>
        </Figure>
        <Figure>
          <StartedBy view={view} /> <Time at={createdAt} />
        </Figure>
      </p>
      {/* While the execution waits, this is the question, which stands below in full. */}
      {status === "active" && progress.message !== "" && (
        <p class="now">
          <span class="pulse" aria-hidden="true" /> {progress.message}
        </p>
      )}
      {status === "stopped" && <p>{progress.message}</p>}
      {isOpen(state) && progress.percent !== null && (
        <progress max={100} value={progress.percent} aria-label="Progress" />
      )}
    </div>
  );
}

function Figure({ children }: { children: Child }) {
  return <span class="figure-item">{children}</span>;
}

/** What was asked: the prompt, where the heading does not include all of it, and the inputs. */
export function Asked({ view: { task, workflowName } }: { view: LoadedExecution }) {
  const { prompt, inputs } = task;
  const isShown = workflowName === null && headline(prompt, HEADLINE) === prompt;
  if (isShown && inputs === null) return null;
  return (
    <section class="card asked" aria-label="Prompt and inputs">
      {!isShown && <Prompt prompt={prompt} />}
      {inputs !== null && <ValueView value={inputs} label="Inputs" isFolded />}
    </section>
  );
}

/** Longer prompts are folded. */
const FOLDED_PROMPT = 700;

function Prompt({ prompt }: { prompt: string }) {
  if (prompt.length <= FOLDED_PROMPT) return <LongText text={prompt} isProse />;
  return (
    <>
      <p class="plain prose">{`${prompt.slice(0, FOLDED_PROMPT / 2)}…`}</p>
      <details>
        <summary>Show the whole prompt</summary>
        <LongText text={prompt} isProse />
      </details>
    </>
  );
}

/** The settings, the limits and the usage of the execution. */
export function Details({ view }: { view: LoadedExecution }) {
  const { task, state, result } = view;
  const { modelSteps, toolCalls, inputTokens, cachedTokens, outputTokens, costUsd } = result.usage;
  const metadata = Object.entries(task.metadata);
  return (
    <aside class="details" aria-label="Details">
      <h2>Details</h2>
      <Facts
        facts={[
          ["Execution", <code>{task.executionId}</code>],
          task.forkOf !== null && [
            "Continues",
            <>
              <a href={executionPath(task.forkOf.executionId)}>{task.forkOf.executionId}</a>
              {` after step ${task.forkOf.afterStep}`}
              <br />
              <a href={comparePath(task.forkOf.executionId, task.executionId)}>
                Compare step by step
              </a>
            </>,
          ],
          ...task.forks.map((id): [string, Child] => [
            "Continued as",
            <a href={executionPath(id)}>{id}</a>,
          ]),
          ...metadata,
          [
            "Credits",
            `${formatNumber(state.creditsConsumed)} of at most ${formatNumber(task.maxCredits)}`,
          ],
          [
            "Calls",
            `${formatCount(modelSteps, "model step")}, ${formatCount(toolCalls, "tool call")}`,
          ],
          inputTokens + outputTokens > 0 && [
            "Tokens",
            `${formatNumber(inputTokens)} in (${formatNumber(cachedTokens)} cached), ${formatNumber(outputTokens)} out`,
          ],
          costUsd !== undefined && ["Price", formatUsd(costUsd)],
          ["Limits", `${task.maxSteps} steps, ${formatDuration(task.timeoutSeconds * 1_000)}`],
          task.workflowId !== null &&
            task.revision !== null && [
              "Workflow revision",
              <a href={workflowPath(task.workflowId, `/revisions#revision-${task.revision}`)}>
                {task.revision}
              </a>,
            ],
          ["Tools", toolsText(task.tools)],
          task.connections.length > 0 && ["Connections", task.connections.join(", ")],
          task.allowedHosts !== null && ["Allowed hosts", task.allowedHosts.join(", ")],
          task.approvals.length > 0 && ["Requires approval", task.approvals.join(", ")],
          ["Can ask questions", task.interactive ? "yes" : "no"],
        ]}
      />
      <p>
        <a href={`${executionPath(task.executionId)}/result`} download>
          Download result as JSON
        </a>
      </p>
      {task.outputSchema !== null && (
        <details>
          <summary>Output schema</summary>
          <JsonView value={task.outputSchema} />
        </details>
      )}
    </aside>
  );
}

/** What started the execution, with links. */
function StartedBy({ view: { task, workflowName } }: { view: LoadedExecution }) {
  const { origin, workflowId, inbound } = task;
  return (
    <>
      {inbound === null ? (
        ORIGIN_LABELS[origin]
      ) : (
        <a href={requestPath(inbound.endpointId, inbound.requestId)}>{ORIGIN_LABELS[origin]}</a>
      )}
      {workflowId !== null && (
        <>
          {" · "}
          <a href={workflowPath(workflowId)}>{workflowName ?? "workflow"}</a>
        </>
      )}
    </>
  );
}

/** The event that the execution waits for; nothing while it waits for none. */
export function AwaitedEvent({
  view: { state, task },
  timeline,
}: {
  view: LoadedExecution;
  timeline: Timeline;
}) {
  if (state.statusDetail !== "event") return null;
  const call = timeline.rows.findLast(
    (row) => row.kind === "call" && row.tool === "wait_for_event" && row.span.to === null,
  );
  const input = waitForEventInput.safeParse(call?.kind === "call" ? call.input : null);
  if (call?.kind !== "call" || !input.success) return null;
  const { endpointId, when, timeoutSeconds, since, wake } = input.data;
  const parsed = condition.safeParse(when);
  const begun = Date.parse(task.createdAt) + call.span.from;
  return (
    <section class="card attention" aria-labelledby="awaited">
      <h2 id="awaited">Waits for an event</h2>
      <Facts
        facts={[
          ["Endpoint", <a href={endpointPath(endpointId, "/cases")}>{endpointId}</a>],
          ["Condition", <code>{parsed.success ? conditionText(parsed.data) : "–"}</code>],
          ["Received since", <Time at={since ?? task.createdAt} />],
          ["Until", <Time at={new Date(begun + timeoutSeconds * 1_000).toISOString()} />],
          wake === "one" && ["The event wakes", "this execution alone"],
        ]}
      />
    </section>
  );
}
