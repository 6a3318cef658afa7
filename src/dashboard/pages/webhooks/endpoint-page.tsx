import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { FieldPlace } from "../../../contract/webhooks/signature.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { replayText } from "../../../intake/signatures/catalog.ts";
import { Copyable, Facts, Notice, Time } from "../../components/elements.tsx";
import { KeptIn } from "../../components/managed.tsx";
import { IfMay } from "../../components/reader.tsx";
import { Table } from "../../components/table.tsx";
import { storedSecret } from "../../forms/execution-options.tsx";
import { endpointPath } from "../../paths.ts";
import { REQUEST_COLUMNS } from "../requests/request-log.tsx";
import { EndpointPage } from "./endpoint-layout.tsx";
import { EndpointRoutes } from "./endpoint-routes.tsx";
import { AttachedWorkflow, HeldRequests } from "./held.tsx";
import { isSignable } from "./sample-event.ts";
import { type Sender, senderOf, timeOf, tokenPlace } from "./senders.ts";

/** The requests that an endpoint's page lists. */
export const SHOWN_REQUESTS = 5;

/** An endpoint at a glance. */
export function OverviewPage({
  endpoint,
  workflows,
  entries,
  curl,
  notice,
  live,
}: {
  endpoint: EndpointRecord;
  workflows: readonly WorkflowRecord[];
  entries: LogEntry[];
  /** A command that sends a sample; null where only the sender can sign one. */
  curl: string | null;
  notice: string | null;
  /** The stream that reports new requests. */
  live: string;
}) {
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="overview"
      actions={
        <IfMay scope="webhooks:write">
          <EnabledSwitch endpoint={endpoint} />
        </IfMay>
      }
      notice={notice}
      live={live}
    >
      {!endpoint.enabled && (
        <Notice tone="bad">This endpoint is disabled. Requests get a 404.</Notice>
      )}
      <Copyable id="url" label="URL" text={endpoint.url} />
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
        <SenderSteps sender={senderOf(endpoint)} where="under Settings" />
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
      <input type="hidden" name="enabled" value={enabled ? "false" : "true"} />
      <button type="submit" class="switch" role="switch" aria-checked={enabled ? "true" : "false"}>
        Enabled
      </button>
    </form>
  );
}

/** The latest requests. */
export function LatestRequests({
  endpointId,
  entries,
}: {
  endpointId: string;
  entries: LogEntry[];
}) {
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

/** What an endpoint checks and does. */
function EndpointFacts({ endpoint }: { endpoint: EndpointRecord }) {
  const { endpointId, methods, retentionDays, requestsPerMinute, createdAt, auth } = endpoint;
  const { hmac, signature, token, ipAllowlist, headers } = auth;
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">Configuration</h2>
      <Facts
        facts={[
          ["Sender", senderOf(endpoint).name],
          hmac !== undefined && [
            "Signature",
            <>
              {hmac.preset === undefined && <code>{`${hmac.header} `}</code>}
              <SecretState secret={hmac.secret} />
            </>,
          ],
          signature !== undefined && ["Signature", "verified with the sender’s public key"],
          token !== undefined && [
            "Token",
            <>
              <code>{`${tokenPlace(token)} `}</code>
              <SecretState secret={token.secret} />
            </>,
          ],
          ipAllowlist !== undefined && ["IP allowlist", ipAllowlist.join(", ")],
          headers !== undefined && [
            "Required headers",
            headers
              .map(({ name, value }) =>
                value === undefined
                  ? `${name} (any value)`
                  : `${name} (${storedSecret(value.last4)})`,
              )
              .join(", "),
          ],
          ["Methods", methods.join(", ")],
          ["Replay protection", ageText(endpoint)],
          ["Event id", eventIdText(endpoint.eventId)],
          ["Duplicates", endpoint.onDuplicate === "skip" ? "skipped" : "run again, flagged"],
          [
            "Validation and mapping",
            <a href={endpointPath(endpointId, "/rules")}>{rulesText(endpoint)}</a>,
          ],
          ["Rate limit", `${requestsPerMinute} requests per minute`],
          ["Log retention", `${retentionDays} days`],
          ["Created", <Time at={createdAt} />],
          ["Revision", <a href={endpointPath(endpointId, "/revisions")}>{endpoint.revision}</a>],
          ["Kept in", <KeptIn {...endpoint} />],
        ]}
      />
    </section>
  );
}

function SecretState({
  secret: { last4, previousValidUntil: until },
}: {
  secret: { last4: string; previousValidUntil?: string | undefined };
}) {
  return (
    <>
      {`secret ${storedSecret(last4)}`}
      {until !== undefined && Date.parse(until) > Date.now() && (
        <>
          ; the previous secret is valid until <Time at={until} />
        </>
      )}
    </>
  );
}

function eventIdText(eventId: EndpointRecord["eventId"]): string {
  if (eventId === false) return "not tracked";
  return eventId === null ? "as the sender defines, else found by name" : placeText(eventId);
}

function placeText({ in: where, path }: FieldPlace): string {
  return where === "header" ? `the header ${path}` : `${path} in the body`;
}

function ageText({ auth, replayProtection }: EndpointRecord): string {
  const { enabled, toleranceSeconds, timestamp } = replayProtection;
  if (!enabled) return "off";
  const rule = timeOf(auth);
  if (timestamp !== null) return `${placeText(timestamp)}, within ${toleranceSeconds} s`;
  if (rule === null) return `the body’s timestamp, if there is one, within ${toleranceSeconds} s`;
  return replayText(rule, toleranceSeconds);
}

function rulesText({ validation: { required, types, schema }, mapping }: EndpointRecord): string {
  const rules = [
    required.length > 0 && `${required.length} required`,
    Object.keys(types).length > 0 && `${Object.keys(types).length} typed`,
    schema !== null && "a schema",
    mapping.fields.length > 0 && `${mapping.fields.length} mapped`,
    mapping.auto && "auto-mapping",
  ].filter((rule) => rule !== false);
  return rules.length === 0 ? "none" : rules.join(", ");
}

/** The steps in the sender's own settings. */
export function SenderSteps({
  sender: { name, auth, steps, docs },
  where,
}: {
  sender: Sender;
  /** Where the sender's secret is entered; null where it is stored already. */
  where: "below" | "under Settings" | null;
}) {
  const left = steps.flatMap((step) => {
    if (typeof step === "string") return [step];
    if (where !== null) return [step.missing.replace("{where}", where)];
    return step.given === null ? [] : [step.given];
  });
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{auth.kind === "preset" ? `In ${name}` : "At the sender"}</h2>
      <ol class="steps">
        {left.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {docs !== null && (
        <p>
          <a href={docs} rel="noreferrer">{`${name} documentation`}</a>
        </p>
      )}
    </section>
  );
}
