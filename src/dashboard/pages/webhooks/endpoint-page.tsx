import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { ReleaseTrial } from "../../../contract/webhooks/trials.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import {
  Copyable,
  Facts,
  KeptIn,
  LinkButton,
  Notice,
  Submit,
  Time,
} from "../../components/elements.tsx";
import { AllSettings } from "../../components/json-view.tsx";
import { IfMay, PostButton, show } from "../../components/layout.tsx";
import { Table } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { SingleControl } from "../../forms/fields.tsx";
import { field } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { allWorkflows, namesOf } from "../../lookups.ts";
import { endpointPath, requestPath, WORKFLOWS, workflowPath } from "../../paths.ts";
import { takeShownOnce } from "../../session.ts";
import { errorLine } from "../requests/labels.ts";
import { REQUEST_COLUMNS } from "../requests/request-log.tsx";
import {
  EndpointPage,
  NewSecrets,
  NOTICES,
  shownOnce,
  withoutWorkflowText,
} from "./endpoint-layout.tsx";
import { EndpointRoutes } from "./endpoint-routes.tsx";
import { curlLine, freshEvent, isSignable, senderOf } from "./senders.ts";

/** Serves an endpoint at a glance, with the switch that disables it. */
export function serveEndpoint(app: Dashboard): void {
  app.get("/webhooks/:endpointId", async (http) => {
    const api = http.get("api");
    const endpoint = await api.webhooks.get(http.req.param("endpointId"));
    const { endpointId, workflowId, routing } = endpoint;
    const page = endpointPath(endpointId);
    const [workflows, entries] = await Promise.all([allWorkflows(api), latestOf(api, endpointId)]);
    const attached = workflows.find((workflow) => workflow.workflowId === workflowId);
    const curl = curlLine(endpoint, freshEvent(endpoint, attached?.inputs ?? []));
    const once = await takeShownOnce(http, shownOnce);
    const sender = senderOf(endpoint);
    return show(
      http,
      <EndpointPage
        endpoint={endpoint}
        tab="overview"
        actions={
          <PostButton
            scope="webhooks:write"
            action={`${page}/enabled`}
            name="enabled"
            value={String(!endpoint.enabled)}
          >
            {endpoint.enabled ? "Disable endpoint" : "Enable endpoint"}
          </PostButton>
        }
        notice={NOTICES[once?.change ?? http.req.query("done") ?? ""] ?? null}
        live={livePath(`${page}/live`, await fingerprint(entries))}
        // Loaded again, the page lacks what it shows once.
        livePart={once === null ? undefined : { page, part: "arrivals" }}
      >
        {!endpoint.enabled && (
          <Notice tone="bad">This endpoint is disabled. Requests get a 404.</Notice>
        )}
        <Copyable id="url" label="URL" text={endpoint.url} />
        {once !== null && <NewSecrets secrets={once.secrets} />}
        {routing === null ? (
          <AttachedWorkflow endpoint={endpoint} workflows={workflows} />
        ) : (
          <EndpointRoutes endpointId={endpointId} workflows={workflows} routes={routing.routes} />
        )}
        <HeldRequests endpoint={endpoint} />
        <section class="part" aria-labelledby="latest">
          <div class="section-head">
            <h2 id="latest">Latest requests</h2>
            <TestEvent endpoint={endpoint} />
          </div>
          <LatestRequests endpointId={endpointId} entries={entries} />
        </section>
        <EndpointFacts endpoint={endpoint} />
        {curl !== null && <Copyable id="curl" label="Send a request from a terminal" text={curl} />}
        <details class="card" open={entries.length === 0}>
          <summary>
            <h2>{`Set up ${sender.auth.kind === "preset" ? sender.name : "the sender"}`}</h2>
          </summary>
          <ol>
            {sender.steps.map((step) => (
              <li>{step}</li>
            ))}
          </ol>
          {sender.docs !== null && (
            <p>
              <a href={sender.docs} rel="noreferrer">{`${sender.name} documentation`}</a>
            </p>
          )}
        </details>
      </EndpointPage>,
    );
  });

  app.get("/webhooks/:endpointId/live", async (http) => {
    const { endpointId } = await http.get("api").webhooks.get(http.req.param("endpointId"));
    return streamFollowed(http, () => latestOf(http.get("api"), endpointId), endpointId);
  });

  app.post("/webhooks/:endpointId/enabled", async (http) => {
    const enabled = (await postedForm(http)).line("enabled") === "true";
    const endpointId = http.req.param("endpointId");
    await http.get("api").webhooks.update(endpointId, { enabled });
    return http.redirect(endpointPath(endpointId), 303);
  });
}

/** Returns the requests that an endpoint's page lists. */
async function latestOf({ webhooks }: Prompthook, endpointId: string): Promise<LogEntry[]> {
  return (await webhooks.requests(endpointId, { limit: 5 })).requests;
}

/** Sends a signed sample and leads to its entry in the log. */
function TestEvent({ endpoint }: { endpoint: EndpointRecord }) {
  if (!isSignable(endpoint)) {
    return (
      <p class="hint">{`Only ${senderOf(endpoint).name} can sign requests: trigger a test event there.`}</p>
    );
  }
  return (
    <PostButton scope="webhooks:write" action={endpointPath(endpoint.endpointId, "/send-test")}>
      Send test event
    </PostButton>
  );
}

function LatestRequests({ endpointId, entries }: { endpointId: string; entries: LogEntry[] }) {
  const log = endpointPath(endpointId, "/requests");
  return (
    <div id="arrivals">
      {entries.length === 0 ? (
        <p class="card" role="status">
          Waiting for the first request. It appears here and in the <a href={log}>request log</a>.
        </p>
      ) : (
        <>
          <Table label="Latest requests" columns={REQUEST_COLUMNS} rows={entries} />
          <a href={log}>View all requests</a>
        </>
      )}
    </div>
  );
}

/** Where an endpoint comes from, and all that the API shows of it. */
function EndpointFacts({ endpoint }: { endpoint: EndpointRecord }) {
  const { endpointId, createdAt, revision, source } = endpoint;
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">Configuration</h2>
      <Facts
        facts={[
          ["Sender", senderOf(endpoint).name],
          ...(source === null ? [] : [sourceFact(source)]),
          ["Created", <Time at={createdAt} />],
          ["Revision", <a href={endpointPath(endpointId, "/revisions")}>{revision}</a>],
          ["Kept in", <KeptIn {...endpoint} />],
        ]}
      />
      <AllSettings of={endpoint} />
    </section>
  );
}

/** How the subscription to the event of an MCP server is. */
function sourceFact({ event, state, reason }: NonNullable<EndpointRecord["source"]>) {
  const why = reason === null ? "" : `: ${reason}`;
  return ["Source", `${event} (${state}${why})`] as const;
}

/** Attaches and detaches workflows, and releases held requests. */
export function serveHeld(app: Dashboard): void {
  app.post("/webhooks/:endpointId/workflow", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const form = await postedForm(http);
    const workflowId = form.line("workflowId") || null;
    if (workflowId !== null && form.line("confirmed") === "") {
      const trial = await webhooks.tryRelease(endpointId, { workflowId });
      if (trial.held > 0) {
        const endpoint = await webhooks.get(endpointId);
        return show(
          http,
          <ConfirmPage endpoint={endpoint} trial={trial} workflowId={workflowId} />,
        );
      }
    }
    await webhooks.update(endpointId, { workflowId });
    const done = workflowId === null ? "detached" : "workflow";
    return http.redirect(endpointPath(endpointId, `?done=${done}`), 303);
  });

  app.post("/webhooks/:endpointId/release", async (http) => {
    const endpointId = http.req.param("endpointId");
    await http.get("api").webhooks.release(endpointId);
    return http.redirect(endpointPath(endpointId, "?done=released"), 303);
  });
}

/** Shows what attaching a workflow does to the held requests, before it is attached. */
function ConfirmPage({
  endpoint,
  trial,
  workflowId,
}: {
  endpoint: EndpointRecord;
  trial: ReleaseTrial;
  workflowId: string;
}) {
  const { endpointId } = endpoint;
  const { wouldStart, wouldStayHeld, looked, held, sample } = trial;
  return (
    <EndpointPage endpoint={endpoint} tab="overview">
      <section class="card" aria-labelledby="attach">
        <h2 id="attach">Attach workflow</h2>
        <p>
          <strong>{`${wouldStart} of ${formatCount(looked, "held request")} can be mapped.`}</strong>
          {looked < held &&
            ` ${formatCount(held - looked, "further one")} could not be tried in time.`}
        </p>
        <p>
          {wouldStart > 0 && "Those that can be mapped start in order of arrival. "}
          {wouldStayHeld > 0 &&
            "The others stay held with their errors. Change the mapping and release them again."}
        </p>
        {sample.length > 0 && (
          <ul>
            {sample.map(({ requestId, errors: [first] }) => (
              <li>
                <a href={requestPath(endpointId, requestId)}>
                  <code>{requestId}</code>
                </a>
                {first !== undefined && ` ${errorLine(first)}`}
              </li>
            ))}
          </ul>
        )}
        <form method="post" action={endpointPath(endpointId, "/workflow")} class="inline-form">
          <input type="hidden" name="workflowId" value={workflowId} />
          <input type="hidden" name="confirmed" value="yes" />
          <Submit>Attach workflow</Submit>
          <LinkButton href={endpointPath(endpointId)}>Cancel</LinkButton>
        </form>
      </section>
    </EndpointPage>
  );
}

/** The workflow that requests start, and the form that attaches another one. */
function AttachedWorkflow({
  endpoint,
  workflows,
}: {
  endpoint: EndpointRecord;
  workflows: readonly WorkflowRecord[];
}) {
  const { endpointId, workflowId } = endpoint;
  const attached =
    workflows.find((workflow) => workflow.workflowId === workflowId) ??
    (workflowId === null ? undefined : { workflowId, name: workflowId });
  const options = { "": "None", ...Object.fromEntries(namesOf(workflows)) };
  return (
    <section class="card" aria-labelledby="workflow">
      <h2 id="workflow">Workflow</h2>
      <p>
        {attached === undefined ? (
          `${withoutWorkflowText(endpoint)}.`
        ) : (
          <>
            Starts <a href={workflowPath(attached.workflowId)}>{attached.name}</a>.
          </>
        )}
      </p>
      <IfMay scope="webhooks:write">
        <form method="post" action={endpointPath(endpointId, "/workflow")} class="inline-form">
          <SingleControl
            name="workflowId"
            field={field.select("Workflow", options)}
            value={workflowId ?? ""}
          />
          <button type="submit">Attach workflow</button>
          <a href={endpointPath(endpointId, "/rules?add=1")}>Route by conditions</a>
        </form>
      </IfMay>
      {workflows.length === 0 && (
        <p>
          <a href={WORKFLOWS}>Create a workflow first.</a>
        </p>
      )}
    </section>
  );
}

/** How many requests are held, and the button that releases them. */
function HeldRequests({ endpoint }: { endpoint: EndpointRecord }) {
  const { endpointId, workflowId, routing, queuedCount } = endpoint;
  if (queuedCount === null) {
    return <p class="muted">The number of held requests is not available right now.</p>;
  }
  if (queuedCount === 0) return null;
  const held = formatCount(queuedCount, "held request");
  const isIdle = workflowId === null && routing === null;
  const what = isIdle
    ? "Attach a workflow to start them in order of arrival."
    : "Those that can be mapped start in order of arrival.";
  return (
    <div class="inline-form">
      <p>
        <strong>{`${held}. ${what}`}</strong>
      </p>
      {!isIdle && (
        <PostButton scope="webhooks:write" action={endpointPath(endpointId, "/release")}>
          Release held requests
        </PostButton>
      )}
    </div>
  );
}
