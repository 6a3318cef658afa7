import type { Child } from "hono/jsx";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/webhooks/log.ts";
import type { StageError } from "../../../contract/webhooks/payload.ts";
import {
  Badge,
  CopiedId,
  Facts,
  LinkButton,
  Notice,
  Submit,
  Time,
  ToldList,
} from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/layout.tsx";
import { formatCount, formatDuration } from "../../format.ts";
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
import { type Logged, RequestView } from "./request-body.tsx";
import { Flags } from "./request-table.tsx";

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
  const { entry, endpoint } = logged;
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
      <RequestParts logged={logged} state={state} />
    </EndpointPage>
  );
}

/** The verdict and the form that replays a request, beside what was received. */
export function RequestParts({ logged, state }: { logged: Logged; state: FormState }) {
  const { entry, endpoint, body } = logged;
  return (
    <div class="mapper">
      <div id="outcome">
        <Verdict logged={logged} />
        <Diagnosis entry={entry} endpoint={endpoint} />
        <Sentences title="Warnings" sentences={entry.warnings} />
        <IfMay scope="webhooks:write">
          <ReplayForm logged={logged} state={state} />
        </IfMay>
      </div>
      <RequestView entry={entry} body={body} />
      <div class="whole">
        <MatchedRoutes entry={entry} />
      </div>
    </div>
  );
}

/** Returns the stream that the page follows; null once the request has reached its final status. */
function liveOf({ entry, seen }: Logged): string | null {
  if (isSettled(entry.status)) return null;
  return livePath(requestPath(entry.endpointId, entry.requestId, "/live"), seen);
}

/** What became of a request, why and what to do first, then its facts. */
function Verdict({ logged: { entry, endpoint } }: { logged: Logged }) {
  const [first] = entry.errors;
  const passed = passedChecks(entry);
  return (
    <section class={`card ${first === undefined ? "" : "bad"}`.trim()} aria-label="Status">
      <p id="status" role="status">
        <Badge state={statusOf(entry)} /> <Flags entry={entry} />{" "}
        <strong>{`${first === undefined ? "" : `${STAGE_NAMES[first.stage]} · `}HTTP ${entry.httpStatus}`}</strong>
        {isHeld(entry) && <span class="hint">{` ${whyHeld(entry, endpoint)}`}</span>}
      </p>
      {first !== undefined && <Errors entry={entry} first={first} />}
      <details>
        <summary>{`${formatCount(passed.length, "check")} passed`}</summary>
        <p class="hint" id="passed">
          {passed.join(", ")}
        </p>
      </details>
      <Facts facts={factsOf(entry)} />
    </section>
  );
}

function factsOf(entry: LogEntry): [string, Child][] {
  const { endpointId, requestId, latencyMs, eventId, eventType, duplicateOf, executionId } = entry;
  const request = (id: string, other: string) => (
    <a id={id} href={requestPath(endpointId, other)}>
      <code>{other}</code>
    </a>
  );
  const facts: ([string, Child] | false)[] = [
    ["Request", <CopiedId id="request-id" text={requestId} />],
    [
      "Received",
      <>
        <Time at={entry.receivedAt} isExact />
        {entry.sourceIp !== null && ` from ${entry.sourceIp}`}
      </>,
    ],
    eventId !== null && ["Event id", <CopiedId id="event-id" text={eventId} />],
    entry.duplicate && [
      "Duplicate of",
      duplicateOf === null ? "a request that is no longer logged" : request("first", duplicateOf),
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
    eventType !== null && ["Event type", <code>{eventType}</code>],
    entry.revision !== null && [
      "Endpoint revision",
      <a href={endpointPath(endpointId, `/revisions#revision-${entry.revision}`)}>
        {entry.revision}
      </a>,
    ],
    executionId !== null && [
      "Execution",
      <a id="execution" href={executionPath(executionId)}>
        <code>{executionId}</code>
      </a>,
    ],
    latencyMs.toStart !== null && [
      "Time",
      `${formatDuration(latencyMs.toStart)} to start, ${formatDuration(latencyMs.toCompletion)} in total`,
    ],
  ];
  return facts.filter((fact) => fact !== false);
}

function whyHeld({ errors }: LogEntry, { workflowId, routing }: EndpointRecord): string {
  if (workflowId === null && routing === null) {
    return "The endpoint has no workflow. Attach one to start held requests in order of arrival.";
  }
  return errors.length > 0
    ? "It could not be mapped when it was released."
    : "Waiting for the requests that arrived earlier.";
}

/** The errors of a request, and how to fix the first. */
function Errors({ entry, first }: { entry: LogEntry; first: StageError }) {
  const [where, what] = remedyOf(entry, first);
  return (
    <>
      <ol class="errors">
        {entry.errors.map(({ stage, path, rule, message }) => (
          <li>
            {stage !== first.stage && <strong>{STAGE_NAMES[stage]}</strong>}
            {path !== undefined && path !== "" && <code>{path}</code>}
            <span>{message}</span>
            <span class="muted">{`rule ${rule}`}</span>
          </li>
        ))}
      </ol>
      <p>
        {`${what} `}
        <IfMay scope="webhooks:write">
          <RemedyLink entry={entry} where={where} />
        </IfMay>
      </p>
    </>
  );
}

/** Why a request was not authenticated, and the change that mends it. */
function Diagnosis({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  return (
    <Sentences title="Diagnosis" sentences={entry.diagnosis} name="attention">
      <AdvisedFix entry={entry} endpoint={endpoint} />
      <IfMay scope="webhooks:write">
        <a id="mend-signature" href={endpointPath(entry.endpointId, "/settings")}>
          Change authentication
        </a>
      </IfMay>
    </Sentences>
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
function RemedyLink({ entry, where }: { entry: LogEntry; where: Remedy[0] }) {
  const { endpointId, requestId, executionId } = entry;
  const places: Record<Remedy[0], [label: string, href: string] | null> = {
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
        <form method="post" action={requestPath(entry.endpointId, entry.requestId, "/fix")}>
          <p>
            <Submit>Apply this fix</Submit>
          </p>
        </form>
      </IfMay>
    </>
  );
}
