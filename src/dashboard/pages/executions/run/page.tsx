import { Layout } from "../../../components/layout.tsx";
import { Refused } from "../../../components/refused.tsx";
import { runPath } from "../paths.ts";
import { headingOf } from "../words.ts";
import { Ask } from "./ask.tsx";
import { Callbacks, Redeliver } from "./callbacks.tsx";
import { Effects } from "./effects.tsx";
import { Commands, Facts, Task } from "./facts.tsx";
import { placed, type Sent, sentTo } from "./forms.ts";
import { isOpen, type Run } from "./load.ts";
import { Log } from "./log.tsx";
import { Now, StatusLine } from "./now.tsx";
import { Outcome } from "./outcome.tsx";
import { Outputs } from "./outputs.tsx";
import { Say } from "./say.tsx";
import { SeenForm, seenOf } from "./seen.tsx";
import { RunActions } from "./stop.tsx";

/** The page of one run. */
export function RunPage({ run, sent: refused }: { run: Run; sent: Sent | null }) {
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
      actions={<RunActions state={state} isUpdate={false} />}
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
      <Say state={state} sent={sent} />
      <Log executionId={task.executionId} log={log} since={task.createdAt} />
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
function Live({ run }: { run: Run }) {
  const path = runPath(run.task.executionId);
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
