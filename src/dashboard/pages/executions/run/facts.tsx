import { JsonView } from "../../../components/json-view.tsx";
import { Copyable, Time } from "../../../components/parts.tsx";
import { headingOf, ORIGINS, spanOf } from "../words.ts";
import type { Run } from "./load.ts";
import { Usage } from "./usage.tsx";
import { LongJson, LongText } from "./values.tsx";

/** What the run was asked to do, where the heading does not say it all. */
export function Task({ run: { task, workflowName } }: { run: Run }) {
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
export function Facts({ run: { task, workflowName, state, result } }: { run: Run }) {
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
}: Pick<Run, "task" | "workflowName">) {
  return (
    <>
      {ORIGINS[origin]}
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
export function Commands({ run: { task, origin } }: { run: Run }) {
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
