import type { CallbackAttempt, CallbackLog } from "../../../contract/callbacks.ts";
import type { ExecutionState } from "../../../contract/execution.ts";
import type { ExecutionTask } from "../../../contract/task.ts";
import { Badge, CopiedId, LinkButton, Notice, Time } from "../../components/elements.tsx";
import { IfMay, Layout, PostButton, Tabs } from "../../components/layout.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { formatCount, formatDuration, formatUsd, headline } from "../../format.ts";
import { FormErrors } from "../../forms/fields.tsx";
import { livePath } from "../../live.ts";
import { decisionPath, executionPath, requestPath, workflowPath } from "../../paths.ts";
import { DecisionCard } from "../decisions/card.tsx";
import { ConnectModel } from "../overview/first-run.tsx";
import { ExecutionActions, MessageForm, type Sent } from "./controls.tsx";
import { DETAIL_LABELS, ORIGIN_LABELS, plainError, shownStatus } from "./labels.ts";
import { Elapsed } from "./list.tsx";
import { isOpen, type LoadedExecution, type Tab } from "./load.ts";
import { ResultTab } from "./results.tsx";
import { TimelineView } from "./timeline-view.tsx";
import { LongText, ValueView } from "./values.tsx";

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
        links={Object.entries(LABELS).map(([id, label]) => ({
          label,
          href: `${path}?tab=${id}`,
          isCurrent: id === tab,
        }))}
      />
      {tab === "result" && <ResultTab view={view} />}
      {tab === "timeline" && <TimelineView view={view} />}
      {callbacks !== null && (
        <CallbacksTab task={task} callbacks={callbacks} isOver={!isOpen(state)} />
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
        <code>{code}</code>
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

/** The longest headline of a prompt: a longer prompt follows in full. */
const HEADLINE = 80;

/** The status, which screen readers announce when it changes, and the figures of the execution. */
function Status({ view }: { view: LoadedExecution }) {
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
function waitsOf({ createdAt, finishedAt, updatedAt, activeMs, status }: ExecutionState) {
  if (activeMs === null) return null;
  const since = Date.parse(createdAt) + activeMs;
  const isWaiting = status === "waiting_for_input";
  const waited = (isWaiting ? Date.now() : Date.parse(finishedAt ?? updatedAt)) - since;
  if (waited < LONG_WAIT_MS) return null;
  const counts = isWaiting && { "data-since": new Date(since).toISOString() };
  return (
    <>
      {`${formatDuration(activeMs)} working, `}
      <span {...counts}>{formatDuration(waited)}</span> waiting
    </>
  );
}

/** What was asked: the prompt, where the heading does not include all of it, and the inputs. */
function Asked({ view: { task, workflowName } }: { view: LoadedExecution }) {
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

const columnsFor = (callbackUrl: string | null): Column<CallbackAttempt>[] => [
  { name: "Attempt", cell: ({ attempt }) => attempt },
  {
    name: "Event",
    is: "keep",
    cell: ({ event, url }) => (
      <>
        {event.replace("execution.", "").replaceAll("_", " ")}
        {url !== callbackUrl && <div class="muted">{url}</div>}
      </>
    ),
  },
  {
    name: "Response",
    is: "wrap",
    cell: ({ status, error }) => (
      <>
        <Badge state={isGood(status) ? "delivered" : "failed"} />{" "}
        <span class="muted">{error ?? status}</span>
      </>
    ),
  },
  { name: "Duration", is: "num", cell: ({ durationMs }) => formatDuration(durationMs) },
  { name: "At", cell: ({ at }) => <Time at={at} /> },
  { name: "Next attempt", cell: ({ nextAttemptAt = null }) => <Time at={nextAttemptAt} /> },
];

const isGood = (status: number | null) => status !== null && status >= 200 && status < 300;

/** The callbacks of the execution, and a form that sends them again once it has ended. */
function CallbacksTab({
  task: { executionId, callbackUrl, isCallbackSigned },
  callbacks: { attempts, state },
  isOver,
}: {
  task: ExecutionTask;
  callbacks: CallbackLog;
  isOver: boolean;
}) {
  return (
    <section aria-label="Callbacks" id="callbacks">
      <p>
        {state === "none" ? "No callback." : <Badge state={state} />}
        {state === "failed" && " No more attempts."}
        {callbackUrl !== null && (
          <>
            {" Sent to "}
            <code>{callbackUrl}</code>
            {isCallbackSigned ? ", signed." : ", not signed."}
          </>
        )}
      </p>
      {attempts.length > 0 && (
        <Table label="Callback attempts" columns={columnsFor(callbackUrl)} rows={attempts} />
      )}
      {isOver && callbackUrl !== null && (
        <PostButton scope="executions:write" action={executionPath(executionId, "/redeliver")}>
          Redeliver callback
        </PostButton>
      )}
    </section>
  );
}
