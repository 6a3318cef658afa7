import { jsonObject } from "../../../contract/json.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { Copyable, Facts, KeptIn, Notice, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/reader.tsx";
import { Table } from "../../components/table.tsx";
import { endpointPath } from "../../paths.ts";
import { REQUEST_COLUMNS } from "../requests/request-table.tsx";
import { EndpointPage } from "./endpoint-layout.tsx";
import { EndpointRoutes } from "./endpoint-routes.tsx";
import { AttachedWorkflow, HeldRequests } from "./held.tsx";
import { isSignable } from "./sample-event.ts";
import { NewSecrets, NOTICES, SenderSteps, type ShownOnce } from "./secret.tsx";
import { senderOf } from "./senders.ts";

/** The requests that an endpoint's page lists. */
export const SHOWN_REQUESTS = 5;

/** An endpoint at a glance. */
export function OverviewPage({
  endpoint,
  workflows,
  entries,
  curl,
  done,
  once,
  live,
}: {
  endpoint: EndpointRecord;
  workflows: readonly WorkflowRecord[];
  entries: LogEntry[];
  /** A command that sends a sample; null where only the sender can sign one. */
  curl: string | null;
  /** The change that was just made. */
  done: string | undefined;
  /** What the page shows this once. */
  once: ShownOnce | null;
  /** The stream that reports new requests. */
  live: string;
}) {
  const page = endpointPath(endpoint.endpointId);
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="overview"
      actions={
        <IfMay scope="webhooks:write">
          <EnabledSwitch endpoint={endpoint} />
        </IfMay>
      }
      notice={NOTICES[once?.change ?? done ?? ""] ?? null}
      live={live}
      // Loaded again, the page lacks what it shows once.
      livePart={once === null ? undefined : { page, part: "arrivals" }}
    >
      {!endpoint.enabled && (
        <Notice tone="bad">This endpoint is disabled. Requests get a 404.</Notice>
      )}
      <Copyable id="url" label="URL" text={endpoint.url} />
      {once !== null && <NewSecrets secrets={once.secrets} />}
      {endpoint.routing === null ? (
        <AttachedWorkflow endpoint={endpoint} workflows={workflows} />
      ) : (
        <EndpointRoutes
          endpointId={endpoint.endpointId}
          routes={endpoint.routing.routes}
          workflows={workflows}
          entries={entries}
        />
      )}
      <HeldRequests endpoint={endpoint} />
      <section class="part" aria-labelledby="latest">
        <div class="section-head">
          <h2 id="latest">Latest requests</h2>
          <IfMay scope="webhooks:write">
            <TestEvent endpoint={endpoint} />
          </IfMay>
        </div>
        <LatestRequests
          endpointId={endpoint.endpointId}
          entries={entries.slice(0, SHOWN_REQUESTS)}
        />
      </section>
      <EndpointFacts endpoint={endpoint} />
      {curl !== null && <Copyable id="curl" label="Send a request from a terminal" text={curl} />}
      <details class="card" open={entries.length === 0}>
        <summary>
          <h2>Set up the sender</h2>
        </summary>
        <SenderSteps sender={senderOf(endpoint)} />
      </details>
    </EndpointPage>
  );
}

/** Sends a signed sample and leads to its entry in the log. */
function TestEvent({ endpoint }: { endpoint: EndpointRecord }) {
  if (!isSignable(endpoint)) {
    return (
      <p class="hint">{`Only ${senderOf(endpoint).name} can sign requests: trigger a test event there.`}</p>
    );
  }
  return (
    <form method="post" action={endpointPath(endpoint.endpointId, "/send-test")}>
      <button type="submit">Send test event</button>
    </form>
  );
}

function EnabledSwitch({ endpoint: { endpointId, enabled } }: { endpoint: EndpointRecord }) {
  return (
    <form method="post" action={endpointPath(endpointId, "/enabled")}>
      <button type="submit" name="enabled" value={enabled ? "false" : "true"}>
        {enabled ? "Disable endpoint" : "Enable endpoint"}
      </button>
    </form>
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
      <details>
        <summary>All settings</summary>
        <JsonView value={jsonObject.parse(endpoint)} />
      </details>
    </section>
  );
}

/** How the subscription to the event of an MCP server is. */
function sourceFact({ event, state, reason }: NonNullable<EndpointRecord["source"]>) {
  const why = reason === null ? "" : `: ${reason}`;
  return ["Source", `${event} (${state}${why})`] as const;
}
