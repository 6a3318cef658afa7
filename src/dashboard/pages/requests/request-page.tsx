import type { Child } from "hono/jsx";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/webhooks/log.ts";
import type { StageError } from "../../../contract/webhooks/payload.ts";
import { attachment } from "../../../http/headers.ts";
import {
  Badge,
  CopiedId,
  Facts,
  LinkButton,
  Notice,
  Sentences,
  Submit,
  Time,
} from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/layout.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { formatCount, formatDuration } from "../../format.ts";
import type { FormState } from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { livePath, streamFollowed } from "../../live.ts";
import { endpointPath, executionPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { MatchedRoutes } from "../webhooks/endpoint-routes.tsx";
import { ErrorList } from "../webhooks/verdict.tsx";
import {
  isHeld,
  nameOf,
  passedChecks,
  type Remedy,
  remedyOf,
  STAGE_NAMES,
  statusOf,
} from "./labels.ts";
import { editableText, ReplayForm, replayForm } from "./replay.tsx";
import { type Logged, loggedOf, RequestView } from "./request-body.tsx";
import { Flags, shownOf } from "./request-log.tsx";

const REQUEST = "/webhooks/:endpointId/requests/:requestId";

/** Serves a logged request, and its replays. */
export function serveRequest(app: Dashboard): void {
  serveForm(app, {
    path: `/dashboard${REQUEST}`,
    action: `/dashboard${REQUEST}/replay`,
    load: shownOn,
    form: ({ body }) => replayForm(editableText(body)),
    initial: ({ body }) => ({ payload: editableText(body) }),
    page: (state, logged, http) => {
      const { entry, endpoint } = logged;
      return (
        <EndpointPage endpoint={endpoint} tab="requests" live={liveOf(logged)}>
          <div class="section-head">
            <h2>{nameOf(entry)}</h2>
            <div class="actions">
              <IfMay scope="webhooks:write" or="executions:write">
                <LinkButton href="#replay">Replay request</LinkButton>
              </IfMay>
              <IfMay scope="webhooks:write">
                <LinkButton href={requestPath(entry.endpointId, entry.requestId, "/share")}>
                  Share
                </LinkButton>
              </IfMay>
            </div>
          </div>
          {http.req.query("fixed") === "1" && (
            <Notice tone="good">
              The fix is applied: requests like this one pass now.{" "}
              <a href="#replay">Replay this one</a> to process it.
            </Notice>
          )}
          <RequestParts logged={logged} state={state} />
        </EndpointPage>
      );
    },
    save: ({ webhooks }, body, { loaded: { entry } }) =>
      webhooks.replay(entry.endpointId, entry.requestId, body),
    done: (http, { requestId }) => http.redirect(requestPath(endpointIdOf(http), requestId), 303),
  });

  app.get(`${REQUEST}/live`, async (http) => {
    await shownOn(http);
    const load = async () => shownOf([(await shownOn(http)).entry]);
    return streamFollowed(http, load, http.req.param("endpointId"));
  });

  app.get(`${REQUEST}/body`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const { body } = await http.get("api").webhooks.request(endpointId, requestId);
    return http.body(body ?? "", 200, {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": attachment(`${requestId}.txt`),
    });
  });

  app.post(`${REQUEST}/fix`, async (http) => {
    const { endpointId, requestId } = http.req.param();
    const { webhooks } = http.get("api");
    const change = (await webhooks.request(endpointId, requestId)).advice?.change ?? null;
    if (change !== null) await webhooks.update(endpointId, { change });
    return http.redirect(`${requestPath(endpointId, requestId)}?fixed=1`, 303);
  });
}

const shownOn = (http: Page) =>
  loggedOf(http, endpointIdOf(http), http.req.param("requestId") ?? "");

/** The verdict and the form that replays a request, beside what was received. */
export function RequestParts({ logged, state }: { logged: Logged; state: FormState }) {
  const { entry, endpoint, body } = logged;
  return (
    <div class="mapper">
      <div id="outcome">
        <Verdict logged={logged} />
        <Diagnosis entry={entry} endpoint={endpoint} />
        <Sentences title="Warnings" lines={entry.warnings} />
        <IfMay scope="webhooks:write" or="executions:write">
          <ReplayForm logged={logged} state={state} />
        </IfMay>
      </div>
      <RequestView entry={entry} body={body} />
      <MatchedRoutes entry={entry} />
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

function factsOf(entry: LogEntry): ([string, Child] | false)[] {
  const { endpointId, requestId, latencyMs, eventId, eventType, duplicateOf, executionId } = entry;
  const request = (id: string, other: string) => (
    <a id={id} href={requestPath(endpointId, other)}>
      <code>{other}</code>
    </a>
  );
  return [
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
export function Errors({ entry, first }: { entry: LogEntry; first: StageError }) {
  const [where, what] = remedyOf(entry, first);
  return (
    <>
      <ErrorList errors={entry.errors} />
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
    <Sentences title="Diagnosis" lines={entry.diagnosis} tone="attention">
      <AdvisedFix entry={entry} endpoint={endpoint} />
    </Sentences>
  );
}

/** The link to the page where a request is mended; nothing where only the sender can do that. */
function RemedyLink({ entry, where }: { entry: LogEntry; where: Remedy[0] }) {
  const { endpointId, requestId, executionId } = entry;
  const at = (rest: string) => endpointPath(endpointId, rest);
  const places: Record<Remedy[0], [label: string, href: string] | null> = {
    settings: ["Change settings", at("/settings")],
    rules: ["Change validation and mapping", at(`/rules?request=${requestId}`)],
    execution: executionId === null ? null : ["View execution", executionPath(executionId)],
    sender: null,
  };
  const [label, href] = places[where] ?? [];
  return href === undefined ? null : <a href={href}>{label}</a>;
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
