import type { Child } from "hono/jsx";
import type { ExecutionState } from "../../../contract/execution.ts";
import { Badge, CopiedId, Facts, Time } from "../../components/elements.tsx";
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
  const { state, task, result } = view;
  const { progress, status, statusDetail, creditsConsumed } = state;
  const { costUsd } = result.usage;
  return (
    <div class="status">
      <p id="status" role="status">
        <Badge state={shownStatus(state)} />
        {statusDetail !== "done" && <strong>{` ${DETAIL_LABELS[statusDetail]}`}</strong>}
      </p>
      <p class="figures">
        {[
          formatCount(creditsConsumed, "credit"),
          ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
          waitsOf(state) ?? <Elapsed of={state} />,
          formatCount(progress.stepsCompleted, "step"),
          <code>{result.model}</code>,
          <StartedBy view={view} />,
          <CopiedId id="execution-id" text={task.executionId} />,
          ...Object.entries(task.metadata).map(([name, value]) => `${name}: ${value}`),
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

/** Shorter waits are not shown. */
const LONG_WAIT_MS = 1_000;

/** Says how long an execution worked and how long it waited for people and events; null without such a wait. */
function waitsOf({ createdAt, finishedAt, updatedAt, activeMs }: ExecutionState): string | null {
  if (activeMs === null) return null;
  const waited = Date.parse(finishedAt ?? updatedAt) - Date.parse(createdAt) - activeMs;
  if (waited < LONG_WAIT_MS) return null;
  return `${formatDuration(activeMs)} working, ${formatDuration(waited)} waiting`;
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
  const { modelSteps, toolCalls, inputTokens, cachedTokens, outputTokens } = result.usage;
  return (
    <aside class="card" aria-label="Details">
      <h2>Details</h2>
      <Facts
        facts={[
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
        <a href={executionPath(task.executionId, "/result")} download>
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
