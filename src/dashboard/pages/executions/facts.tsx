import type { ExecutionResult, ExecutionState } from "../../../contract/execution.ts";
import { Badge, Copyable, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { countOf, DETAIL_LABELS, headingOf, ORIGIN_LABELS, spanOf } from "./labels.ts";
import { isOpen, type LoadedExecution } from "./load.ts";
import { LongJson, LongText } from "./values.tsx";
/** What it took, once it is over. */
export function Usage({
  state,
  result: { usage, creditsConsumed },
  isUpdate,
}: {
  state: ExecutionState;
  result: ExecutionResult;
  isUpdate: boolean;
}) {
  const number = (count: number) => count.toLocaleString("en");
  return (
    <div id="usage" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {!isOpen(state) && (
        <>
          <h3>What it took</h3>
          <dl class="facts">
            <dt>Credits</dt>
            <dd>{number(creditsConsumed)}</dd>
            <dt>Calls</dt>
            <dd>{`${countOf(usage.modelSteps, "model step")}, ${countOf(usage.toolCalls, "tool call")}`}</dd>
            <dt>Tokens</dt>
            <dd>
              {`${number(usage.inputTokens)} in (${number(usage.cachedTokens)} cached), ${number(usage.outputTokens)} out`}
            </dd>
          </dl>
        </>
      )}
    </div>
  );
}

/** What the run was asked to do, where the heading does not say it all. */
export function Task({ run: { task, workflowName } }: { run: LoadedExecution }) {
  if (task.inputs === null && workflowName === null && headingOf(task.prompt) === task.prompt) {
    return null;
  }
  return (
    <details class="card">
      <summary>
        <h2>What it was asked</h2>
      </summary>
      <LongText text={task.prompt} />
      {task.inputs !== null && (
        <>
          <h3>Its data</h3>
          <LongJson value={task.inputs} label="Its data as JSON" />
        </>
      )}
    </details>
  );
}

/** Where the run comes from and what bounds it. */
export function Facts({ run: { task, workflowName, state, result } }: { run: LoadedExecution }) {
  const metadata = Object.entries(task.metadata);
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">About this execution</h2>
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{task.executionId}</code>
        </dd>
        <dt>Started by</dt>
        <dd>
          <StartedBy task={task} workflowName={workflowName} />
        </dd>
        <dt>Accepted</dt>
        <dd>
          <Time at={task.createdAt} />
        </dd>
        <dt>Model</dt>
        <dd>
          <code>{task.model}</code>
        </dd>
        <dt>Limits</dt>
        <dd>{`${task.maxCredits} credits, ${task.maxSteps} steps, ${spanOf(task.timeoutSeconds * 1_000)}`}</dd>
        <dt>Tools</dt>
        <dd>{task.tools.join(", ")}</dd>
        {task.approvals.length > 0 && (
          <>
            <dt>Wait for a yes</dt>
            <dd>{task.approvals.join(", ")}</dd>
          </>
        )}
        <dt>May ask</dt>
        <dd>{task.interactive ? "yes" : "no"}</dd>
      </dl>
      {metadata.length > 0 && (
        <>
          <h3>Notes of your own</h3>
          <dl class="facts">
            {metadata.map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
        </>
      )}
      <Usage state={state} result={result} isUpdate={false} />
      {task.outputSchema !== null && (
        <>
          <h3>Schema of its data</h3>
          <JsonView value={task.outputSchema} />
        </>
      )}
    </section>
  );
}

/** What started it, with the way there. */
function StartedBy({
  task: { origin, workflowId, inbound },
  workflowName,
}: Pick<LoadedExecution, "task" | "workflowName">) {
  return (
    <>
      {ORIGIN_LABELS[origin]}
      {inbound !== null && (
        <>
          {": "}
          <a
            href={`/dashboard/webhooks/${encodeURIComponent(inbound.endpointId)}/requests/${encodeURIComponent(inbound.requestId)}`}
          >
            the request
          </a>
        </>
      )}
      {workflowId !== null && (
        <>
          {", "}
          <a href={`/dashboard/workflows/${encodeURIComponent(workflowId)}`}>
            {workflowName ?? "its workflow"}
          </a>
        </>
      )}
    </>
  );
}

/** The same run outside of the dashboard. */
export function Commands({ run: { task, origin } }: { run: LoadedExecution }) {
  const url = `${origin}/api/v1/agent/trigger/${task.executionId}`;
  return (
    <section class="card" aria-labelledby="commands-title">
      <h2 id="commands-title">From the command line</h2>
      <Copyable
        id="curl"
        label="The result"
        text={`curl ${url}/result -H "Authorization: Bearer $PROMPTHOOK_API_KEY"`}
      />
      <Copyable
        id="cli"
        label="As it happens"
        text={`PROMPTHOOK_API_KEY=... npx prompthook watch ${task.executionId} --url ${origin}`}
      />
    </section>
  );
}

/** What is said to a screen reader when the status changes; the element that holds it stays. */
export function StatusLine({ state }: { state: ExecutionState }) {
  return (
    <>
      <Badge state={state.status} /> <strong>{DETAIL_LABELS[state.statusDetail]}</strong>
    </>
  );
}

/** How far the run has come. Nothing in it takes the focus, so it is replaced at each change. */
export function Now({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  const { progress } = state;
  return (
    <div id="now" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {/* While it waits, this is the question, which stands below in full. */}
      {state.status === "active" && <p class="run-message">{progress.message}</p>}
      {isOpen(state) && progress.percent !== null && (
        <progress max={100} value={progress.percent} aria-label="Progress" />
      )}
      <dl class="numbers">
        <div>
          <dt>Steps</dt>
          <dd>
            {progress.stepsCompleted}
            {isOpen(state) && <span class="muted">{` · now ${progress.currentStep}`}</span>}
          </dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd>{state.creditsConsumed}</dd>
        </div>
        <div>
          <dt>Elapsed</dt>
          <dd>
            <Elapsed state={state} />
          </dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={state.startedAt} />
          </dd>
        </div>
        <div>
          <dt>Finished</dt>
          <dd>
            <Time at={state.finishedAt} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** From the beginning to the end; until then the reader's browser lets it tick. */
function Elapsed({ state }: { state: ExecutionState }) {
  const from = state.startedAt ?? state.createdAt;
  const until = state.finishedAt === null ? Date.now() : Date.parse(state.finishedAt);
  const span = spanOf(until - Date.parse(from));
  return isOpen(state) ? <span data-since={from}>{span}</span> : <span>{span}</span>;
}
