import { Layout } from "../../components/layout.tsx";
import { headline } from "../../format.ts";
import { executionPath } from "../../paths.ts";
import { Callbacks, Redeliver } from "./callbacks.tsx";
import {
  Ask,
  ControlErrors,
  ExecutionActions,
  MessageForm,
  placed,
  type Sent,
  sentTo,
} from "./controls.tsx";
import { EventLog } from "./event-log.tsx";
import { Commands, Details, Now, StatusLine, Task } from "./facts.tsx";
import { isOpen, type LoadedExecution } from "./load.ts";
import { Effects, Outcome, Outputs } from "./results.tsx";
import { SeenForm, seenOf } from "./updates.tsx";
/** The page of one execution. */
export function ExecutionPage({
  view,
  sent: refused,
}: {
  view: LoadedExecution;
  sent: Sent | null;
}) {
  const { task, workflowName, state, result, log } = view;
  const sent = placed(refused, state);
  const isOver = !isOpen(state);
  const { first, last } = seenOf(view);
  const shown = {
    executionId: task.executionId,
    first,
    last: last === null ? (log.events.at(-1)?.seq ?? 0) : null,
  };
  return (
    <Layout
      title={headline(workflowName === null ? task.prompt : `${workflowName}: ${task.prompt}`)}
      section="executions"
      actions={<ExecutionActions state={state} isUpdate={false} />}
    >
      <ControlErrors sent={sentTo("stop", sent)} />
      {!isOver && <Live view={view} />}
      <section class="card" aria-label="Status">
        {/* Screen readers announce its new content when the status changes. */}
        <p id="status" role="status">
          <StatusLine state={state} />
        </p>
        <Now state={state} isUpdate={false} />
      </section>
      <Task view={view} />
      <Ask state={state} sent={sent} isUpdate={false} />
      <Outcome state={state} result={result} isUpdate={false} />
      <Outputs outputs={result.outputs} shown={shown} />
      <Effects effects={result.effects} isOver={isOver} isUpdate={false} />
      <MessageForm state={state} sent={sent} />
      <EventLog executionId={task.executionId} log={log} since={task.createdAt} />
      <Callbacks task={task} callbacks={view.callbacks} isUpdate={false} />
      <Redeliver task={task} isOver={isOver} sent={sent} isUpdate={false} />
      <div class="grid">
        <Details view={view} />
        <Commands view={view} />
      </div>
    </Layout>
  );
}

/**
 * Follows the execution until it ends and asks for the changed parts of the page. It asks once more
 * after the end, since no later update would repair a failed one.
 */
function Live({ view }: { view: LoadedExecution }) {
  const path = executionPath(view.task.executionId);
  return (
    <>
      <div hx-ext="sse" sse-connect={`${path}/live?since=${view.state.version}`} sse-close="ended">
        <div
          hx-get={`${path}/changes`}
          hx-trigger="sse:changed, sse:ended delay:2s"
          hx-include="#seen"
          hx-swap="none"
        />
        <SeenForm seen={seenOf(view)} isUpdate={false} />
      </div>
      <noscript>
        <p>
          <a class="button" href={path}>
            Reload
          </a>{" "}
          to see updates.
        </p>
      </noscript>
    </>
  );
}
