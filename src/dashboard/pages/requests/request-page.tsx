import type { Child } from "hono/jsx";
import type { ExecutionState } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import {
  type Difference,
  type EventIdSource,
  isSettled,
  type LogEntry,
} from "../../../contract/webhooks/log.ts";
import { Badge, Facts, LinkButton, Notice, Time, ToldList } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/reader.tsx";
import { formatDuration } from "../../format.ts";
import { livePath } from "../../live.ts";
import { endpointPath, executionPath, requestPath } from "../../paths.ts";
import { DETAIL_LABELS } from "../executions/labels.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { MatchedRoutes } from "../webhooks/endpoint-routes.tsx";
import { AdvisedFix } from "./advised-fix.tsx";
import { isUnchanged, verdictsOf } from "./check-verdicts.ts";
import { answerOf, isHeld, type Remedy, remedyOf, STAGE_NAMES, statusOf } from "./labels.ts";
import { type RefusedReplay, ReplayForm } from "./replay.tsx";
import { type RequestBody, RequestView } from "./request-body.tsx";
import { Flags } from "./request-log.tsx";

/** The state of a request's execution. */
export type LinkedExecution = Pick<
  ExecutionState,
  "executionId" | "status" | "statusDetail" | "progress"
>;

/** A logged request with its endpoint and its execution. */
export interface Logged {
  entry: LogEntry;
  endpoint: EndpointRecord;
  /** Null without an execution, and where the session's key may not read it. */
  execution: LinkedExecution | null;
  /** The hash of what the reader sees. */
  seen: string;
}

/** One logged request. */
export function RequestPage({
  logged,
  body,
  refused,
  isFixed,
}: {
  logged: Logged;
  body: RequestBody;
  refused: RefusedReplay | null;
  /** Whether the advised fix was just applied. */
  isFixed: boolean;
}) {
  const { entry, endpoint } = logged;
  return (
    <EndpointPage endpoint={endpoint} tab="requests" live={liveOf(logged)}>
      <div class="entry-head">
        <h2>{entry.eventType ?? `${entry.method} request`}</h2>
        <div class="actions">
          {!entry.bodyTruncated && (
            <a
              class="button"
              href={endpointPath(entry.endpointId, `/try?request=${entry.requestId}`)}
            >
              Use as sample
            </a>
          )}
          <IfMay scope="webhooks:write">
            <LinkButton href="#replay">Replay request</LinkButton>
          </IfMay>
        </div>
      </div>
      {isFixed && (
        <Notice tone="good">
          The fix is applied: requests like this one pass now. <a href="#replay">Replay this one</a>{" "}
          to process it.
        </Notice>
      )}
      <Outcome logged={logged} />
      <IfMay scope="webhooks:write">
        <ReplayForm entry={entry} endpoint={endpoint} body={body} refused={refused} />
      </IfMay>
      <RequestView entry={entry} body={body} />
    </EndpointPage>
  );
}

/** Returns the stream that the page follows; null once the request has reached its final status. */
function liveOf({ entry, seen }: Logged): string | null {
  if (isSettled(entry.status)) return null;
  return livePath(`${requestPath(entry.endpointId, entry.requestId)}/live`, seen);
}

/** The outcome of a request. */
function Outcome({ logged }: { logged: Logged }) {
  const { entry, endpoint } = logged;
  return (
    <div id="outcome">
      <RequestFacts logged={logged} />
      <MatchedRoutes entry={entry} />
      <Errors entry={entry} endpoint={endpoint} />
      <Sentences title="Warnings" sentences={entry.warnings} />
      <Checks entry={entry} endpoint={endpoint} />
      {entry.mappedInputs !== null && (
        <section class="card">
          <h2>Workflow inputs</h2>
          <JsonView value={entry.mappedInputs} />
        </section>
      )}
    </div>
  );
}

function RequestFacts({ logged: { entry, endpoint, execution } }: { logged: Logged }) {
  const { endpointId, latencyMs, eventId, eventIdSource, eventType, duplicateOf, executionId } =
    entry;
  const { differences } = entry;
  const request = (id: string, requestId: string) => (
    <a id={id} href={requestPath(endpointId, requestId)}>
      <code>{requestId}</code>
    </a>
  );
  return (
    <section class="card" aria-label="Status">
      <Facts
        facts={[
          [
            "Status",
            <>
              <Badge state={statusOf(entry)} /> <Flags entry={entry} />
              {isHeld(entry) && <p class="hint">{whyHeld(entry, endpoint)}</p>}
            </>,
          ],
          ["Response", answerOf(entry)],
          [
            "Received",
            <>
              <Time at={entry.receivedAt} />
              {entry.sourceIp !== null && ` from ${entry.sourceIp}`}
            </>,
          ],
          [
            "Event id",
            eventId === null ? (
              "none"
            ) : (
              <>
                <code>{eventId}</code>
                {eventIdSource !== null && <p class="hint">{sourceText(eventIdSource)}</p>}
              </>
            ),
          ],
          eventType !== null && ["Event type", <code>{eventType}</code>],
          entry.duplicate && [
            "Duplicate of",
            duplicateOf === null
              ? "a request that is no longer logged"
              : request("first", duplicateOf),
          ],
          differences !== null && [
            "Differs from the first in",
            differences.length === 0 ? "nothing" : <Differences of={differences} />,
          ],
          entry.batch !== null && [
            "Batch",
            <>
              {`item ${entry.batch.index + 1} of ${entry.batch.count}, first: `}
              {request("batch", entry.batch.requestId)}
            </>,
          ],
          entry.replayOf !== null && [
            "Replay of",
            <>
              {request("original", entry.replayOf)}
              {entry.edited ? ", edited" : ", unchanged"}
            </>,
          ],
          entry.revision !== null && [
            "Endpoint revision",
            <a href={endpointPath(endpointId, `/revisions#revision-${entry.revision}`)}>
              {entry.revision}
            </a>,
          ],
          ["Start delay", formatDuration(latencyMs.toStart)],
          ["Total time", formatDuration(latencyMs.toCompletion)],
          executionId !== null && [
            "Execution",
            <>
              <a id="execution" href={executionPath(executionId)}>
                <code>{executionId}</code>
              </a>{" "}
              {execution !== null && <ExecutionStatus execution={execution} />}
            </>,
          ],
        ]}
      />
    </section>
  );
}

const RULES: Record<EventIdSource["rule"], string> = {
  endpoint: "set for this endpoint",
  preset: "as the sender documents",
  header: "found by name",
  body: "found by name",
  body_and_hash: "with a hash of the payload, since it may be the id of an object",
};

function sourceText({ rule, in: where, path }: EventIdSource): string {
  return `${where === "header" ? "Header" : "Body:"} ${path}, ${RULES[rule]}.`;
}

function Differences({ of }: { of: readonly Difference[] }) {
  return (
    <ul>
      {of.map(({ path, first, duplicate }) => (
        <li>
          <code>{path}</code>: <code>{first ?? "missing"}</code> →{" "}
          <code>{duplicate ?? "missing"}</code>
        </li>
      ))}
    </ul>
  );
}

/** A request is `running` also while its execution waits for input, which this shows. */
function ExecutionStatus({
  execution: { status, statusDetail, progress },
}: {
  execution: LinkedExecution;
}) {
  return (
    <>
      <Badge state={status} />
      {statusDetail !== "done" && <span class="muted">{` ${DETAIL_LABELS[statusDetail]}`}</span>}
      {progress.message !== "" && <p class="hint">{progress.message}</p>}
    </>
  );
}

function whyHeld({ errors }: LogEntry, { workflowId, routing }: EndpointRecord): string {
  if (workflowId === null && routing === null) {
    return "The endpoint has no workflow. Attach one to start held requests in order of arrival.";
  }
  return errors.length > 0
    ? "It could not be mapped when it was released."
    : "Waiting for the requests that arrived earlier.";
}

/** The errors of a request, how to fix the first, and the diagnosis of its authentication. */
function Errors({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  const [first] = entry.errors;
  return (
    <>
      {first !== undefined && (
        <section class="card trouble">
          <h2>Errors</h2>
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
            {`${remedyOf(entry, first).what} `}
            <IfMay scope="webhooks:write">
              <RemedyLink entry={entry} where={remedyOf(entry, first).where} />
            </IfMay>
          </p>
        </section>
      )}
      <Sentences title="Diagnosis" sentences={entry.diagnosis} name="diagnosis">
        <AdvisedFix entry={entry} endpoint={endpoint} />
        <IfMay scope="webhooks:write">
          <a id="mend-signature" href={endpointPath(entry.endpointId, "/settings")}>
            Change authentication
          </a>
        </IfMay>
      </Sentences>
    </>
  );
}

function Sentences({
  title,
  sentences,
  name = "",
  children = null,
}: {
  title: string;
  sentences: readonly string[];
  /** A class of the section. */
  name?: string;
  children?: Child;
}) {
  if (sentences.length === 0) return null;
  return (
    <section class={`card ${name}`.trim()}>
      <h2>{title}</h2>
      <ToldList lines={sentences} />
      {children}
    </section>
  );
}

function RemedyLink({ entry, where }: { entry: LogEntry; where: Remedy["where"] }) {
  const { endpointId, executionId } = entry;
  switch (where) {
    case "settings":
    case "rules":
      return (
        <a
          id="mend"
          href={endpointPath(
            endpointId,
            where === "rules" ? `/rules?request=${entry.requestId}` : "/settings",
          )}
        >
          {where === "rules" ? "Change validation and mapping" : "Change settings"}
        </a>
      );
    case "execution":
      return executionId === null ? null : (
        <a id="mend" href={executionPath(executionId)}>
          View execution
        </a>
      );
    case "sender":
      return null;
  }
}

/** The checks of a request in their order, and how far it came. */
function Checks({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  return (
    <section class="card">
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
          The endpoint has changed since. Checks that were not configured then show as passed.
        </p>
      )}
    </section>
  );
}
