import type { Child } from "hono/jsx";
import { Badge, Facts, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { formatCount, formatDuration, formatNumber, formatUsd, headline } from "../../format.ts";
import { comparePath, executionPath, requestPath, workflowPath } from "../../paths.ts";
import { DETAIL_LABELS, ORIGIN_LABELS, shownStatus, toolsText } from "./labels.ts";
import { Elapsed } from "./list.tsx";
import { isOpen, type LoadedExecution } from "./load.ts";
import { LongText, ValueView } from "./values.tsx";

/** The longest headline of a prompt: a longer prompt follows in full. */
export const HEADLINE = 80;

/** The status, which screen readers announce when it changes, and the figures of the execution. */
export function Status({ view }: { view: LoadedExecution }) {
  const { state, task } = view;
  const { progress, status, statusDetail, creditsConsumed } = state;
  return (
    <div class="status">
      <p id="status" role="status">
        <Badge state={shownStatus(state)} />
        {statusDetail !== "done" && <strong>{` ${DETAIL_LABELS[statusDetail]}`}</strong>}
      </p>
      <p class="figures">
        {[
          formatCount(creditsConsumed, "credit"),
          <Elapsed of={state} />,
          formatCount(progress.stepsCompleted, "step"),
          <code>{task.model}</code>,
          <StartedBy view={view} />,
        ].map((figure) => (
          <span>{figure}</span>
        ))}
      </p>
      {/* While the execution waits, this is the question, which stands below in full. */}
      {status === "active" && progress.message !== "" && <p class="now">{progress.message}</p>}
      {status === "stopped" && <p>{progress.message}</p>}
      {isOpen(state) && progress.percent !== null && (
        <progress max={100} value={progress.percent} aria-label="Progress" />
      )}
    </div>
  );
}

/** What was asked: the prompt, where the heading does not include all of it, and the inputs. */
export function Asked({ view: { task, workflowName } }: { view: LoadedExecution }) {
  const { prompt, inputs } = task;
  const isShown = workflowName === null && headline(prompt, HEADLINE) === prompt;
  if (isShown && inputs === null) return null;
  return (
    <section class="card asked" aria-label="Prompt and inputs">
      {!isShown && <LongText text={prompt} isProse />}
      {inputs !== null && <ValueView value={inputs} label="Inputs" isFolded />}
    </section>
  );
}

/** The settings, the limits and the usage of the execution. */
export function Details({ view }: { view: LoadedExecution }) {
  const { task, state, result } = view;
  const { modelSteps, toolCalls, inputTokens, cachedTokens, outputTokens, costUsd } = result.usage;
  const metadata = Object.entries(task.metadata);
  return (
    <aside class="card" aria-label="Details">
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
  const { origin, workflowId, inbound, createdAt } = task;
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
      )}{" "}
      <Time at={createdAt} />
    </>
  );
}
