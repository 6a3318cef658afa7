import type { Child } from "hono/jsx";
import type { ExecutionState } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/inbound/log.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { endpointPath, executionPath, requestPath } from "../../paths.ts";
import { DETAIL_LABELS } from "../executions/labels.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { isUnchanged, verdictsOf } from "./check-verdicts.ts";
import { answerOf, durationOf, isHeld, REMEDIES, type Remedy, STAGE_NAMES } from "./labels.ts";
import { type RefusedReplay, ReplayForm } from "./replay.tsx";
import { type RequestBody, RequestView } from "./request-body.tsx";
import { Flags } from "./request-log.tsx";

/** The steps of a request in their order, and how far it came. */
export function Checks({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  return (
    <section class="card snug">
      <h2>Checks</h2>
      <ol class="checks">
        {verdictsOf(entry, endpoint).map(({ stage, verdict }) => (
          <li>
            {STAGE_NAMES[stage]} <Badge state={verdict} />
          </li>
        ))}
      </ol>
      {!isUnchanged(entry, endpoint) && (
        <p class="hint">
          The endpoint has been changed since: what it did not ask for then counts as passed.
        </p>
      )}
    </section>
  );
}

/** What went wrong with a request, why, and what to change; and what was noticed besides. */
export function Trouble({ entry }: { entry: LogEntry }) {
  const [first] = entry.errors;
  return (
    <>
      {first !== undefined && (
        <section class="card snug trouble">
          <h2>What went wrong</h2>
          <ol class="errors">
            {entry.errors.map(({ stage, path, rule, message }) => (
              <li>
                <strong>{STAGE_NAMES[stage]}</strong>
                {path !== undefined && path !== "" && <code>{path}</code>}
                <span>{message}</span>
                <span class="muted">{`rule ${rule}`}</span>
              </li>
            ))}
          </ol>
          <p>
            {`${REMEDIES[first.stage].what} `}
            <MendLink entry={entry} where={REMEDIES[first.stage].where} />
          </p>
        </section>
      )}
      {entry.diagnosis.length > 0 && (
        <section class="card snug diagnosis">
          <h2>Diagnosis</h2>
          <ul>
            {entry.diagnosis.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
          <p>
            <a id="mend-signature" href={endpointPath(entry.endpointId, "/settings")}>
              Change how the endpoint verifies
            </a>
          </p>
        </section>
      )}
      {entry.warnings.length > 0 && (
        <section class="card snug">
          <h2>Warnings</h2>
          <ul>
            {entry.warnings.map((warning) => (
              <li>{warning}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function MendLink({ entry, where }: { entry: LogEntry; where: Remedy["where"] }) {
  const { endpointId, executionId } = entry;
  switch (where) {
    case "settings":
    case "rules":
      return (
        <a id="mend" href={endpointPath(endpointId, `/${where}`)}>
          {where === "rules" ? "To validation and mapping" : "To the endpoint's settings"}
        </a>
      );
    case "execution":
      return executionId === null ? null : (
        <a id="mend" href={executionPath(executionId)}>
          To the execution
        </a>
      );
    case "sender":
      return null;
  }
}

/** The run of a request, as far as it is told here. */
export type LinkedExecution = Pick<
  ExecutionState,
  "executionId" | "status" | "statusDetail" | "progress"
>;

/** How a request stands, and what it belongs to. */
export function Facts({
  entry,
  endpoint,
  run,
}: {
  entry: LogEntry;
  endpoint: EndpointRecord;
  run: LinkedExecution | null;
}) {
  const { endpointId, latencyMs } = entry;
  return (
    <section class="card snug" aria-label="Status">
      <dl class="facts">
        <Fact name="Status">
          <Badge state={entry.status} /> <Flags entry={entry} />
          {isHeld(entry) && <p class="hint">{whyHeld(endpoint)}</p>}
        </Fact>
        <Fact name="Answer">{answerOf(entry)}</Fact>
        <Fact name="Received">
          <Time at={entry.receivedAt} />
          {entry.sourceIp !== null && ` from ${entry.sourceIp}`}
        </Fact>
        <Fact name="Event id">
          {entry.eventId === null ? "None was found." : <code>{entry.eventId}</code>}
        </Fact>
        {entry.duplicate && (
          <Fact name="Came first">
            {entry.duplicateOf === null ? (
              "That request is no longer in the log."
            ) : (
              <EntryLink id="first" endpointId={endpointId} requestId={entry.duplicateOf} />
            )}
          </Fact>
        )}
        {entry.replayOf !== null && (
          <Fact name="Replay of">
            <EntryLink id="original" endpointId={endpointId} requestId={entry.replayOf} />
            {entry.edited ? ", with another payload" : ", as it was"}
          </Fact>
        )}
        <Fact name="To start">{durationOf(latencyMs.toStart)}</Fact>
        <Fact name="To end">{durationOf(latencyMs.toCompletion)}</Fact>
        {entry.executionId !== null && (
          <Fact name="Execution">
            <a id="execution" href={executionPath(entry.executionId)}>
              <code>{entry.executionId}</code>
            </a>{" "}
            {run !== null && <ExecutionStatus run={run} />}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A run is running also while it waits for somebody; that is told here. */
function ExecutionStatus({ run: { status, statusDetail, progress } }: { run: LinkedExecution }) {
  return (
    <>
      <Badge state={status} /> <span class="muted">{DETAIL_LABELS[statusDetail]}</span>
      {progress.message !== "" && <p class="hint">{progress.message}</p>}
    </>
  );
}

function EntryLink({
  id,
  endpointId,
  requestId,
}: {
  id: string;
  endpointId: string;
  requestId: string;
}) {
  return (
    <a id={id} href={requestPath(endpointId, requestId)}>
      <code>{requestId}</code>
    </a>
  );
}

function whyHeld({ workflowId }: EndpointRecord): string {
  return workflowId === null
    ? "The endpoint has no workflow. Attach one, and what is held starts in the order of arrival."
    : "It waits for those before it.";
}

/** An entry with what is around it. */
export interface Logged {
  entry: LogEntry;
  endpoint: EndpointRecord;
  /** The run that it started or was told of; null where there is none, or it may not be seen. */
  run: LinkedExecution | null;
  /** What the reader sees of it; see `shortHash`. */
  seen: string;
}

/** What became of a request. As long as that may change, it asks for news by itself. */
export function Outcome({ logged }: { logged: Logged }) {
  const { entry, endpoint } = logged;
  return (
    <div id="outcome" {...(!isSettled(entry.status) && followed(logged))}>
      <Facts entry={entry} endpoint={endpoint} run={logged.run} />
      <Trouble entry={entry} />
      <Checks entry={entry} endpoint={endpoint} />
      {entry.mappedInputs !== null && (
        <section class="card snug">
          <h2>Inputs of the workflow</h2>
          <JsonView value={entry.mappedInputs} />
        </section>
      )}
    </div>
  );
}

function followed({ entry: { endpointId, requestId }, seen }: Logged) {
  return {
    "data-live": "",
    "hx-get": `${requestPath(endpointId, requestId)}/outcome?seen=${seen}`,
    "hx-trigger": "every 2s, visibilitychange from:document",
    "hx-swap": "outerHTML",
  };
}

/** One entry of a log, whole. */
export function EntryPage({
  logged,
  body,
  refused = null,
}: {
  logged: Logged;
  body: RequestBody;
  refused?: RefusedReplay | null;
}) {
  const { entry, endpoint } = logged;
  return (
    <EndpointPage endpoint={endpoint} tab="requests">
      <div class="entry-head">
        <h2>
          Request of <Time at={entry.receivedAt} />
        </h2>
        <a class="button" href="#replay">
          Replay
        </a>
      </div>
      <Outcome logged={logged} />
      <ReplayForm entry={entry} endpoint={endpoint} body={body} refused={refused} />
      <RequestView entry={entry} body={body} />
    </EndpointPage>
  );
}
