import type { ExecutionResult, ExecutionState } from "../../../contract/execution.ts";
import { Badge, Copyable, Facts, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { formatCount, formatDuration, formatNumber, headline } from "../../format.ts";
import { requestPath, workflowPath } from "../../paths.ts";
import { DETAIL_LABELS, ORIGIN_LABELS } from "./labels.ts";
import { isOpen, type LoadedExecution } from "./load.ts";
import { LongJson, LongText } from "./values.tsx";

/** The status that screen readers announce when it changes; the element around it stays. */
export function StatusLine({ state }: { state: ExecutionState }) {
  return (
    <>
      <Badge state={state.status} /> <strong>{DETAIL_LABELS[state.statusDetail]}</strong>
    </>
  );
}

/** The progress. Nothing in it takes the focus, so each change replaces it. */
export function Now({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  const { progress } = state;
  const numbers = {
    Steps: (
      <>
        {progress.stepsCompleted}
        {isOpen(state) && <span class="muted">{` · current: ${progress.currentStep}`}</span>}
      </>
    ),
    Credits: state.creditsConsumed,
    Elapsed: <Elapsed state={state} />,
    Started: <Time at={state.startedAt} />,
    Finished: <Time at={state.finishedAt} />,
  };
  return (
    <div id="now" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {/* While the execution waits, this is the question, which is shown in full below. */}
      {state.status === "active" && <p class="run-message">{progress.message}</p>}
      {isOpen(state) && progress.percent !== null && (
        <progress max={100} value={progress.percent} aria-label="Progress" />
      )}
      <dl class="numbers">
        {Object.entries(numbers).map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The time from the start to the end; until then the reader's browser counts on. */
function Elapsed({ state }: { state: ExecutionState }) {
  const from = state.startedAt ?? state.createdAt;
  const until = state.finishedAt === null ? Date.now() : Date.parse(state.finishedAt);
  const span = formatDuration(until - Date.parse(from));
  return isOpen(state) ? <span data-since={from}>{span}</span> : <span>{span}</span>;
}

/** The usage of an execution that has ended. */
export function Usage({
  state,
  result: { usage, creditsConsumed },
  isUpdate,
}: {
  state: ExecutionState;
  result: ExecutionResult;
  isUpdate: boolean;
}) {
  const { modelSteps, toolCalls, inputTokens, cachedTokens, outputTokens } = usage;
  return (
    <div id="usage" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {!isOpen(state) && (
        <>
          <h3>Usage</h3>
          <Facts
            facts={[
              ["Credits", formatNumber(creditsConsumed)],
              [
                "Calls",
                `${formatCount(modelSteps, "model step")}, ${formatCount(toolCalls, "tool call")}`,
              ],
              [
                "Tokens",
                `${formatNumber(inputTokens)} in (${formatNumber(cachedTokens)} cached), ${formatNumber(outputTokens)} out`,
              ],
            ]}
          />
        </>
      )}
    </div>
  );
}

/** The prompt and inputs, where the heading does not include all of them. */
export function Task({ view: { task, workflowName } }: { view: LoadedExecution }) {
  if (task.inputs === null && workflowName === null && headline(task.prompt) === task.prompt) {
    return null;
  }
  return (
    <details class="card">
      <summary>
        <h2>Prompt and inputs</h2>
      </summary>
      <LongText text={task.prompt} />
      {task.inputs !== null && (
        <>
          <h3>Inputs</h3>
          <LongJson value={task.inputs} label="Inputs as JSON" />
        </>
      )}
    </details>
  );
}

/** The origin and the limits of the execution. */
export function Details({ view }: { view: LoadedExecution }) {
  const { task, state, result } = view;
  const metadata = Object.entries(task.metadata);
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <Facts
        facts={[
          ["Id", <code>{task.executionId}</code>],
          ["Started by", <StartedBy view={view} />],
          ["Accepted", <Time at={task.createdAt} />],
          ["Model", <code>{task.model}</code>],
          [
            "Limits",
            `${task.maxCredits} credits, ${task.maxSteps} steps, ${formatDuration(task.timeoutSeconds * 1_000)}`,
          ],
          ["Tools", task.tools.join(", ")],
          task.approvals.length > 0 && ["Requires approval", task.approvals.join(", ")],
          ["Can ask questions", task.interactive ? "yes" : "no"],
        ]}
      />
      {metadata.length > 0 && (
        <>
          <h3>Metadata</h3>
          <Facts facts={metadata} />
        </>
      )}
      <Usage state={state} result={result} isUpdate={false} />
      {task.outputSchema !== null && (
        <>
          <h3>Output schema</h3>
          <JsonView value={task.outputSchema} />
        </>
      )}
    </section>
  );
}

/** What started the execution, with links. */
function StartedBy({ view: { task, workflowName } }: { view: LoadedExecution }) {
  const { origin, workflowId, inbound } = task;
  return (
    <>
      {ORIGIN_LABELS[origin]}
      {inbound !== null && (
        <>
          {": "}
          <a href={requestPath(inbound.endpointId, inbound.requestId)}>request</a>
        </>
      )}
      {workflowId !== null && (
        <>
          {", "}
          <a href={workflowPath(workflowId)}>{workflowName ?? "workflow"}</a>
        </>
      )}
    </>
  );
}

/** Commands that follow the execution outside of the dashboard. */
export function Commands({ view: { task, origin } }: { view: LoadedExecution }) {
  const url = `${origin}/api/v1/agent/trigger/${task.executionId}`;
  return (
    <section class="card" aria-labelledby="commands-title">
      <h2 id="commands-title">Command line</h2>
      <Copyable
        id="curl"
        label="Get the result"
        text={`curl ${url}/result -H "Authorization: Bearer $PROMPTHOOK_API_KEY"`}
      />
      <Copyable
        id="cli"
        label="Watch the execution"
        text={`PROMPTHOOK_API_KEY=... npx prompthook watch ${task.executionId} --url ${origin}`}
      />
    </section>
  );
}
