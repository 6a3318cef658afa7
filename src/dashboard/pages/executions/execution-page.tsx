import type { CallbackLog } from "../../../contract/callbacks.ts";
import { LinkButton, Notice } from "../../components/elements.tsx";
import { Layout, Tabs } from "../../components/layout.tsx";
import { IfMay } from "../../components/reader.tsx";
import { headline } from "../../format.ts";
import { FormErrors } from "../../forms/fields.tsx";
import { livePath } from "../../live.ts";
import { decisionPath, executionPath } from "../../paths.ts";
import { DecisionCard } from "../decisions/card.tsx";
import { ConnectModel } from "../overview/first-run.tsx";
import { CallbacksTab } from "./callbacks.tsx";
import { ExecutionActions, MessageForm, type Sent } from "./controls.tsx";
import { Asked, HEADLINE, Status } from "./facts.tsx";
import { DETAIL_LABELS, plainError } from "./labels.ts";
import { isOpen, type LoadedExecution, type Tab } from "./load.ts";
import { ResultTab } from "./results.tsx";
import { TimelineView } from "./timeline-view.tsx";

const LABELS: Record<Tab, string> = {
  result: "Result",
  timeline: "Timeline",
  callbacks: "Callbacks",
};

/** The page of one execution: what was asked, what came out, and how. */
export function ExecutionPage({ view, sent }: { view: LoadedExecution; sent: Sent | null }) {
  const { task, workflowName, state, tab, callbacks, decision } = view;
  const path = executionPath(task.executionId);
  return (
    <Layout
      title={workflowName ?? headline(task.prompt, HEADLINE)}
      section="executions"
      isBelow
      actions={
        // A workflow that is gone, or that the key may not read, cannot be run again.
        <ExecutionActions state={state} workflowId={workflowName && task.workflowId} />
      }
      live={liveOf(view)}
    >
      {sent?.form === "stop" && <FormErrors of={sent.state} />}
      <Status view={view} />
      {decision !== null && (
        <DecisionCard decision={decision} action={decisionPath(decision.decisionId)} />
      )}
      {state.error !== undefined && <Failure error={state.error} model={task.model} />}
      <Asked view={view} />
      <Tabs
        label="Parts of this execution"
        current={tab}
        tabs={Object.entries(LABELS).map(([id, label]) => ({
          id,
          label,
          href: `${path}?tab=${id}`,
        }))}
      />
      {tab === "result" && <ResultTab view={view} />}
      {tab === "timeline" && <TimelineView view={view} />}
      {callbacks !== null && (
        <CallbacksTab task={task} callbacks={callbacks} isOver={!isOpen(state)} sent={sent} />
      )}
      <IfMay scope="executions:write">
        <MessageForm state={state} sent={sent} />
      </IfMay>
      {isOpen(state) && (
        <noscript>
          <p>
            <LinkButton href={path}>Reload</LinkButton> to see updates.
          </p>
        </noscript>
      )}
    </Layout>
  );
}

/** Why the execution failed: the first line of the report, and what follows it folded. */
function Failure({
  error: { code, message },
  model,
}: {
  error: NonNullable<LoadedExecution["state"]["error"]>;
  model: string | string[];
}) {
  const [first = "", ...rest] = plainError(message).split("\n");
  return (
    <Notice tone={code === "denied" ? "neutral" : "bad"}>
      <p class="plain">
        <strong>{first}</strong>
      </p>
      <p>
        {DETAIL_LABELS[code]} <code>{code}</code>
      </p>
      <ConnectModel model={model} />
      {rest.length > 0 && (
        <details>
          <summary>Show the whole report</summary>
          <p class="plain">{rest.join("\n")}</p>
        </details>
      )}
    </Notice>
  );
}

/** Returns the stream that the page follows; after the end only callbacks can change. */
function liveOf({ task, state, callbacks }: LoadedExecution): string | null {
  const path = executionPath(task.executionId);
  if (isOpen(state)) return livePath(`${path}/live`, String(state.version));
  if (callbacks?.state !== "pending") return null;
  return livePath(`${path}/live-callbacks`, callbacksKey(callbacks));
}

/** Returns a text that changes with each attempt to deliver a callback. */
export const callbacksKey = ({ state, attempts }: CallbackLog): string =>
  `${state}-${attempts.length}`;
