import { LinkButton, Notice } from "../../components/elements.tsx";
import { Layout, Tabs } from "../../components/layout.tsx";
import { IfMay } from "../../components/reader.tsx";
import { headline } from "../../format.ts";
import { livePath } from "../../live.ts";
import { decisionPath, EXECUTIONS, executionPath } from "../../paths.ts";
import { DecisionCard } from "../decisions/card.tsx";
import { callContext } from "./call-view.tsx";
import { CallbacksTab } from "./callbacks.tsx";
import { ControlErrors, ExecutionActions, MessageForm, type Sent, sentTo } from "./controls.tsx";
import { Asked, AwaitedEvent, HEADLINE, Status } from "./facts.tsx";
import { DETAIL_LABELS, plainError } from "./labels.ts";
import { isOpen, type LoadedExecution, type Tab } from "./load.ts";
import { ResultTab } from "./results.tsx";
import { timelineOf } from "./timeline.ts";
import { TimelineView } from "./timeline-view.tsx";

const LABELS: Record<Tab, string> = {
  result: "Result",
  timeline: "Timeline",
  callbacks: "Callbacks",
};

/** The page of one execution: what was asked, what came out, and how. */
export function ExecutionPage({ view, sent }: { view: LoadedExecution; sent: Sent | null }) {
  const { task, workflowName, state, content, decision } = view;
  const path = executionPath(task.executionId);
  const timeline = timelineOf(view.log.events, task.createdAt);
  const context = callContext(task.executionId, timeline.rows, view.result.outputs);
  return (
    <Layout
      title={workflowName ?? headline(task.prompt, HEADLINE)}
      section="executions"
      crumb={{ label: "Executions", href: EXECUTIONS }}
      actions={<ExecutionActions state={state} />}
      live={liveOf(view)}
    >
      <ControlErrors sent={sentTo("stop", sent)} />
      <Status view={view} />
      {decision !== null && (
        <DecisionCard
          decision={decision}
          action={decisionPath(decision.decisionId)}
          context={context}
        />
      )}
      <AwaitedEvent view={view} timeline={timeline} />
      {state.error !== undefined && (
        <Notice tone={state.error.code === "denied" ? "neutral" : "bad"}>
          <p class="plain">
            <strong>{plainError(state.error.message)}</strong>
          </p>
          <p>
            {DETAIL_LABELS[state.error.code]} <code>{state.error.code}</code>
          </p>
        </Notice>
      )}
      <Asked view={view} />
      <Tabs
        label="Parts of this execution"
        current={content.tab}
        tabs={Object.entries(LABELS).map(([id, label]) => ({
          id,
          label,
          href: `${path}?tab=${id}`,
        }))}
      />
      <Content view={view} timeline={timeline} context={context} sent={sent} />
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

function Content({
  view,
  timeline,
  context,
  sent,
}: {
  view: LoadedExecution;
  timeline: ReturnType<typeof timelineOf>;
  context: ReturnType<typeof callContext>;
  sent: Sent | null;
}) {
  const { content, state, task, log } = view;
  switch (content.tab) {
    case "result":
      return <ResultTab view={view} previews={content.previews} />;
    case "timeline": {
      const end = Math.max(timeline.end, spanOf(state));
      const scale = { end, isOpen: isOpen(state) };
      return (
        <TimelineView
          timeline={timeline}
          context={context}
          log={log}
          scale={scale}
          opened={content.opened}
        />
      );
    }
    case "callbacks":
      return (
        <CallbacksTab
          task={task}
          callbacks={content.callbacks}
          isOver={!isOpen(state)}
          sent={sent}
        />
      );
  }
}

/** Returns the milliseconds from the acceptance to the end, or to the last change. */
function spanOf({ createdAt, finishedAt, updatedAt }: LoadedExecution["state"]): number {
  return Date.parse(finishedAt ?? updatedAt) - Date.parse(createdAt);
}

/** Returns the stream that the page follows; after the end only callbacks can change. */
function liveOf({ task, state, content }: LoadedExecution): string | null {
  const path = executionPath(task.executionId);
  if (isOpen(state)) return livePath(`${path}/live`, String(state.version));
  if (content.tab !== "callbacks" || content.callbacks.state !== "pending") return null;
  return livePath(`${path}/live-callbacks`, callbacksKey(content.callbacks));
}

/** Returns a text that changes with each attempt to deliver a callback. */
export function callbacksKey({
  state,
  attempts,
}: {
  state: string;
  attempts: readonly unknown[];
}): string {
  return `${state}-${attempts.length}`;
}
