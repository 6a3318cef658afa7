import type { Child } from "hono/jsx";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/webhooks/log.ts";
import {
  Badge,
  Facts,
  LinkButton,
  Notice,
  Submit,
  Time,
  ToldList,
} from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/reader.tsx";
import { formatDuration } from "../../format.ts";
import type { FormState } from "../../forms/form.ts";
import { livePath } from "../../live.ts";
import { endpointPath, executionPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { MatchedRoutes } from "../webhooks/endpoint-routes.tsx";
import {
  isHeld,
  nameOf,
  passedChecks,
  type Remedy,
  remedyOf,
  STAGE_NAMES,
  statusOf,
} from "./labels.ts";
import { ReplayForm } from "./replay.tsx";
import { type RequestBody, RequestView } from "./request-body.tsx";
import { Flags } from "./request-log.tsx";

/** A logged request with its endpoint. */
export interface Logged {
  entry: LogEntry;
  endpoint: EndpointRecord;
  body: RequestBody;
  /** The hash of what the reader sees. */
  seen: string;
}

/** One logged request. */
export function RequestPage({
  logged,
  state,
  isFixed,
}: {
  logged: Logged;
  /** The form that replays it. */
  state: FormState;
  /** Whether the advised fix was just applied. */
  isFixed: boolean;
}) {
  const { entry, endpoint, body } = logged;
  return (
    <EndpointPage endpoint={endpoint} tab="requests" live={liveOf(logged)}>
      <div class="entry-head">
        <h2>{nameOf(entry)}</h2>
        <IfMay scope="webhooks:write">
          <LinkButton href="#replay">Replay request</LinkButton>
        </IfMay>
      </div>
      {isFixed && (
        <Notice tone="good">
          The fix is applied: requests like this one pass now. <a href="#replay">Replay this one</a>{" "}
          to process it.
        </Notice>
      )}
      <Outcome logged={logged} />
      <IfMay scope="webhooks:write">
        <ReplayForm entry={entry} endpoint={endpoint} body={body} state={state} />
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
      {entry.mappedInputs !== null && (
        <section class="card">
          <h2>Workflow inputs</h2>
          <JsonView value={entry.mappedInputs} />
        </section>
      )}
    </div>
  );
}

function RequestFacts({ logged: { entry, endpoint } }: { logged: Logged }) {
  const { endpointId, latencyMs, eventId, eventType, duplicateOf, executionId } = entry;
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
          ["Response", `HTTP ${entry.httpStatus}`],
          ["Passed checks", passedChecks(entry).join(", ") || "none"],
          [
            "Received",
            <>
              <Time at={entry.receivedAt} />
              {entry.sourceIp !== null && ` from ${entry.sourceIp}`}
            </>,
          ],
          ["Event id", eventId === null ? "none" : <code>{eventId}</code>],
          eventType !== null && ["Event type", <code>{eventType}</code>],
          entry.duplicate && [
            "Duplicate of",
            duplicateOf === null
              ? "a request that is no longer logged"
              : request("first", duplicateOf),
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
            <a id="execution" href={executionPath(executionId)}>
              <code>{executionId}</code>
            </a>,
          ],
        ]}
      />
    </section>
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
        <section class="card bad">
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
      <Sentences title="Diagnosis" sentences={entry.diagnosis} name="attention">
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

/** The link to the page where a request is mended; nothing where only the sender can do that. */
function RemedyLink({ entry, where }: { entry: LogEntry; where: Remedy["where"] }) {
  const { endpointId, requestId, executionId } = entry;
  const places: Record<Remedy["where"], [label: string, href: string] | null> = {
    settings: ["Change settings", endpointPath(endpointId, "/settings")],
    rules: [
      "Change validation and mapping",
      endpointPath(endpointId, `/rules?request=${requestId}`),
    ],
    execution: executionId === null ? null : ["View execution", executionPath(executionId)],
    sender: null,
  };
  const [label, href] = places[where] ?? [];
  if (href === undefined) return null;
  return (
    <a id="mend" href={href}>
      {label}
    </a>
  );
}

/** Shows the change that mends the authentication, with a button that applies it. */
function AdvisedFix({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  const change = entry.advice?.change ?? null;
  if (change === null) return null;
  // The change of a secret, such as a cut, must not be applied twice.
  if (endpoint.updatedAt > entry.receivedAt) return <p>The endpoint has changed since.</p>;
  const { secret, ...methods } = change;
  return (
    <>
      <p>This request passed under these settings:</p>
      <JsonView value={{ ...methods, ...(secret !== null && { secret }) }} />
      <IfMay scope="webhooks:write">
        <form method="post" action={`${requestPath(entry.endpointId, entry.requestId)}/fix`}>
          <p>
            <Submit>Apply this fix</Submit>
          </p>
        </form>
      </IfMay>
    </>
  );
}
