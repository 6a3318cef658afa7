import { Layout } from "../../components/layout.tsx";
import { Refused } from "../../forms/errors.tsx";
import { executionPath } from "../../paths.ts";
import { Callbacks, Redeliver } from "./callbacks.tsx";
import { Ask, ExecutionActions, MessageForm, placed, type Sent, sentTo } from "./controls.tsx";
import { EventLog } from "./event-log.tsx";
import { Commands, Facts, Now, StatusLine, Task } from "./facts.tsx";
import { headingOf } from "./labels.ts";
import { isOpen, type LoadedExecution } from "./load.ts";
import { Effects, Outcome, Outputs } from "./results.tsx";
import { SeenForm, seenOf } from "./updates.tsx";
/** The page of one run. */
export function ExecutionPage({ run, sent: refused }: { run: LoadedExecution; sent: Sent | null }) {
  const { task, workflowName, state, result, log } = run;
  const sent = placed(refused, state);
  const isOver = !isOpen(state);
  const { first, last } = seenOf(run);
  const shown = {
    executionId: task.executionId,
    first,
    last: last === null ? (log.events.at(-1)?.seq ?? 0) : null,
  };
  return (
    <Layout
      title={headingOf(workflowName === null ? task.prompt : `${workflowName}: ${task.prompt}`)}
      section="executions"
      actions={<ExecutionActions state={state} isUpdate={false} />}
    >
      <Refused refusal={sentTo("stop", sent)?.refusal ?? null} shown={() => false} />
      {!isOver && <Live run={run} />}
      <section class="card" aria-label="How it stands">
        {/* Filled anew when the status changes, which screen readers then tell. */}
        <p id="status" role="status">
          <StatusLine state={state} />
        </p>
        <Now state={state} isUpdate={false} />
      </section>
      <Task run={run} />
      <Ask state={state} sent={sent} isUpdate={false} />
      <Outcome state={state} result={result} isUpdate={false} />
      <Outputs outputs={result.outputs} shown={shown} />
      <Effects effects={result.effects} isOver={isOver} isUpdate={false} />
      <MessageForm state={state} sent={sent} />
      <EventLog executionId={task.executionId} log={log} since={task.createdAt} />
      <Callbacks task={task} callbacks={run.callbacks} isUpdate={false} />
      <Redeliver task={task} isOver={isOver} sent={sent} isUpdate={false} />
      <div class="grid">
        <Facts run={run} />
        <Commands run={run} />
      </div>
    </Layout>
  );
}

/**
 * Follows the run until it has ended, and asks for the parts of the page that changed; some time after
 * the end once more, since nothing would make up for an update that failed then.
 */
function Live({ run }: { run: LoadedExecution }) {
  const path = executionPath(run.task.executionId);
  return (
    <>
      <div hx-ext="sse" sse-connect={`${path}/live?since=${run.state.version}`} sse-close="ended">
        <div
          hx-get={`${path}/changes`}
          hx-trigger="sse:changed, sse:ended delay:2s"
          hx-include="#seen"
          hx-swap="none"
        />
        <SeenForm seen={seenOf(run)} isUpdate={false} />
      </div>
      <noscript>
        <p>
          <a class="button" href={path}>
            Refresh
          </a>{" "}
          to see how it goes on.
        </p>
      </noscript>
    </>
  );
}
